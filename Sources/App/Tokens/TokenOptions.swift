import ArgumentParser
import Hardening
import KeyVault
import SecureMemory
import Shell
import Signing
import Tokens

/// A command that can use PKCS#11 tokens.
package protocol TokenCommand: ConfinedCommand {
    /// The paths of modules that the user named.
    var namedModules: [String] { get }

    /// True if the command may use a token.
    var mayUseTokens: Bool { get }
}

extension TokenCommand {
    package func confine() throws {
        if mayUseTokens { TokenHelper.offer(namedModules) }
        try sandbox.begin(requiredAccess + TokenHelper.access)
    }
}

/// The modules of tokens, and how long to wait for them.
package struct ModuleOptions: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            """
            The PKCS#11 module: the absolute path of the vendor's library. If anyone but root can change \
            it, give this option each time, even if the vault has its path. Repeat the option for several modules.
            """, valueName: "path"), completion: .file())
    package var module: [String] = []

    @Option(
        help: ArgumentHelp("Wait this many seconds for each call of a token, 1 to 600.", valueName: "seconds")
    )
    package var tokenTimeout: UInt32 = 15

    package func validate() throws {
        guard (1...600).contains(tokenTimeout) else {
            throw ValidationError("--token-timeout needs a number from 1 to 600")
        }
        guard Set(module).count == module.count else {
            throw ValidationError("--module has the same path twice")
        }
    }

    /// A connection to `eosvault-token`. There is one in each process.
    package func connect() throws(TokenError) -> TokenProgram {
        try TokenHelper.connect(seconds: tokenTimeout)
    }

    /// A URI with its module.
    func complete(_ uri: TokenURI) throws -> TokenURI {
        var uri = uri
        guard uri.modulePath == nil else { return uri }
        guard let path = module.first else { throw TokenError.module(.notGiven) }
        guard module.count == 1 else { throw WrongArgument(error: SeveralModules()) }
        uri.modulePath = path
        return uri
    }
}

/// A URI has no `module-path`, and several modules are given.
private struct SeveralModules: WordedError {
    var words: Words {
        Words(.usage, "several modules are given: add `?module-path=` with the right one to the URI")
    }
}

/// The source of the PIN of tokens.
package struct TokenPINOptions: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "Read the PIN of the token from a file; one final line ending is dropped.", valueName: "path"))
    package var tokenPinFile: InputFile?

    @Option(
        help: ArgumentHelp("Read the PIN of the token from an open file descriptor.", valueName: "number"))
    package var tokenPinFD: Int32?

    private var given: GivenSecret {
        GivenSecret(file: tokenPinFile, descriptor: tokenPinFD, option: "--token-pin")
    }

    package func validate() throws { try given.validate() }

    package var inputs: [InputFile] { [InputFile](given: given.source) }
    package var fileAccess: FileAccess { given.source?.fileAccess ?? .terminal }

    package var source: TokenKeys.PINSource {
        given.source.map { source in .given { try Self.read(source) } } ?? .asked(Self.ask)
    }

    package static func read(_ source: InputFile) throws -> SecureBytes {
        try placed(at: source.name) {
            try source.readSecret(atMost: TokenSession.pinCounts.upperBound)
        }
    }

    /// While a person types, the vault stays unlocked as long as at any question.
    private static func ask(_ token: TokenFacts, _ custody: KeyCustody) throws -> SecureBytes {
        var terminal = try Terminal.open(for: .tokenPIN)
        let deadline = Clock.sinceBoot + QuestionVault.limit
        terminal.watch = { event in
            if event == .signal || Clock.sinceBoot >= deadline { custody.lock() }
        }
        let name = [token.label, token.serial].filter { !$0.isEmpty }.joined(separator: ", serial ")
        return try terminal.readSecret(
            "PIN of the token \(Printable.line(name)): ", limit: TokenSession.pinCounts.upperBound)
    }
}

/// The options of a command that signs with keys in tokens.
package struct TokenOptions: ParsableArguments {
    package init() {}

    @OptionGroup package var pin: TokenPINOptions
    @OptionGroup package var modules: ModuleOptions

    /// Connects to `eosvault-token`.
    /// - Parameter custody: of the vault that is unlocked meanwhile.
    package func connect(_ custody: KeyCustody = KeyCustody()) throws(TokenError) -> TokenKeys {
        TokenKeys(try modules.connect(), pin.source, in: custody, notify: Messages.report)
    }
}

extension Messages {
    package static func report(_ notice: TokenKeys.Notice) {
        switch notice {
        case .next(let uri, let error): warning(Words.nextToken(uri.text, error.words.message))
        case .keypad: note(Words.typedOnToken)
        case .lastTry: warning(Words.lastTokenTry)
        }
    }
}
