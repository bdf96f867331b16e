/// Shows a growing count and its rate, only on a terminal.
struct ProgressCounter {
    let what: String
    let noun: String
    let isShown = Progress.isShown
    private(set) var pace = Progress.Pace()

    var count = 0 {
        didSet {
            // Reading the clock is a system call, so it is read for every 64th item only.
            guard isShown, count.isMultiple(of: 64), pace.isDue else { return }
            let rate = Int(Double(count) / pace.written)
            Progress.show("\(what): \(Words.count(count, noun)), \(rate) per second …")
        }
    }

    /// Clears the line.
    func end() { Progress.clear() }
}
