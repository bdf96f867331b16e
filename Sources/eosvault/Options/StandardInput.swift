import ArgumentParser

extension [InputFile] {
    /// Refuses two readers of standard input: each would get only a part of it.
    func refuseSharedInput(with others: [InputFile] = []) throws {
        let readers = (self + others).filter(\.isStandardInput).count
        if readers > 1 {
            throw ValidationError("standard input can be read only once: give files for the other inputs")
        }
    }
}
