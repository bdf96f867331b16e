import ArgumentParser
import Hardening

extension InputFile: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file()
    static let standardInput = InputFile(path: "-")

    init(argument: String) { path = argument }
}

extension [InputFile] {
    /// The files of options that are given.
    init(given files: InputFile?...) { self = files.compactMap(\.self) }

    var fileAccess: FileAccess { reduce(.none) { $0 + $1.fileAccess } }

    /// Refuses two readers of standard input: each would get only a part of it.
    func refuseSharedInput(with others: [InputFile] = []) throws {
        let readers = (self + others).filter(\.isStandardInput).count
        if readers > 1 {
            throw ValidationError("standard input can be read only once: give files for the other inputs")
        }
    }
}
