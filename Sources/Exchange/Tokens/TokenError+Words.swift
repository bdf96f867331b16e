import Keys
import Messages

extension TokenError: WordedError {
    package var words: Words {
        switch self {
        case .noProgram(let errno?):
            Words(.tokenProgram, "eosvault-token can't be started: \(systemMessage(errno))")
        case .noProgram(nil):
            Words(
                .tokenProgram, "eosvault-token can't be started",
                hint: "install it in the folder of this program: `make install` does")
        case .programFailed:
            Words(
                .tokenProgram, "eosvault-token ended or sent an invalid answer",
                hint: "run the command again; if eosvault-agent printed this, restart it")
        case .module(let problem): problem.words
        case .noToken(let uri): Words(.noToken, "no token matches \(uri)")
        case .severalTokens(let uri, let count):
            Words(.severalTokens, "\(count) tokens match \(uri)")
        case .call(let call, let code):
            Words(.tokenFailed, "\(call) of the token's module failed: \(ReturnValue.text(code))")
        case .invalidAnswer(let call):
            Words(.tokenFailed, "the token's module answered \(call) with invalid data")
        case .tooMany(let call):
            Words(
                .tokenFailed, "the token's module answered \(call) with more than 64 tokens or keys",
                hint: "give `id` or `object` in the URI, or configure the module for fewer tokens")
        case .timedOut: Words(.tokenTimeout)
        case .crashed(let signal):
            Words(
                .tokenFailed,
                signal == 0
                    ? "the token's module ended its process" : "the token's module crashed (signal \(signal))"
            )
        case .repeatsSignature:
            Words(
                .tokenFailed, "the token repeats a signature that nodes refuse: its nonces are not random",
                hint: "use R1 keys with this token, or configure it for random nonces")
        case .noCanonicalSignature(let limit):
            Words(.tokenFailed, "none of \(limit) signatures of the token is canonical")
        case .wrongSignature:
            Words(.faultySignature, "the token's signature does not match its key, so it was discarded")
        case .wrongPIN, .pinLocked, .pinLength, .pinAtRisk, .needsLogin, .notOpened: wordsOfLogin
        default: wordsOfKey
        }
    }

    private var wordsOfLogin: Words {
        switch self {
        case .wrongPIN(let tries): Words(.wrongTokenPIN, "wrong PIN of the token\(Self.left(tries))")
        case .pinLocked: Words(.tokenPINLocked)
        case .pinLength: Words(.wrongTokenPIN, "the token accepts no PIN of this length")
        case .pinAtRisk:
            Words(
                .wrongTokenPIN, "a wrong PIN was tried at the token before, so the given PIN was not tried",
                hint:
                    "log in once with the vendor's tool, which resets the count; or omit --token-pin-file and type it"
            )
        case .needsLogin:
            Words(
                .tokenFailed, "the token needs its PIN again, and nobody can be asked during a signature",
                hint: "run the command again; for eosvault-agent, lock and unlock the vault")
        case .notOpened:
            Words(
                .noToken, "the token of the key is not open",
                hint:
                    "start eosvault-agent with --token-pin-file and the token connected, then unlock the vault"
            )
        default: Words(.tokenFailed)
        }
    }

    private var wordsOfKey: Words {
        switch self {
        case .pinForEachSignature:
            Words(
                .tokenKey, "the key needs the PIN for each signature (CKA_ALWAYS_AUTHENTICATE)",
                hint: "use a key without this attribute")
        case .noKey(let uri):
            Words(
                .tokenKey, "the token has no private key that matches \(uri)",
                hint: "the URI needs the `id` or `object` of a key; `eosvault token list` prints it")
        case .severalKeys(let uri, let count):
            Words(.tokenKey, "\(count) private keys match \(uri)", hint: "add the `id` of one key to the URI")
        case .otherKey:
            Words(
                .tokenKey, "the key in the token is not the key of the vault's entry or of the other tokens")
        case .invalidKey:
            Words(.tokenKey, "the token states no valid public key for the private key")
        case .otherID: Words(.tokenKey, "the token gave the new key another id")
        case .sameToken(let uri):
            Words(.tokenKey, "two of the URIs are the same key: \(uri)", hint: "give each token once")
        case .uriTooLong:
            Words(
                .tokenKey, "the URI of the key would have more than \(TokenURI.maximumCount) bytes",
                hint: "use a shorter label for the key or its token")
        case .noMechanism(let curve):
            Words(.tokenMechanism, "the token can't sign with \(curve.suffix) keys (CKM_ECDSA)")
        case .makesNoKeys:
            Words(
                .tokenMechanism, "the token can't make keys (CKM_EC_KEY_PAIR_GEN)",
                hint: "make the key with the vendor's tool, and add it with `eosvault import --token-key`")
        case .extractableKey:
            Words(.tokenKey, "the token made a key that can be read from it, so the vault does not use it")
        default: Words(.tokenKey)
        }
    }

    private static func left(_ tries: TokenFacts.Tries) -> String {
        switch tries {
        case .all: ""
        case .few: "; the token counts wrong PINs"
        case .one: "; one try is left before the token locks its PIN"
        case .locked: "; the token has locked its PIN"
        }
    }
}

extension TokenError.ModuleProblem {
    fileprivate var words: Words {
        switch self {
        case .notGiven:
            Words(
                .tokenModule, "no PKCS#11 module is given",
                hint: "give --module PATH, or `module-path` in the URI: the path of the vendor's library")
        case .notAbsolute: Words(.tokenModule, "the path of the module is not absolute")
        case .missing(let errno): Words(.tokenModule, "the module can't be read: \(systemMessage(errno))")
        case .writable(let path):
            Words(
                .tokenModule, "other users can change \(path)",
                hint: "the module is code that runs with your PIN: let only root or you change its path")
        case .notLoaded(let reason): Words(.tokenModule, "the module can't be loaded: \(reason)")
        case .notPKCS11: Words(.tokenModule, "the file is not a PKCS#11 module of version 2 or 3")
        case .notNamed(let path):
            Words(
                .tokenModule, "not only root can change \(path)",
                hint: "the path in the vault is not enough: also give this module with --module")
        }
    }
}
