import Messages

extension Words {
    /// The words for a client of the agent, which has no options that accept a signature.
    var forClient: Words {
        let terminal = "start the agent with --confirm terminal"
        switch code {
        case .actionNotAllowed:
            return advising("set a policy of the key that allows the action, or \(terminal)")
        case .dangerNotAllowed:
            return advising(
                "review it with `eosvault inspect`; to sign it, \(terminal), or use `eosvault sign`")
        case .policyConfirm: return advising("to confirm it, \(terminal), or use `eosvault sign`")
        default: return self
        }
    }
}
