// swift-tools-version: 6.2
import PackageDescription

// The layers of the package: a target imports only targets that come before it in this list, so of
// its own or of an earlier folder. `swift build --explicit-target-dependency-import-check error`
// enforces it.

/// EOSVAULT_STRICT=1 (continuous integration) turns every warning of this package into an error.
let strict = Context.environment["EOSVAULT_STRICT"] != nil

let testSettings: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
    + (strict ? [.treatAllWarnings(as: .error)] : [])
let settings: [SwiftSetting] =
    [
        .strictMemorySafety(),
        // Each function gets a section, so that the linker removes those that nothing calls. The
        // code calls a function for each type: for a type's name, the runtime would search all
        // conformances.
        .unsafeFlags(
            [
                "enable-stack-protector", "function-sections",
                "disable-concrete-type-metadata-mangled-name-accessors",
            ].flatMap { ["-Xfrontend", "-\($0)"] }, .when(configuration: .release)),
        // Regular expressions would add a megabyte to each program.
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    ]
    + testSettings

/// `make hardening` checks that each of these properties is in the program. `-z now`: symbols are
/// bound before any secret exists (lazy binding spills vector registers to the stack). A build ID
/// would depend on the folder of the build.
let hardened: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xclang-linker", "-pie", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--build-id=none"]
            + ["now", "relro", "noexecstack", "text"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] }),
    .unsafeFlags(["-Xclang-linker", "-static-libgcc"], .when(configuration: .release)),
]

#if arch(arm64)
    let branchProtection = "-mbranch-protection=standard"
#else
    let branchProtection = "-fcf-protection=full"
#endif

/// Flags for the C code of this package. Fortification needs an optimised build.
let hardenedC: [CSetting] = [
    .unsafeFlags([
        "-Wall", "-Wextra", "-fstack-protector-strong", "-fstack-clash-protection", branchProtection,
    ]),
    .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]

/// C calls that Swift cannot import, of one concern.
func calls(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/C/\(name)", cSettings: hardenedC)
}

func system(_ name: String, _ packages: [String]) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", providers: [.apt(packages)])
}

/// - Parameters:
///   - folder: the layer, a folder of `Sources`; nil if the target is one.
///   - isText: true if it makes text for people, once for each command: optimised for size.
func library(
    _ folder: String?, _ name: String, _ dependencies: [Target.Dependency] = [], archives: [String] = [],
    resources: [Resource] = [], isText: Bool = false
) -> Target {
    // Third-party libraries are linked statically, so that no search path decides which code runs.
    .target(
        name: name, dependencies: dependencies,
        path: (["Sources", folder, name].compactMap { $0 }).joined(separator: "/"), resources: resources,
        // An app sees no module except the two that it imports.
        swiftSettings: settings
            + (folder == "Library" ? [.enableUpcomingFeature("InternalImportsByDefault")] : [])
            + (isText ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []),
        linkerSettings: archives.map { .linkedLibrary(":\($0)") })
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Small programs that start fast: addresses to relocate as a bitmap (glibc 2.36), no tables for
/// call stacks, and the functions of the common commands next to each other.
let small: LinkerSetting = .unsafeFlags(
    ["-use-ld=lld"]
        + [
            "-z", "pack-relative-relocs", "-T\(Context.packageDirectory)/Packaging/sections.ld",
            "--symbol-ordering-file=\(Context.packageDirectory)/Packaging/order.txt",
            "--no-warn-symbol-ordering",
        ].flatMap { ["-Xlinker", $0] }, .when(configuration: .release))

func program(_ name: String, _ dependencies: [Target.Dependency], flags: [String] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: settings,
        linkerSettings: hardened + [small] + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

/// For `--version --verbose`. The Makefile sets it, because SwiftPM keeps the evaluated manifest,
/// and the commit in `Context.gitInformation` with it.
let commit = Context.environment["EOSVAULT_COMMIT"] ?? "unknown"

/// - Parameter folder: a folder of `Tests`: the layer of the target.
func tests(_ folder: String, _ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests", dependencies: [.init(stringLiteral: target)] + dependencies,
        path: "Tests/\(folder)/\(target)Tests", swiftSettings: testSettings)
}

let package = Package(
    name: "eosvault",
    products: [
        .library(name: "Antelope", targets: ["Antelope"]),
        .library(name: "EOSVault", targets: ["EOSVault"]),
        .executable(name: "eosvault", targets: ["eosvault"]),
        .executable(name: "eosvault-agent", targets: ["eosvault-agent"]),
        .executable(name: "eosvault-bench", targets: ["eosvault-bench"]),
        .executable(name: "eosvault-scan", targets: ["eosvault-scan"]),
        .executable(name: "eosvault-token", targets: ["eosvault-token"]),
        .executable(name: "eosvault-manual", targets: ["eosvault-manual"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")],
    targets: [
        // C: system libraries, and C calls that Swift cannot import
        system("CLibraries", ["libsodium-dev", "libsecp256k1-dev", "libssl-dev", "zlib1g-dev"]),
        system("CSQLite", ["libsqlite3-dev"]),
        system("CPictures", ["libpng-dev", "libturbojpeg0-dev", "libzbar-dev"]),
        .target(
            name: "CCommit", path: "Sources/C/CCommit",
            cSettings: [.define("EOSVAULT_COMMIT", to: "\"\(commit)\"")]),
        .target(
            name: "CNoFoundation", path: "Sources/C/CNoFoundation",
            cSettings: [.define("EOSVAULT_NO_FOUNDATION", .when(configuration: .release))]),
        calls("CSystem"), calls("CSandbox"), calls("CScan"), calls("CAgent", ["CSystem"]),
        calls("CHelper", ["CSystem"]), calls("CToken", ["CSystem", "CHelper"]), calls("CP256"), calls("CAES"),
        calls("CHMAC"),
        // Optimised in every build: it writes 256 MiB for each password.
        .target(name: "CWallets", path: "Sources/C/CWallets", cSettings: hardenedC + [.unsafeFlags(["-O2"])]),
        calls("CFIDO2", ["CP256", "CAES"]), calls("CTPM", ["CP256", "CAES", "CSystem"]),

        // Base: JSON, messages, files, guarded memory, encodings, the sandbox
        library("Base", "JSON"),
        library("Base", "Messages", ["JSON"]),
        library("Base", "Files", ["CSystem"]),
        library(
            "Base", "SecureMemory", ["Messages", "CLibraries", "CSystem", "Files"], archives: ["libsodium.a"]),
        library(
            "Base", "Codecs", ["Messages", "CHMAC", "CLibraries", "SecureMemory"],
            archives: ["libcrypto.a", "libz.a"]),
        library(
            "Base", "WordLists", ["SecureMemory"],
            resources: ["bip39", "slip39"].map { .embedInCode("Resources/\($0)_english.txt") }),
        library("Base", "Hardening", ["Messages", "CSandbox", "CSystem", "Files"]),

        // Antelope: keys and signatures, contract values, transactions, signing requests
        library(
            "Antelope", "Keys", ["Messages", "CLibraries", "SecureMemory", "Codecs"],
            archives: ["libsecp256k1.a"]),
        library("Antelope", "Seeds", ["Messages", "Keys", "WordLists", "Codecs", "SecureMemory"]),
        library("Antelope", "ABICodec", ["Messages", "JSON", "Keys", "Codecs"]),
        library(
            "Antelope", "Transactions", ["Messages", "ABICodec", "JSON", "Keys", "Codecs"],
            resources: ["eosio", "eosio_older", "eosio_token", "eosio_msig", "eosio_wrap", "core_vaulta"].map
            {
                .embedInCode("Resources/\($0)_abi.json")
            }),
        library(
            "Antelope", "SigningRequests", ["Messages", "Transactions", "ABICodec", "Keys", "Codecs", "JSON"]),

        // Exchange: messages to other machines, and test vectors
        library("Exchange", "AirGap", ["Messages", "Transactions", "ABICodec", "Keys", "Codecs", "JSON"]),
        // libzbar, under the LGPL, is linked dynamically.
        library(
            "Exchange", "Scanning",
            [
                "Messages", "CPictures", "CScan", "AirGap", "Transactions", "Keys", "Codecs", "JSON",
                "Hardening",
                "Files",
            ], archives: ["libpng16.a", "libturbojpeg.a"]),
        library("Exchange", "HTTPSigning", ["Messages", "CLibraries", "JSON", "Codecs", "SecureMemory"]),
        library(
            "Exchange", "Tokens", ["Messages", "Files", "Keys", "Codecs", "SecureMemory"]),
        library("Exchange", "TPM", ["Messages", "CTPM", "Files", "Codecs", "SecureMemory"]),
        library(
            "Exchange", "FIDO2", ["CFIDO2", "Messages", "Files", "Codecs", "SecureMemory"]),
        library(
            "Exchange", "WalletAPI",
            ["Messages", "HTTPSigning", "Transactions", "ABICodec", "Keys", "Codecs", "JSON", "SecureMemory"]),
        library(
            "Exchange", "OtherWallets",
            [
                "CAES", "CWallets", "CLibraries", "Messages", "JSON", "Seeds", "ABICodec", "Keys",
                "WordLists",
                "Codecs", "SecureMemory",
            ]),
        library(
            "Exchange", "VectorSuite",
            [
                "Messages", "SigningRequests", "Transactions", "ABICodec", "Keys", "AirGap", "HTTPSigning",
                "Codecs",
                "JSON",
                "SecureMemory",
            ]),

        // Signing: policies; review, decision, signature
        library(
            "Signing", "Policy", ["Messages", "Transactions", "ABICodec", "Keys", "JSON"],
            resources: ["policy_schema.json"].map { .embedInCode("Resources/\($0)") }
                + ["treasury", "payout", "proxy", "producer"].flatMap { name in
                    ["json", "md"].map { .embedInCode("Resources/\(name).\($0)") }
                }),
        library(
            "Signing", "Signing",
            ["Messages", "Policy", "Transactions", "ABICodec", "Keys", "Codecs", "JSON", "SecureMemory"]),

        // Vault: the file with the keys, which is a key store
        library(
            "Vault", "KeyVault",
            [
                "CSQLite", "CLibraries", "Messages", "Files", "Signing", "Policy", "Transactions", "ABICodec",
                "Keys",
                "HTTPSigning", "Tokens", "TPM", "FIDO2", "Seeds", "WordLists", "Codecs", "SecureMemory",
            ],
            archives: ["libsqlite3.a"],
            resources: ["confusables.txt"].map { .embedInCode("Resources/\($0)") }),

        // Library: what apps import
        library(
            "Library", "Antelope",
            ["Messages", "SigningRequests", "Transactions", "ABICodec", "Keys", "JSON"]),
        library(
            "Library", "EOSVault",
            [
                "Antelope", "Messages", "KeyVault", "Signing", "Policy", "Transactions", "ABICodec", "Keys",
                "Tokens", "SecureMemory", "Hardening", "Files", "JSON",
            ]),

        // Shell: what programs share: messages and their codes, the terminal, files, options
        library(
            nil, "Shell",
            ["CSystem", "Hardening", "Messages", "Files", "JSON", "Codecs", "SecureMemory", argumentParser]),

        // App: the commands of eosvault, with their text and JSON
        library(
            nil, "App",
            [
                "Signing", "SigningRequests", "AirGap", "VectorSuite", "Policy", "Transactions", "KeyVault",
                "ABICodec",
                "Keys", "Codecs", "HTTPSigning", "JSON", "SecureMemory", "Hardening", "Messages", "Files",
                "Shell", "Tokens", "TPM", "FIDO2", "OtherWallets", "Seeds", "WordLists", "CSystem", "CHelper",
                "CCommit", "CLibraries",
                "CSQLite", argumentParser,
            ], isText: true),

        // Programs
        program("eosvault", ["App", "CNoFoundation"]),
        program(
            "eosvault-agent",
            [
                "App", "WalletAPI", "KeyVault", "Signing", "Policy", "Transactions", "ABICodec", "Keys",
                "Codecs", "JSON",
                "SecureMemory", "Hardening", "Messages", "Files", "Shell", "CSystem", "CAgent",
                argumentParser,
            ]),
        // Functions of the static libraries must not replace those of libzbar's own libraries.
        program(
            "eosvault-scan",
            ["Scanning", "Shell", "Messages", "Keys", "JSON", "Hardening", "Files", argumentParser],
            flags: ["-Xlinker", "--exclude-libs", "-Xlinker", "ALL"]),
        program(
            "eosvault-token",
            ["Tokens", "CToken", "Messages", "Keys", "Codecs", "SecureMemory", "Hardening", "Files"]),
        program("eosvault-manual", ["App", "JSON"]),
        .target(
            name: "CYardstick", path: "Sources/Programs/CYardstick",
            linkerSettings: ["libsecp256k1.a", "libcrypto.a", "libsqlite3.a"].map { .linkedLibrary(":\($0)") }
        ),
        program(
            "eosvault-bench",
            [
                "Messages", "Signing", "Policy", "Transactions", "KeyVault", "ABICodec", "Keys", "Codecs",
                "JSON",
                "SecureMemory",
                "Files", "OtherWallets", "CYardstick", argumentParser,
            ]),

        tests("Base", "SecureMemory", ["CLibraries", "Files", "TestSupport"]),
        tests("Base", "Files", ["TestSupport"]),
        tests("Base", "Codecs", ["SecureMemory", "CProbe"]),
        tests("Base", "JSON", ["TestSupport"]),
        tests("Exchange", "Tokens", ["Files", "Codecs"]),
        tests("Exchange", "FIDO2", ["CAuthenticator", "Codecs", "Files", "SecureMemory", "Messages"]),
        tests(
            "Exchange", "TPM",
            [
                "CP256", "CAES", "CTPM", "Files", "Codecs", "SecureMemory", "Messages", "TestSupport",
                "with-tpm",
            ]),
        tests("Exchange", "HTTPSigning", ["Codecs", "SecureMemory", "JSON", "Messages", "TestSupport"]),
        tests(
            "Exchange", "Scanning",
            ["AirGap", "ABICodec", "Keys", "Codecs", "TestSupport"]),
        tests("Base", "WordLists", ["Codecs", "SecureMemory", "TestSupport"]),
        tests(
            "Antelope", "Seeds",
            ["Messages", "Keys", "WordLists", "Codecs", "JSON", "SecureMemory", "TestSupport"]),
        tests("Antelope", "Keys", ["Codecs", "SecureMemory", "CProbe", "TestSupport"]),
        tests("Antelope", "ABICodec", ["JSON", "Keys", "Codecs", "CProbe", "TestSupport"]),
        tests(
            "Vault", "KeyVault",
            [
                "CSQLite", "Files", "Signing", "Transactions", "ABICodec", "Keys", "HTTPSigning", "Seeds",
                "JSON",
                "Codecs", "WordLists", "SecureMemory", "TestSupport",
            ]),
        tests("Antelope", "Transactions", ["Messages", "ABICodec", "JSON", "Keys", "Codecs", "TestSupport"]),
        tests(
            "Signing", "Signing",
            [
                "CLibraries", "Codecs", "JSON", "Policy", "Transactions", "KeyVault", "ABICodec", "Keys",
                "SecureMemory",
                "TestSupport",
            ]),
        tests(
            "Antelope", "SigningRequests",
            ["Transactions", "Codecs", "ABICodec", "Keys", "JSON", "SecureMemory", "TestSupport"]),
        tests("Signing", "Policy", ["Transactions", "ABICodec", "Keys", "Codecs", "JSON", "TestSupport"]),
        tests(
            "Exchange", "AirGap",
            ["JSON", "Laws", "Transactions", "ABICodec", "Keys", "Codecs", "TestSupport"]),
        tests(
            "Exchange", "WalletAPI",
            [
                "HTTPSigning", "Transactions", "ABICodec", "Keys", "Codecs", "JSON", "SecureMemory",
                "TestSupport",
            ]),
        tests(
            "Exchange", "OtherWallets",
            [
                "CAES", "CLibraries", "CWallets", "JSON", "Keys", "Codecs", "SecureMemory", "Messages",
                "TestSupport",
            ]),
        tests("Exchange", "VectorSuite", ["JSON", "TestSupport"]),
        .executableTarget(
            name: "LibraryProbe", dependencies: ["EOSVault", "CChild"], path: "Tests/Library/LibraryProbe",
            swiftSettings: testSettings),
        tests("Library", "EOSVault", ["LibraryProbe", "TestSupport"]),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "eosvault-agent", "eosvault", "CChild", "Files", "Hardening", "JSON", "Messages", "Signing",
                "TestSupport", "ABICodec", "Transactions", "Keys", "WalletAPI", "Codecs", "SecureMemory",
            ],
            path: "Tests/Programs/AgentTests", swiftSettings: testSettings),
        .target(
            name: "Laws",
            dependencies: [
                "Antelope",
                "VectorSuite", "SigningRequests", "Signing", "Policy", "Transactions", "KeyVault", "ABICodec",
                "Keys",
                "Codecs", "JSON", "Messages", "SecureMemory", "AirGap", "Scanning", "HTTPSigning",
                "WalletAPI", "Tokens", "TPM", "FIDO2", "Seeds", "WordLists", "OtherWallets",
            ],
            path: "Tests/Laws/Laws", swiftSettings: settings),
        tests("Laws", "Laws"),
        .target(name: "CProbe", path: "Tests/Support/CProbe"),
        .target(name: "COperations", dependencies: ["CSandbox"], path: "Tests/Base/COperations"),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["Hardening", "Files", "COperations"],
            path: "Tests/Base/SandboxProbe",
            swiftSettings: testSettings),
        tests("Base", "Hardening", ["SandboxProbe", "COperations", "CSandbox", "CChild", "TestSupport"]),
        .target(
            name: "TestSupport", dependencies: ["CProbe", "CChild", "JSON"],
            path: "Tests/Support/TestSupport",
            swiftSettings: testSettings),
        .target(
            name: "CAuthenticator", path: "Tests/FIDO2/CAuthenticator",
            linkerSettings: [.linkedLibrary(":libcrypto.a")]),
        .executableTarget(
            name: "with-authenticator", dependencies: ["CAuthenticator"],
            path: "Tests/FIDO2/with-authenticator"),
        .target(name: "CChild", path: "Tests/Support/CChild"),
        .target(name: "CFaults", dependencies: ["CChild"], path: "Tests/Process/CFaults"),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "App", "eosvault", "KeyVault", "Keys", "Codecs", "SecureMemory", "Files", "CSQLite",
                "CFaults",
                "CChild",
                "TestSupport",
            ],
            path: "Tests/Process/TortureTests", swiftSettings: testSettings),
        // Optimised in every build: it searches some billions of bytes.
        .target(
            name: "CResidue", dependencies: ["CChild"], path: "Tests/Process/CResidue",
            cSettings: [.unsafeFlags(["-O2"])]),
        .executableTarget(name: "residue-plant", path: "Tests/Process/CPlant"),
        .executableTarget(name: "with-tpm", path: "Tests/TPM", exclude: ["tools.py"]),
        .testTarget(
            name: "ResidueTests",
            dependencies: [
                "App", "eosvault", "residue-plant", "ABICodec", "Transactions", "KeyVault", "HTTPSigning",
                "Keys",
                "Codecs", "WordLists",
                "SecureMemory", "CLibraries", "CResidue", "CChild", "TestSupport", "Tokens", "Seeds",
                "OtherWallets", "CAES",
                "TPM", "FIDO2", "CAuthenticator", "with-tpm",
            ],
            path: "Tests/Process/ResidueTests", swiftSettings: testSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "App", "eosvault", "Signing", "Policy", "Transactions", "ABICodec", "Keys", "Codecs", "JSON",
                "Hardening",
                "Laws", "CChild", "CSQLite", "TestSupport", "AirGap", "Shell", "Scanning", "with-tpm",
                "with-authenticator",
                argumentParser,
            ],
            path: "Tests/App/CommandTests", exclude: ["Scripts", "Reviews"], swiftSettings: testSettings),
    ]
)

/// EOSVAULT_COVERAGE=1 (`make coverage`) removes what the measured tests do not need: the programs,
/// and the tests that run them.
if Context.environment["EOSVAULT_COVERAGE"] != nil {
    let removed =
        ["Shell", "App"]
        + ["TPM", "KeyVault", "EOSVault", "Command", "Torture", "Residue", "Hardening", "Agent"].map {
            $0 + "Tests"
        }
    package.targets.removeAll { $0.type == .executable || removed.contains($0.name) }
    package.products = []
    package.dependencies = []
}

/// EOSVAULT_FUZZ=1 (`make fuzz`) adds the fuzz target of all laws: an executable with libFuzzer's
/// main.
if Context.environment["EOSVAULT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "eosvault-fuzz", dependencies: ["Laws"], path: "Tests/Laws/Fuzz", sources: ["Fuzz.swift"],
            swiftSettings: settings))
}

/// EOSVAULT_CTIME=1 (`make ctime`) makes `classify` and `disclose` report to valgrind which data is
/// secret, and adds the program that valgrind runs.
if Context.environment["EOSVAULT_CTIME"] != nil {
    for target in package.targets where target.name == "SecureMemory" {
        target.dependencies.append("CMemcheck")
        target.swiftSettings?.append(.define("EOSVAULT_CTIME"))
    }
    package.targets += [
        .target(name: "CMemcheck", path: "Tests/Process/CMemcheck"),
        .executableTarget(
            name: "eosvault-ctime",
            dependencies: [
                "CMemcheck", "CSQLite", "Messages", "KeyVault", "Keys", "Seeds", "WordLists", "HTTPSigning",
                "TPM",
                "FIDO2", "OtherWallets", "CAuthenticator",
                "Codecs",
                "SecureMemory", "Files",
            ],
            path: "Tests/Process/CTime", exclude: ["ctime.supp"], swiftSettings: settings,
            linkerSettings: hardened),
    ]
}
