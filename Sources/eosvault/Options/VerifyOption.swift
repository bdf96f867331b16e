import ArgumentParser

/// Whether what is printed is verified, which takes the PIN.
struct VerifyOption: ParsableArguments {
    @Flag(name: .long, help: "Ask for the PIN, and verify what is printed.")
    var verify = false
}
