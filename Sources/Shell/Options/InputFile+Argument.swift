import ArgumentParser
import Hardening

extension InputFile: ExpressibleByArgument {
    package static let defaultCompletionKind = CompletionKind.file()
    package static let standardInput = InputFile(path: "-")

    package init(argument: String) { path = argument }
}

extension [InputFile] {
    /// The files of options that are given.
    package init(given files: InputFile?...) { self = files.compactMap(\.self) }

    package var fileAccess: FileAccess { reduce(.none) { $0 + $1.fileAccess } }

    /// Refuses two readers of standard input: each would get only a part of it.
    package func refuseSharedInput(with others: [InputFile] = []) throws {
        let readers = (self + others).filter(\.isStandardInput).count
        if readers > 1 {
            throw ValidationError("standard input can be read only once: give files for the other inputs")
        }
    }
}
