/// Shows a growing count and its rate, only on a terminal.
package struct ProgressCounter {
    private let what: String
    private let noun: String
    private let isShown = Progress.isShown
    private var pace = Progress.Pace()

    package init(what: String, noun: String) { (self.what, self.noun) = (what, noun) }

    package var count = 0 {
        didSet {
            // Reading the clock is a system call, so it is read for every 64th item only.
            guard isShown, count.isMultiple(of: 64), pace.isDue else { return }
            let rate = Int(Double(count) / pace.written)
            Progress.show("\(what): \(Words.count(count, noun)), \(rate) per second …")
        }
    }

    /// Clears the line.
    package func end() { Progress.clear() }
}
