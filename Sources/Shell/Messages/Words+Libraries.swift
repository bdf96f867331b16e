import Codecs
import Glibc
import Hardening
import JSON
import SecureMemory

extension SecureMemoryError: WordedError {
    package var words: Words {
        switch self {
        case .unavailable(let count): Words(.notEnoughMemory, "can't allocate \(count) bytes of guarded memory")
        case .tooLong(let limit): Words(.tooLarge, "more than \(limit) bytes")
        case .unreadable(let number): Words(.inputOutput, "can't be read: \(systemMessage(number))")
        }
    }
}

extension SandboxError: WordedError {
    package var words: Words {
        let (step, number) =
            switch self {
            case .system(let step, let number): (step, number)
            }
        let part =
            switch step {
            case .privileges: "no_new_privs"
            case .ruleset, .rule, .enforcing: "Landlock, which limits file access"
            case .filter: "seccomp, which limits system calls"
            }
        // landlock_restrict_self(2) fails with E2BIG after 16 rulesets. A process inherits the
        // rulesets of its parent.
        let isFull = step == .enforcing && number == E2BIG
        return Words(
            .sandbox,
            "can't set up the sandbox (\(part)): "
                + (isFull ? "the process is in 16 sandboxes already, the maximum" : systemMessage(number)),
            hint: isFull
                ? "start eosvault from a process that is in fewer sandboxes"
                : "the kernel or a container may forbid it; for debugging, --no-sandbox runs without the sandbox")
    }
}

extension CodecError: WordedError {
    package var words: Words {
        switch self {
        case .unexpectedEnd(let offset, let needed, let remaining):
            Words(
                .invalidEncoding,
                "the bytes end too early: \(Words.count(needed, "byte")) needed at byte \(offset), "
                    + "\(remaining) available")
        case .trailingBytes(let offset, let count):
            Words(
                .invalidEncoding, "\(Words.count(count, "byte")) too many, starting at byte \(offset)",
                hint: "remove the bytes after the value, or check the type")
        case .invalidVaruint(let offset):
            Words(.invalidEncoding, "at byte \(offset): a length is padded or does not fit into 32 bits")
        case .oddHexLength(let count):
            Words(.invalidEncoding, "an odd number of hex digits: \(count)", hint: Words.cutShort)
        case .invalidHexDigit(let offset): Words(.invalidEncoding, "character \(offset + 1) is not a hex digit")
        case .invalidBase58Character(let offset):
            Words(.invalidEncoding, "character \(offset + 1) is not a base58 character")
        case .invalidBase64Character(let offset):
            Words(.invalidEncoding, "character \(offset + 1) is not a base64 character")
        case .invalidBase64End(let offset):
            Words(.invalidEncoding, "the base64 text is cut off at character \(offset + 1)")
        case .wrongBase58Length(let expected):
            Words(.invalidValue, "the text does not encode \(expected) bytes", hint: Words.mistyped)
        case .base58TooLong(let limit): Words(.tooLarge, "longer than \(limit) characters")
        }
    }
}

extension Words {
    package static let vectorFormat = "the format is described in Vectors/README.md"
    package static let cutShort = "part of the data was lost: copy it again"
    package static let mistyped = "one or more characters were mistyped, lost or added"
}
