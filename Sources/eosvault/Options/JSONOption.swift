import ArgumentParser

/// Data as JSON; what is said on standard error is JSON then as well (`Messages`).
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON.")
    var isOn = false
}
