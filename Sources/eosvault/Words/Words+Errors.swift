import Codecs
import Glibc
import JSON
import Sandbox
import SecureMemory
import VectorSuite

extension Words {
    init(_ error: SecureMemoryError) {
        self =
            switch error {
            case .unavailable(let count):
                Words(
                    "no-guarded-memory", "no guarded memory for \(count) bytes",
                    hint: "the limit on locked memory may be too small; see `ulimit -l`")
            case .tooLong(let limit): Words("too-long", "more than \(limit) bytes")
            case .unreadable(let number): Words("unreadable", "can't be read: \(systemMessage(number))")
            }
    }

    init(_ error: SandboxError) {
        let (step, number) =
            switch error {
            case .system(let step, let number): (step, number)
            }
        let what =
            switch step {
            case .privileges: "new privileges (no_new_privs)"
            case .ruleset, .rule, .enforcing: "other files (Landlock)"
            case .filter: "other system calls (seccomp)"
            }
        // E2BIG, of Landlock alone: rulesets lie upon one another, and a process has those of what
        // started it.
        let isFull = step == .enforcing && number == E2BIG
        self = Words(
            "sandbox",
            "this process can't be kept from \(what): \(isFull ? "it is in 16 sandboxes already, the most that there can be" : systemMessage(number))",
            hint: isFull
                ? "start it from outside of some of them"
                : "a container may refuse it, and --no-sandbox goes on without, for debugging")
    }

    init(_ error: CodecError) {
        self =
            switch error {
            case .unexpectedEnd(let offset, let needed, let remaining):
                Words(
                    "cut-short",
                    "the bytes end too early: \(Words.count(needed, "byte")) needed at byte \(offset), \(remaining) there",
                    hint: Words.cutShort)
            case .trailingBytes(let offset, let count):
                Words(
                    "trailing-bytes", "\(Words.count(count, "byte")) too many, from byte \(offset) on",
                    hint: "nothing may stand behind the value")
            case .invalidVaruint(let offset):
                Words("invalid-varuint", "at byte \(offset): a length that is padded or does not fit into 32 bits")
            case .oddHexLength(let count):
                Words("odd-hex", "an odd number of hex digits: \(count)", hint: Words.cutShort)
            case .invalidHexDigit(let offset): Words("invalid-hex", "character \(offset + 1) is no hex digit")
            case .invalidBase58Character(let offset):
                Words("invalid-base58", "character \(offset + 1) is not of base58")
            case .invalidBase64Character(let offset):
                Words("invalid-base64", "character \(offset + 1) is not of base64")
            case .invalidBase64End(let offset):
                Words("invalid-base64", "the base64 is cut off at character \(offset + 1)")
            case .wrongBase58Length(let expected):
                Words("wrong-length", "not the text of \(expected) bytes", hint: Words.mistyped)
            case .base58TooLong(let limit): Words("too-long", "longer than \(limit) characters")
            }
    }

    init(_ error: JSONError) {
        let place = "line \(error.line), column \(error.column)"
        self = Words("invalid-json", "\(place): \(Words.text(of: error.reason))")
    }

    init(_ error: VectorFileError) {
        self =
            switch error {
            case .json(let error): Words(error)
            case .notAnObject: Words("not-vectors", "not a JSON object", hint: Words.vectorFormat)
            case .unknownSchema: Words("not-vectors", "no schema \(VectorFile.schema)", hint: Words.vectorFormat)
            case .missingField(let field):
                Words("not-vectors", "the field `\(field)` is missing", hint: Words.vectorFormat)
            case .noTests: Words("not-vectors", "there are no tests in it", hint: Words.vectorFormat)
            case .unknownKind(let kind):
                Words("unknown-kind", "unknown kind \(Printable.line(kind))", hint: Words.vectorFormat)
            case .abi(let name, let error): Words(error).at(Printable.line(name))
            }
    }

    static let cutShort = "something was lost on the way here; copy it again"
    static let mistyped = "one or more characters were mistyped, lost or added"
    static let vectorFormat = "the format is described in Vectors/README.md"
}
