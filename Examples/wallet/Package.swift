// swift-tools-version: 6.2
import PackageDescription

// An app of your own names the version instead of the path:
//     .package(url: "URL of the repository", exact: "0.1.0")
let package = Package(
    name: "wallet",
    dependencies: [.package(name: "eosvault", path: "../..")],
    targets: [
        .executableTarget(name: "wallet", dependencies: [.product(name: "EOSVault", package: "eosvault")])
    ])
