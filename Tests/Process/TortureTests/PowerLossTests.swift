import TestSupport
import Testing

@testable import KeyVault

/// Simulates power loss at every moment of a change. Acknowledged changes are present, no change is
/// half-done, and the vault opens.
struct PowerLossTests {
    /// The number of random states at each moment, in addition to the states with all and with none
    /// of the unsynced changes; 0 for a single state.
    private let subsets = Torture.pick(short: 0, long: 12, variable: "SUBSETS")
    /// Every `nested`-th recovery is itself interrupted, at each moment.
    private let nested = Torture.pick(short: 40, long: 25)

    @Test(arguments: VaultOperation.allCases)
    func losesNothing(_ operation: VaultOperation) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.snapshot(at: path)
        try Files.fill(folder.path, with: contents)
        let changes = try Self.changes(in: folder.path) { try operation.perform(at: path) }
        let after = try TrialVault.snapshot(at: path)
        #expect(before != after)

        var trial = Trial(folder: folder.path, dice: SplitMix(seed: 4), nested: nested)
        var cut = PowerCut(contents: contents)
        try trial.tryAll(cut, subsets, expecting: [before], at: "the start")
        for (index, change) in changes.enumerated() {
            cut.apply(change)
            let isLast = index == changes.count - 1
            try trial.tryAll(
                cut, subsets, expecting: isLast ? [after] : [before, after],
                at: "change \(index + 1) of \(changes.count)")
        }
        // The change is acknowledged only when none of it can be lost any more.
        #expect(cut.isSettled)
        // Both results occurred, so the moment between them was tested.
        #expect(trial.seen == [true, true])
        let syncs = changes.filter(\.isSync).count
        Torture.report(
            "power loss, \(operation.rawValue): \(changes.count) disk changes (\(syncs) syncs); \(trial.figures)"
        )
    }

    /// Checks that the test detects missing syncs: without EXTRA the acknowledged change rolls
    /// back, and without any sync the vault is torn.
    @Test(arguments: ["FULL", "OFF"])
    func findsWhatIsNotSynced(_ synchronous: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.snapshot(at: path)
        var cut = PowerCut(contents: contents)
        let changes = try Self.changes(in: folder.path) {
            let vault = try TrialVault.open(path).unlock(TrialVault.pin(TrialVault.oldPIN))
            try vault.vault.connection.run("PRAGMA synchronous = \(synchronous)")
            try vault.insert(TrialVault.key(100), label: nil, createdAt: TrialVault.time)
        }
        changes.forEach { cut.apply($0) }
        #expect(!cut.isSettled)
        try Files.fill(folder.path, with: cut.nothing())
        #expect(try TrialVault.snapshot(at: path) == before)
        guard synchronous == "OFF" else { return }
        var dice = SplitMix(seed: 7)
        var torn = 0
        for _ in 0..<20 {
            try Files.fill(folder.path, with: cut.something(&dice))
            do { _ = try TrialVault.snapshot(at: path) } catch is VaultError { torn += 1 }
        }
        #expect(torn > 0)
    }

    private static func changes(in folder: String, _ body: () throws -> Void) throws -> [Disk.Change] {
        let disk = try Disk(folder: folder)
        try body()
        return disk.changes
    }
}

/// Writes one state after another to a folder and inspects the vault in it.
private struct Trial {
    let folder: String
    var dice: SplitMix
    let nested: Int
    private(set) var states = 0
    private(set) var recoveries = 0
    private(set) var nestedStates = 0
    /// Whether the state before and the state after the change occurred.
    private(set) var seen = [false, false]

    var figures: String {
        "\(states) states, \(recoveries) with a journal rollback, \(nestedStates) interrupted during the rollback"
    }

    init(folder: String, dice: SplitMix, nested: Int) {
        self.folder = folder
        self.dice = dice
        self.nested = nested
    }

    mutating func tryAll(
        _ cut: PowerCut, _ subsets: Int, expecting snapshots: [TrialVault.Snapshot], at place: String
    )
        throws
    {
        guard !cut.isSettled else { return try tryOne(cut.everything(), expecting: snapshots, at: place) }
        guard subsets > 0 else { return try tryOne(cut.something(&dice), expecting: snapshots, at: place) }
        try tryOne(cut.nothing(), expecting: snapshots, at: place)
        try tryOne(cut.everything(), expecting: snapshots, at: place)
        for _ in 0..<subsets { try tryOne(cut.something(&dice), expecting: snapshots, at: place) }
    }

    private mutating func tryOne(
        _ contents: [String: [UInt8]], expecting snapshots: [TrialVault.Snapshot], at place: String
    )
        throws
    {
        states += 1
        let changes = try inspect(contents, expecting: snapshots, at: place)
        // Deleting an invalid journal is no recovery.
        guard changes.contains(where: \.isWriteToVault) else { return }
        recoveries += 1
        guard recoveries.isMultiple(of: nested) else { return }
        var cut = PowerCut(contents: contents)
        for change in changes {
            cut.apply(change)
            for contents in [cut.nothing(), cut.something(&dice)] {
                nestedStates += 1
                _ = try inspect(contents, expecting: snapshots, at: place + ", during recovery")
            }
        }
    }

    /// - Returns: the disk changes that the inspection made.
    private mutating func inspect(
        _ contents: [String: [UInt8]], expecting snapshots: [TrialVault.Snapshot], at place: String
    ) throws -> [Disk.Change] {
        try Files.fill(folder, with: contents)
        let disk = try Disk(folder: folder)
        do {
            let snapshot = try TrialVault.snapshot(at: folder + "/vault.db")
            let index = snapshots.firstIndex(of: snapshot)
            #expect(index != nil, "at \(place) the vault is neither as before nor as after: \(snapshot)")
            if let index { seen[snapshots.count == 2 ? index : (place == "the start" ? 0 : 1)] = true }
        } catch {
            Issue.record("at \(place): \(error), with \(contents.mapValues(\.count))")
        }
        let changes = disk.changes
        // An invalid journal may remain until the next change, which must work as usual.
        if states.isMultiple(of: 5) {
            let pin = try TrialVault.snapshot(at: folder + "/vault.db").pin
            try TrialVault.open(folder + "/vault.db").unlock(TrialVault.pin(pin))
                .insert(TrialVault.key(200), label: nil, createdAt: TrialVault.time)
            #expect(Files.names(in: folder) == ["vault.db"], "at \(place)")
        }
        return changes
    }
}

extension Disk.Change {
    fileprivate var isSync: Bool {
        switch self {
        case .sync, .syncFolder: true
        default: false
        }
    }

    fileprivate var isWriteToVault: Bool {
        if case .write("vault.db", _, _) = self { true } else { false }
    }
}
