import ArgumentParser

extension [InputFile] {
    /// Refuses a second reader of standard input: each would get a part of what the other needs.
    func refuseSharedInput(with others: [InputFile] = []) throws {
        let readers = (self + others).filter(\.isStandardInput).count
        if readers > 1 { throw ValidationError("standard input can be read once only: give files for the rest") }
    }
}
