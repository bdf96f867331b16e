/// Compares how often the program can start with `age --version`, which is a static program of
/// similar purpose.
enum StartRates {
    /// Prints the version.
    /// - Returns: nil where a program is missing.
    static func version(_ name: String) throws -> Rate? { try compare(name, ["--version"]) }

    /// Parses the arguments and starts the sandbox.
    /// - Returns: nil where a program is missing.
    static func command(_ name: String) throws -> Rate? { try compare(name, ["chains"]) }

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
