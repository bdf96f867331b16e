import KeyVault

/// Compares how often the program can start with `age --version`, which is a static program of
/// similar purpose.
enum StartRates {
    /// Prints the version.
    /// - Returns: nil where a program is missing.
    static func version(_ name: String) throws -> Rate? { try compare(name, ["--version"]) }

    /// Parses the arguments and starts the sandbox.
    /// - Returns: nil where a program is missing.
    static func command(_ name: String) throws -> Rate? { try compare(name, ["chains"]) }

    /// Lists a vault of one key, which stays locked.
    /// - Returns: nil where a program is missing.
    static func list(_ name: String) throws -> Rate? {
        let folder = try vault()
        return try compare(name, ["list", "--vault", folder.path + "/vault.db"])
    }

    /// Signs one transaction, at the lowest KDF cost.
    /// - Returns: nil where a program is missing.
    static func sign(_ name: String) throws -> Rate? {
        let folder = try vault()
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        let transfer = TransferRates.transaction(String(decoding: TransferRates.text(), as: UTF8.self))
        try folder.write(Array(transfer.utf8), to: "transfer")
        return try compare(name, ["sign", folder.path + "/transfer"] + folder.signingOptions())
    }

    private static func vault() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.makeVault(createdAt: 1_700_000_000).insert(
            CurveRates.key(), label: nil, createdAt: 1_700_000_000)
        return folder
    }

    private static func compare(_ name: String, _ arguments: [String]) throws -> Rate? {
        guard let program = ReleaseProgram(for: name), let age = ReleaseProgram(at: "/usr/bin/age", for: name)
        else {
            return nil
        }
        return try Rate.compare(name, with: "age --version", rounds: 201) {
            try program.run(arguments, input: "/dev/null", output: "/dev/null")
        } yardstick: {
            try age.run(["--version"], input: "/dev/null", output: "/dev/null")
        }
    }
}
