/// A change that the program makes and that a test interrupts.
enum Command: Hashable {
    case importing(UInt8)
    case signing(UInt8)
    case changingPIN
    case removing(UInt8)
    case rekeying
    /// With the credential of `Workbench.addCredential`.
    case signingRequest

    var name: String {
        switch self {
        case .importing: "import"
        case .signing: "sign"
        case .changingPIN: "pin change"
        case .removing: "remove"
        case .rekeying: "rekey"
        case .signingRequest: "credential sign"
        }
    }

    /// - Parameter pin: the file of the current PIN.
    func arguments(pin: String) -> [String] {
        switch self {
        case .importing(let number):
            ["import", "key-\(number)", "--label", "key \(number)", "--pin-file", pin]
        case .signing(let number): Self.arguments(signingWith: "key \(number)", pin: pin)
        case .changingPIN:
            ["pin", "change", "--pin-file", pin, "--new-pin-file", pin == "old" ? "new" : "old"]
        case .removing(let number):
            ["remove", "key \(number)", "--yes", "--never-backed-up", "--pin-file", pin]
        case .rekeying: ["rekey", "--pin-file", pin]
        case .signingRequest:
            [
                "credential", "sign", Workbench.credential, "--method", "GET", "--url", Workbench.url,
                "--pin-file", pin,
            ]
        }
    }

    static func arguments(signingWith key: String, pin: String) -> [String] {
        [
            "sign", "transfer.json", "--chain", "eos", "--key", key, "--format", "signatures", "--yes",
            "--pin-file", pin,
        ]
    }

    /// Whether the program has printed its success message.
    func isAcknowledged(by run: Program.Run) -> Bool {
        switch self {
        case .importing, .signing, .removing, .signingRequest: run.output.hasSuffix("\n")
        case .changingPIN: run.error.contains("changed the PIN")
        case .rekeying: run.error.contains("the vault has a new master key")
        }
    }

    /// The state of the vault after the change.
    func applied(to state: Workbench.State) throws -> Workbench.State {
        var state = state
        state.records += 1
        switch self {
        case .importing(let number): state.names.insert(try Workbench.name(of: number))
        case .removing(let number): state.names.remove(try Workbench.name(of: number))
        case .changingPIN: state.pin = state.pin == "old" ? "new" : "old"
        case .signing, .rekeying: break
        case .signingRequest: state.lastNonce = state.lastNonce.map { $0 + 1 }
        }
        return state
    }
}

extension Program.Run {
    /// The nonces in the output of `credential sign`: a header, or a member of each line.
    var nonces: [UInt64] {
        output.matches(of: /(?:ACCESS-NONCE: |"nonce":")([0-9]+)/).compactMap { UInt64($0.1) }
    }
}
