/// A count that grows, and its rate, on a terminal alone.
struct ProgressCounter {
    private let what: String
    private let noun: String
    private let isShown = Progress.isShown
    private var pace = Progress.Pace()

    init(_ what: String, noun: String) {
        self.what = what
        self.noun = noun
    }

    var count = 0 {
        didSet {
            // The clock is a system call's worth.
            guard isShown, count.isMultiple(of: 64), pace.isDue else { return }
            let rate = Int(Double(count) / pace.written)
            Progress.show("\(what): \(Words.count(count, noun)), \(rate) a second …")
        }
    }

    /// Takes the line away.
    func end() { Progress.clear() }
}
