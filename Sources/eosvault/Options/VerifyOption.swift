import ArgumentParser

/// Whether the output is verified, which needs the PIN.
struct VerifyOption: ParsableArguments {
    @Flag(name: .long, help: "Ask for the PIN, and verify the output.")
    var verify = false
}
