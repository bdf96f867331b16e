import Scanning
import Shell

/// Shows the number of read pictures and of missing codes while the program reads.
final class ScanProgress {
    private var shown = ""

    func show(_ pictures: Int, _ collector: ScanCollector, waiting: Bool) {
        guard Progress.isShown else { return }
        var text = "\(pictures) \(pictures == 1 ? "picture" : "pictures") read, "
        if let missing = collector.missing {
            text += "\(missing.codes) of \(missing.total) codes missing …"
        } else if !collector.messages.isEmpty {
            text += "a message is complete …"
        } else {
            text += waiting ? "waiting for pictures with codes …" : "no part of a message yet …"
        }
        guard text != shown else { return }
        shown = text
        Progress.show(text)
    }

    func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        Progress.clear()
    }
}
