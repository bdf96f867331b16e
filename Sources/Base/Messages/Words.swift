import JSON

/// The text of an error for users: one line with what is wrong, and one with what to do next. The
/// text is next to the type of the error.
package struct Words: Equatable, Sendable {
    package let code: ErrorCode
    /// Lower case, no full stop.
    package let message: String
    /// Nil for the advice of the code.
    private let ownHint: String?
    /// For programs: further members of the object, such as the policy that refused a signature.
    package let members: JSONValue?

    /// - Parameters:
    ///   - message: nil for the meaning of the code.
    ///   - hint: the next step; nil for the advice of the code.
    package init(_ code: ErrorCode, _ message: String? = nil, hint: String? = nil, members: JSONValue? = nil)
    {
        (self.code, self.message, ownHint, self.members) = (code, message ?? code.meaning, hint, members)
    }

    package var hint: String { ownHint ?? code.hint }

    /// `{"code", "message", "hint"}`, and the further members.
    package var json: JSONValue {
        let words: JSONValue = [
            "code": .string(code.name), "message": .string(message), "hint": .string(hint),
        ]
        return members.map { words.adding($0) } ?? words
    }

    /// A copy whose message begins with the place of the error: a file, a field's path.
    package func at(_ place: String) -> Words {
        Words(code, "\(place): \(message)", hint: ownHint, members: members)
    }

    /// A copy with another hint.
    package func advising(_ hint: String?) -> Words {
        Words(code, message, hint: hint ?? ownHint, members: members)
    }

    package static func == (left: Words, right: Words) -> Bool {
        (left.code, left.message, left.hint) == (right.code, right.message, right.hint)
    }
}

extension Words {
    /// Advice that mentions a command of the program. It is set once, before other threads start.
    /// `Mutex` would add a call of `syscall`.
    nonisolated(unsafe) private static var programAdvice: @Sendable (ErrorCode) -> String? = { _ in nil }
    nonisolated(unsafe) private static var programAdviceForError: @Sendable (any Error) -> String? = { _ in
        nil
    }

    static func advice(_ code: ErrorCode) -> String? { unsafe programAdvice(code) }

    /// Called once by the program, before the first error.
    /// - Parameters:
    ///   - advice: nil for a code without advice that names a command.
    ///   - special: nil for an error whose advice does not depend on its values.
    package static func setAdvice(
        _ advice: @escaping @Sendable (ErrorCode) -> String?,
        special: @escaping @Sendable (any Error) -> String? = { _ in nil }
    ) {
        unsafe programAdvice = advice
        unsafe programAdviceForError = special
    }

    /// A copy with the program's advice for exactly this error, if it has one.
    package func advised(for error: some Error) -> Words {
        advising(unsafe Words.programAdviceForError(error))
    }
}

extension Words {
    /// `1 byte`, `2 bytes`.
    package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String
    {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A number of bytes: `64 MiB`.
    package static func size(_ bytes: UInt64) -> String {
        if bytes >= 1 << 30, bytes.isMultiple(of: 1 << 30) { return "\(bytes >> 30) GiB" }
        if bytes >= 1 << 20 { return "\(bytes >> 20) MiB" }
        return "\(bytes >> 10) KiB"
    }
}

extension Words {
    package static let reservedName = Words(
        .invalidPath, "names that end in -journal, -wal or -shm are reserved: SQLite deletes such files")

    /// For a new file on a file system that allows writing it only under its final name.
    package static func incompleteFile(errno: Int32, isRemoved: Bool) -> Words {
        Words(
            .incompleteFile,
            "can't be written: \(systemMessage(errno)); "
                + "the incomplete file \(isRemoved ? "was removed" : "could not be removed")",
            hint: isRemoved
                ? "check the disk and its free space, then try again"
                : "find the incomplete file and delete it: it may have been renamed; then check the disk")
    }
}
