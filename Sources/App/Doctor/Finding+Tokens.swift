import Shell
import Tokens

extension Doctor {
    /// For each token of the modules that the user named.
    func tokenFindings() throws -> [Finding] {
        guard mayUseTokens else { return [] }
        let program = try modules.connect()
        return try modules.module.flatMap { path in
            let tokens = try TokenSession.present(in: path, by: program)
            let name = Printable.line(path)
            guard !tokens.isEmpty else {
                return [
                    Finding.warning(
                        "\(name): no token is present", "the keys in its tokens can't sign",
                        advice: "connect the device, or check the settings of the module")
                ]
            }
            return tokens.map(Finding.init(of:))
        }.map { $0.about("token") }
    }
}

extension Finding {
    fileprivate init(of token: TokenFacts) {
        let name = Printable.line([token.label, token.serial].filter { !$0.isEmpty }.joined(separator: ", "))
        let facts = "\(name): PIN \(token.pinState), \(token.mechanisms)"
        guard token.isInitialised else {
            self = .note(
                "\(name): not initialised", "it has no keys yet",
                advice: "initialise it with the vendor's tool")
            return
        }
        guard token.signs else {
            self = .warning(
                facts, "it can't sign with CKM_ECDSA, so eosvault can't use its keys",
                advice: "use another token")
            return
        }
        self =
            switch token.tries {
            case .all: .ok(facts, "its keys can sign")
            case .few, .one:
                .warning(
                    facts, "wrong PINs were tried; the token locks its PIN after a few",
                    advice: "find out who tried them; a right PIN resets the count")
            case .locked:
                .warning(facts, "its keys can't sign", advice: "unlock it with the vendor's tool")
            }
    }
}
