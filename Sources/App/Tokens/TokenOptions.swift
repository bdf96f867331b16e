import ArgumentParser
import Hardening
import KeyVault
import SecureMemory
import Shell
import Signing
import Tokens

/// A command that can use keys in PKCS#11 tokens.
package protocol TokenCommand: ConfinedCommand {
    var tokens: TokenOptions { get }

    /// True if the command may use a token.
    var mayUseTokens: Bool { get }
}

extension TokenCommand {
    package func confine() throws {
        if mayUseTokens { TokenHelper.offer() }
        try sandbox.begin(requiredAccess + tokens.fileAccess + TokenHelper.access)
    }
}

/// The PIN of tokens, and how long to wait for them.
package struct TokenOptions: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "Read the PIN of the token from a file; one final line ending is dropped.", valueName: "path"))
    package var tokenPinFile: InputFile?

    @Option(
        help: ArgumentHelp("Read the PIN of the token from an open file descriptor.", valueName: "number"))
    package var tokenPinFD: Int32?

    @Option(
        help: ArgumentHelp("Wait this many seconds for each call of a token, 1 to 600.", valueName: "seconds")
    )
    package var tokenTimeout: UInt32 = 15

    private var given: GivenSecret {
        GivenSecret(file: tokenPinFile, descriptor: tokenPinFD, option: "--token-pin")
    }

    package func validate() throws {
        try given.validate()
        guard (1...600).contains(tokenTimeout) else {
            throw ValidationError("--token-timeout needs a number from 1 to 600")
        }
    }

    package var inputs: [InputFile] { [InputFile](given: given.source) }
    package var fileAccess: FileAccess { given.source?.fileAccess ?? .none }

    /// A connection to `eosvault-token`.
    package func connect() throws(TokenError) -> TokenProgram {
        try TokenHelper.connect(seconds: tokenTimeout)
    }

    /// Opens the tokens of keys: asks for their PINs, and compares the keys in them.
    /// - Returns: nil if no key is in a token.
    package func signer(for keys: [KeyDescription]) throws -> TokenKeys? {
        let inTokens = keys.filter { !$0.tokens.isEmpty }
        guard !inTokens.isEmpty else { return nil }
        let opened = TokenKeys(try connect(), pin: readPIN)
        for key in inTokens { try opened.open(key) }
        return opened
    }

    /// Reads the PIN of a token.
    package func readPIN(_ token: TokenFacts) throws -> SecureBytes {
        if let source = given.source {
            return try placed(at: source.name) {
                try source.readSecret(atMost: TokenSession.pinCounts.upperBound)
            }
        }
        let terminal = try Terminal.open(for: .tokenPIN)
        let name = [token.label, token.serial].filter { !$0.isEmpty }.joined(separator: ", serial ")
        return try terminal.readSecret(
            "PIN of the token \(Printable.line(name)): ", limit: TokenSession.pinCounts.upperBound)
    }
}
