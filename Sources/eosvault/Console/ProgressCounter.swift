/// A count that grows, and its rate, on a terminal alone.
struct ProgressCounter {
    private let what: String
    private let noun: String
    private let isShown = Progress.isShown
    private let start = ContinuousClock.now
    /// When it was last written, in seconds from the start.
    private var written = 0.0

    init(_ what: String, noun: String) {
        self.what = what
        self.noun = noun
    }

    var count = 0 {
        didSet {
            // The clock is a system call's worth; a terminal needs no more than a few lines a second.
            guard isShown, count.isMultiple(of: 64) else { return }
            let time = start.duration(to: .now) / .seconds(1)
            guard time - written >= 0.2 else { return }
            written = time
            let rate = Int(Double(count) / time)
            Progress.show("\(what): \(Words.count(count, noun)), \(rate) a second …")
        }
    }

    /// Takes the line away.
    func end() { Progress.clear() }
}
