import Glibc
import Keys
import Synchronization
import TestSupport
import Testing

@testable import KeyVault

/// Eight processes use one vault. No change is lost, no process waits forever, and every refusal
/// has a documented reason.
struct CrowdTests {
    @Test func losesNoChange() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...3)
        let seconds = Torture.pick(short: 0, long: 60, variable: "SECONDS")
        let crowd = Crowd(bench, until: Torture.isLong ? .after(.seconds(seconds)) : .each(2))
        onThreads(8) { crowd.work($0) }
        let tally = crowd.tally.withLock { $0 }

        #expect(tally.failures == [])
        for kind in Crowd.Kind.allCases { #expect(tally.done[kind, default: 0] > 0, "no \(kind.rawValue)") }
        let pin = String(decoding: try Files.read(bench.folder.path + "/" + tally.pin), as: UTF8.self)
        let snapshot = try TrialVault.snapshot(at: bench.vault, with: pin)
        let initial = try (UInt8(1)...3).map(Workbench.name)
        #expect(Set(snapshot.entries.map(\.name.text)) == tally.imported.union(initial))
        #expect(
            snapshot.events.count { if case .imported = $0 { true } else { false } } == tally.imported.count
                + initial.count)
        #expect(
            snapshot.events.count { if case .signed = $0 { true } else { false } } == tally.done[.signing])
        #expect(
            snapshot.events.count { if case .slotChanged = $0 { true } else { false } }
                == tally.done[.changingPIN])
        #expect(Files.names(in: bench.folder.path + "/data") == ["vault.db"])

        let done = Crowd.Kind.allCases.map { "\(tally.done[$0, default: 0]) \($0.rawValue)" }.joined(
            separator: ", ")
        Torture.report("crowd: 8 processes, \(seconds) s: \(done)")
        let refused = tally.refused.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
            separator: ", ")
        Torture.report("crowd: refused: \(refused.isEmpty ? "none" : refused)")
    }
}

/// Runs the processes and counts the results.
private final class Crowd: Sendable {
    enum Kind: String, CaseIterable {
        case importing = "import"
        case signing = "sign"
        case listing = "list"
        case changingPIN = "pin change"
    }

    struct Tally {
        /// The file of the last acknowledged PIN, the number of acknowledged PIN changes, and the
        /// number of PIN changes in progress.
        var pin = "old"
        var pinChanges = 0
        var pinChangesUnderWay = 0
        var imported: Set<String> = []
        var done: [Kind: Int] = [:]
        /// Counts by kind and code.
        var refused: [String: Int] = [:]
        /// Unexpected results.
        var failures: [String] = []
    }

    /// The condition for the end of the run.
    enum End {
        case after(Duration)
        /// After this many successes of each kind, or after a failure.
        case each(Int)
    }

    let tally = Mutex(Tally())
    private let end: End
    private let start = ContinuousClock.now
    private let program: Program
    private let folder: String

    init(_ bench: Workbench, until end: End) {
        self.end = end
        program = bench.program
        folder = bench.folder.path
    }

    private var isOver: Bool {
        switch end {
        case .after(let duration): start.duration(to: .now) >= duration
        case .each(let count):
            tally.withLock { tally in
                !tally.failures.isEmpty || Kind.allCases.allSatisfy { tally.done[$0, default: 0] >= count }
            }
        }
    }

    /// Runs one process after the other until the end.
    func work(_ worker: Int) {
        var dice = SplitMix(seed: UInt64(worker))
        var number = 0
        while !isOver {
            number += 1
            // The first two workers change the PIN, at first at the same time.
            let isChange = worker < 2 && number % Torture.pick(short: 6, long: 40) == 1
            let kind =
                isChange
                ? Kind.changingPIN : [.importing, .signing, .listing].randomElement(using: &dice) ?? .listing
            do { try run(kind, "\(worker) \(number)") } catch {
                tally.withLock { $0.failures.append("\(error)") }
            }
        }
    }

    private func run(_ kind: Kind, _ name: String) throws {
        let (pin, changes) = tally.withLock { tally in
            tally.pinChangesUnderWay += kind == .changingPIN ? 1 : 0
            return (tally.pin, tally.pinChanges)
        }
        let newPIN = "pin \(name)"
        if kind == .changingPIN {
            try Files.write(Array("the PIN of \(name)".utf8), to: folder + "/" + newPIN)
        }
        let run = try program.run(
            arguments(kind, name, pin, newPIN) + ["--vault", "data/vault.db"],
            input: kind == .importing ? key(name) : "",
            death: .after(SafetyLimit.microseconds))
        var isWrongPIN = false
        tally.withLock { tally in
            let mayBeStale = tally.pinChangesUnderWay > 0 || tally.pinChanges != changes
            tally.pinChangesUnderWay -= kind == .changingPIN ? 1 : 0
            switch run.status {
            case 0:
                tally.done[kind, default: 0] += 1
                if kind == .importing { tally.imported.insert(String(run.output.dropLast())) }
                if kind == .changingPIN {
                    if tally.pin != pin {
                        tally.failures.append("a PIN change with a stale PIN was accepted")
                    }
                    tally.pin = newPIN
                    tally.pinChanges += 1
                }
            case 1, 75, 77:
                let code = Self.code(of: run.error)
                tally.refused["\(kind.rawValue): \(code)", default: 0] += 1
                let isDocumented =
                    code == "busy" || code == "wrong PIN" && mayBeStale
                    || code == "slot changed" && kind == .changingPIN
                if !isDocumented { tally.failures.append("\(kind.rawValue): \(run.error)") }
                isWrongPIN = code == "wrong PIN"
            case let status:
                tally.failures.append(
                    "\(kind.rawValue): status \(status.map(String.init) ?? "none, did not end"): \(run.error)"
                )
            }
        }
        if isWrongPIN, !Torture.isLong { forgetWrongTries() }
    }

    /// Clears the counter of wrong PINs: in the short form, no process then waits up to half a
    /// minute after a stale PIN. If another process holds the vault, nothing changes.
    private func forgetWrongTries() {
        try? FailedUnlocks.clear(in: TrialVault.open(folder + "/data/vault.db").connection)
    }

    private func arguments(_ kind: Kind, _ name: String, _ pin: String, _ newPIN: String) -> [String] {
        switch kind {
        case .importing: ["import", "-", "--label", "key of \(name)", "--pin-file", pin]
        case .signing: Command.signing(2).arguments(pin: pin)
        case .listing: ["list"]
        case .changingPIN: ["pin", "change", "--pin-file", pin, "--new-pin-file", newPIN]
        }
    }

    /// A unique key for each name.
    private func key(_ name: String) -> String {
        let parts = name.split(separator: " ").compactMap { Int($0) }
        return Workbench.text(of: 1_000_000 * (parts[0] + 1) + parts[1])
    }

    private static func code(of error: String) -> String {
        if error.contains("another process is using the vault") { return "busy" }
        if error.contains("error: wrong PIN") { return "wrong PIN" }
        if error.contains("changed the slot") { return "slot changed" }
        return "other"
    }
}

/// Runs `body` on `count` threads at once and waits for all of them.
func onThreads(_ count: Int, _ body: @Sendable @escaping (Int) -> Void) {
    let threads = (0..<count).map { number in TestThread { body(number) } }
    for thread in threads { thread.join() }
}
