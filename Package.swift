// swift-tools-version: 6.2
import PackageDescription

// The layers of the package: a target imports only targets that come before it in this list. `swift
// build --explicit-target-dependency-import-check error` enforces it.

/// EOSVAULT_STRICT=1 (continuous integration) turns every warning of this package into an error.
let strict = Context.environment["EOSVAULT_STRICT"] != nil

let testSettings: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
    + (strict ? [.treatAllWarnings(as: .error)] : [])
let settings: [SwiftSetting] =
    [.strictMemorySafety(), .unsafeFlags(["-Xfrontend", "-enable-stack-protector"], .when(configuration: .release))]
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
    .unsafeFlags(["-Wall", "-Wextra", "-fstack-protector-strong", "-fstack-clash-protection", branchProtection]),
    .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]

/// C calls that Swift cannot import, of one concern. One library uses them.
func calls(_ name: String) -> Target { .target(name: name, cSettings: hardenedC) }

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], archives: [String] = [], resources: [Resource] = []
) -> Target {
    // Third-party libraries are linked statically, so that no search path decides which code runs.
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: settings,
        linkerSettings: archives.map { .linkedLibrary(":\($0)") })
}

func tests(_ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests", dependencies: [.init(stringLiteral: target)] + dependencies, swiftSettings: testSettings
    )
}

let package = Package(
    name: "eosvault",
    products: [
        .executable(name: "eosvault", targets: ["eosvault"]),
        .executable(name: "eosvault-bench", targets: ["eosvault-bench"]),
        .executable(name: "eosvault-scan", targets: ["eosvault-scan"]),
        .executable(name: "eosvault-manual", targets: ["eosvault-manual"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")],
    targets: [
        // 0: system libraries, and C calls that Swift cannot import
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CZbar", providers: [.apt(["libzbar-dev"])]),
        calls("CFiles"), calls("CSignals"), calls("CRegisters"), calls("CSandbox"), calls("CMachine"),
        calls("CProcess"), calls("CTerminal"), calls("CFork"), calls("CVideo"),

        // 1: files; JSON
        library("Files", ["CFiles", "CSignals"]),
        library("JSON"),

        // 2: guarded memory; the sandbox; facts about the machine
        library("SecureMemory", ["CSodium", "CRegisters", "Files"], archives: ["libsodium.a"]),
        library("Sandbox", ["CSandbox", "Files"]),
        library("Machine", ["CMachine", "Files"]),

        // 3: bytes; compression
        library("Codecs", ["SecureMemory"]),
        library("Compression", ["CZlib"], archives: ["libz.a"]),
        library("Digests", ["CCrypto", "SecureMemory"], archives: ["libcrypto.a"]),

        // 4: text on a terminal; keys and signatures; HTTP signatures; QR codes; codes in pictures
        library(
            "Curves", ["CSecp256k1", "CCrypto", "CSodium", "SecureMemory", "Codecs", "Digests"],
            archives: ["libsecp256k1.a"]),
        library("TerminalText", ["CTerminal", "Files", "Codecs", "JSON"]),
        library("QRCodes", ["Compression"]),
        library("HTTPSigning", ["CCrypto", "JSON", "Codecs", "Digests", "SecureMemory"]),
        // libzbar, under the LGPL, is linked dynamically.
        library(
            "Pictures", ["CZbar", "CPNG", "CTurboJPEG", "Compression"], archives: ["libpng16.a", "libturbojpeg.a"]),

        // 5: the text forms of keys and signatures; messages in several QR codes
        library("KeyText", ["Curves", "Codecs", "Digests", "SecureMemory"]),
        library("CodeSequences", ["QRCodes", "Compression", "Codecs", "Digests"]),

        // 6: contract values; the vault
        library("ABICodec", ["JSON", "KeyText", "Curves", "Codecs", "Digests"]),
        library(
            "KeyVault",
            ["CSQLite", "CSodium", "Files", "KeyText", "Curves", "HTTPSigning", "Codecs", "Digests", "SecureMemory"],
            archives: ["libsqlite3.a"], resources: [.embedInCode("Resources/bip39_english.txt")]),

        // 7: transactions
        library(
            "Transactions", ["Compression", "ABICodec", "JSON", "KeyText", "Curves", "Codecs", "Digests"],
            resources: ["eosio", "eosio_older", "eosio_token", "eosio_msig", "eosio_wrap", "core_vaulta"].map {
                .embedInCode("Resources/\($0)_abi.json")
            }),

        // 8: policies; signing requests; signing; messages across the air gap; test vectors
        library(
            "Policy", ["Transactions", "ABICodec", "KeyText", "Curves", "JSON"],
            resources: ["policy_schema.json"].map { .embedInCode("Resources/\($0)") }
                + ["treasury", "payout", "proxy", "producer"].flatMap { name in
                    ["json", "md"].map { .embedInCode("Resources/\(name).\($0)") }
                }),
        library(
            "SigningRequests",
            ["Transactions", "Compression", "ABICodec", "KeyText", "Curves", "Codecs", "Digests", "JSON"]),
        library(
            "Signing",
            [
                "Policy", "Transactions", "KeyVault", "ABICodec", "KeyText", "Curves", "Codecs", "Digests",
                "JSON", "SecureMemory",
            ]),
        library("AirGap", ["CodeSequences", "Transactions", "ABICodec", "Curves", "Codecs"]),
        library(
            "VectorSuite",
            [
                "SigningRequests", "Transactions", "Compression", "ABICodec", "KeyText", "Curves", "CodeSequences",
                "QRCodes", "HTTPSigning",
                "Codecs",
                "Digests", "JSON",
                "SecureMemory",
            ]),

        // 9: scanning codes
        library(
            "Scanning",
            [
                "AirGap", "Transactions", "KeyText", "Curves", "CodeSequences", "Pictures", "Codecs", "JSON", "Sandbox",
                "Files", "CFork", "CVideo",
            ]),

        // 10: commands and user-visible text; the manual pages; the benchmark
        .executableTarget(
            name: "eosvault",
            dependencies: [
                "Signing", "SigningRequests", "AirGap", "VectorSuite", "Policy", "Transactions", "KeyVault", "ABICodec",
                "KeyText", "Curves", "CodeSequences", "QRCodes", "Compression", "HTTPSigning", "Codecs", "JSON",
                "Digests", "SecureMemory", "Sandbox", "Files", "Machine", "TerminalText", "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings, linkerSettings: hardened),
        .executableTarget(
            name: "eosvault-scan",
            dependencies: [
                "Scanning", "Pictures", "TerminalText", "KeyText", "JSON", "Sandbox", "Files",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings,
            // Functions of the static libraries must not replace those of libzbar's own libraries.
            linkerSettings: hardened + [.unsafeFlags(["-Xlinker", "--exclude-libs", "-Xlinker", "ALL"])]),
        .executableTarget(name: "eosvault-manual", dependencies: ["JSON"], swiftSettings: settings),
        .target(
            name: "CYardstick",
            linkerSettings: ["libsecp256k1.a", "libcrypto.a", "libsqlite3.a"].map { .linkedLibrary(":\($0)") }),
        .executableTarget(
            name: "eosvault-bench",
            dependencies: [
                "Signing", "Policy", "Transactions", "KeyVault", "ABICodec", "KeyText", "Curves", "Codecs", "JSON",
                "SecureMemory", "Files", "CYardstick",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings, linkerSettings: hardened),

        tests("SecureMemory", ["CSodium", "Files", "TestSupport"]),
        tests("Machine", ["TestSupport"]),
        tests("Files", ["TestSupport"]),
        tests("Codecs", ["SecureMemory", "CProbe"]),
        tests("JSON", ["TestSupport"]),
        tests("Digests", ["Codecs"]),
        tests("QRCodes", ["JSON", "Laws", "TestSupport"]),
        tests("HTTPSigning", ["Codecs", "Digests", "SecureMemory", "CChild", "JSON", "TestSupport"]),
        tests("CodeSequences", ["QRCodes", "Codecs", "Digests", "JSON", "TestSupport"]),
        tests("Pictures", ["QRCodes", "Compression", "TestSupport"]),
        tests(
            "Scanning",
            ["Pictures", "AirGap", "CodeSequences", "ABICodec", "KeyText", "Curves", "Codecs", "TestSupport"]),
        tests("Curves", ["Codecs", "SecureMemory", "CProbe", "TestSupport"]),
        tests("KeyText", ["Curves", "SecureMemory"]),
        tests("ABICodec", ["JSON", "KeyText", "Curves", "Codecs", "Digests", "CProbe", "TestSupport"]),
        tests(
            "KeyVault",
            ["CSQLite", "Files", "KeyText", "Curves", "HTTPSigning", "Codecs", "SecureMemory", "TestSupport"]),
        tests("Transactions", ["ABICodec", "JSON", "Curves", "Codecs", "TestSupport"]),
        tests(
            "Signing",
            [
                "Digests", "JSON", "Policy", "Transactions", "KeyVault", "ABICodec", "KeyText", "Curves", "Codecs",
                "SecureMemory",
                "TestSupport",
            ]),
        tests(
            "SigningRequests",
            [
                "Transactions", "Compression", "ABICodec", "KeyText", "Curves", "Codecs", "JSON", "SecureMemory",
                "TestSupport",
            ]),
        tests("Policy", ["Transactions", "ABICodec", "KeyText", "Curves", "Codecs", "JSON", "TestSupport"]),
        tests("AirGap", ["CodeSequences", "Transactions", "ABICodec", "Curves", "Codecs", "KeyText", "TestSupport"]),
        tests("VectorSuite", ["JSON", "TestSupport"]),
        .target(
            name: "Laws",
            dependencies: [
                "VectorSuite", "SigningRequests", "Signing", "Policy", "Transactions", "KeyVault", "ABICodec",
                "KeyText",
                "Curves", "Codecs", "JSON",
                "Digests", "SecureMemory", "QRCodes", "CodeSequences", "AirGap", "Pictures", "Scanning", "HTTPSigning",
            ],
            path: "Tests/Laws", swiftSettings: settings),
        tests("Laws"),
        .target(name: "CProbe", path: "Tests/CProbe"),
        .target(name: "COperations", dependencies: ["CSandbox"], path: "Tests/COperations"),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["Sandbox", "COperations"], path: "Tests/SandboxProbe",
            swiftSettings: testSettings),
        tests("Sandbox", ["SandboxProbe", "COperations", "CSandbox", "CChild", "TestSupport"]),
        .target(
            name: "TestSupport", dependencies: ["CProbe", "CChild", "JSON"], path: "Tests/TestSupport",
            swiftSettings: testSettings),
        .target(name: "CChild", path: "Tests/CChild"),
        .target(name: "CFaults", dependencies: ["CChild"], path: "Tests/CFaults"),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "eosvault", "KeyVault", "KeyText", "Curves", "Codecs", "Digests", "SecureMemory", "Files", "CSQLite",
                "CFaults", "CChild", "TestSupport",
            ],
            swiftSettings: testSettings),
        // Optimised in every build: it searches some billions of bytes.
        .target(name: "CResidue", dependencies: ["CChild"], path: "Tests/CResidue", cSettings: [.unsafeFlags(["-O2"])]),
        .executableTarget(name: "residue-plant", path: "Tests/CPlant"),
        .testTarget(
            name: "ResidueTests",
            dependencies: [
                "eosvault", "residue-plant", "Transactions", "KeyVault", "HTTPSigning", "KeyText", "Curves", "Codecs",
                "SecureMemory", "CSecp256k1", "CCrypto", "CResidue", "CChild", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "eosvault", "Signing", "Policy", "Transactions", "ABICodec", "KeyText", "Curves", "Codecs", "JSON",
                "Machine",
                "Laws", "Sandbox", "CChild", "CSQLite", "TestSupport", "AirGap", "CodeSequences", "TerminalText",
                "Pictures", "Digests",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Scripts", "Reviews"], swiftSettings: testSettings),
    ]
)

/// EOSVAULT_FUZZ=1 (`make fuzz`) adds a fuzz target for each law: an executable with libFuzzer's
/// main.
if Context.environment["EOSVAULT_FUZZ"] != nil {
    package.targets += [
        "JSON", "ABIJSON", "RawABI", "ABIDecode", "ABIEncode", "Transaction", "Review", "Build", "KeyText", "Base58",
        "ClientData", "VectorFile", "SigningRequest",
        "AuditRecord", "AuditArchive", "PinnedABI", "HistoryRow", "RecoveryPhrase", "ScannedBytes", "QRCode",
        "URPart", "URMessage", "BBQr", "Picture", "ScannedCode", "ScanReport", "RequestURL", "SigningProfile",
        "Credential", "RequestLine", "Policy", "PolicyVerdict", "PolicyUse", "TransactionLog",
    ].map { law in
        .executableTarget(
            name: "\(law)Fuzz", dependencies: ["Laws"], path: "Tests/Fuzz/\(law)", swiftSettings: settings)
    }
}

/// EOSVAULT_CTIME=1 (`make ctime`) makes `classify` and `disclose` report to valgrind which data is
/// secret, and adds the program that valgrind runs.
if Context.environment["EOSVAULT_CTIME"] != nil {
    for target in package.targets where target.name == "SecureMemory" {
        target.dependencies.append("CMemcheck")
        target.swiftSettings?.append(.define("EOSVAULT_CTIME"))
    }
    package.targets += [
        .target(name: "CMemcheck", path: "Tests/CMemcheck"),
        .executableTarget(
            name: "eosvault-ctime",
            dependencies: [
                "CMemcheck", "CSQLite", "KeyVault", "KeyText", "Curves", "HTTPSigning", "Codecs", "SecureMemory",
                "Files",
            ],
            path: "Tests/CTime", exclude: ["ctime.supp"], swiftSettings: settings, linkerSettings: hardened),
    ]
}
