import TestSupport
import Testing

@testable import KeyVault

/// Power that goes at any moment of a change: what was acknowledged is there, nothing half-done is,
/// and the vault opens.
struct PowerLossTests {
    /// States made at each moment, besides those where all and where nothing of what was not synced
    /// is left; 0 for one state alone.
    private let subsets = Torture.pick(short: 0, long: 12, variable: "SUBSETS")
    /// One state in so many is cut once more, at each moment of its recovery.
    private let nested = Torture.pick(short: 40, long: 25)

    @Test(arguments: Deed.allCases)
    func losesNothing(_ deed: Deed) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.look(at: path)
        try Files.fill(folder.path, with: contents)
        let changes = try Self.changes(in: folder.path) { try deed.perform(at: path) }
        let after = try TrialVault.look(at: path)
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
        // It is acknowledged when nothing of it can be lost any more.
        #expect(cut.isSettled)
        // Both ends were seen, so the moment between them was.
        #expect(trial.seen == [true, true])
        let syncs = changes.filter(\.isSync).count
        Torture.report(
            "power loss, \(deed.rawValue): \(changes.count) changes of the disk, \(syncs) syncs among them; \(trial.figures)"
        )
    }

    /// The proof can fail: without EXTRA the acknowledged change rolls back, and without any sync
    /// the vault is torn.
    @Test(arguments: ["FULL", "OFF"])
    func findsWhatIsNotSynced(_ synchronous: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.look(at: path)
        var cut = PowerCut(contents: contents)
        let changes = try Self.changes(in: folder.path) {
            let vault = try TrialVault.open(path).unlock(TrialVault.pin(TrialVault.oldPIN))
            try vault.vault.connection.run("PRAGMA synchronous = \(synchronous)")
            try vault.insert(TrialVault.key(100), label: nil, createdAt: TrialVault.time)
        }
        changes.forEach { cut.apply($0) }
        #expect(!cut.isSettled)
        try Files.fill(folder.path, with: cut.nothing())
        #expect(try TrialVault.look(at: path) == before)
        guard synchronous == "OFF" else { return }
        var dice = SplitMix(seed: 7)
        var torn = 0
        for _ in 0..<20 {
            try Files.fill(folder.path, with: cut.something(&dice))
            do { _ = try TrialVault.look(at: path) } catch is VaultError { torn += 1 }
        }
        #expect(torn > 0)
    }

    private static func changes(in folder: String, _ body: () throws -> Void) throws -> [Disk.Change] {
        let disk = try Disk(folder: folder)
        try body()
        return disk.changes
    }
}

/// Puts one state after another into a folder and looks at the vault in it.
private struct Trial {
    let folder: String
    var dice: SplitMix
    let nested: Int
    private(set) var states = 0
    private(set) var recoveries = 0
    private(set) var nestedStates = 0
    /// Whether the vault was seen as before, and as after.
    private(set) var seen = [false, false]

    var figures: String {
        "\(states) states, \(recoveries) with a journal played back, \(nestedStates) cut again while that was going on"
    }

    init(folder: String, dice: SplitMix, nested: Int) {
        self.folder = folder
        self.dice = dice
        self.nested = nested
    }

    mutating func tryAll(_ cut: PowerCut, _ subsets: Int, expecting sights: [TrialVault.Sight], at place: String) throws
    {
        guard !cut.isSettled else { return try tryOne(cut.everything(), expecting: sights, at: place) }
        guard subsets > 0 else { return try tryOne(cut.something(&dice), expecting: sights, at: place) }
        try tryOne(cut.nothing(), expecting: sights, at: place)
        try tryOne(cut.everything(), expecting: sights, at: place)
        for _ in 0..<subsets { try tryOne(cut.something(&dice), expecting: sights, at: place) }
    }

    private mutating func tryOne(_ contents: [String: [UInt8]], expecting sights: [TrialVault.Sight], at place: String)
        throws
    {
        states += 1
        let changes = try look(contents, expecting: sights, at: place)
        // Deleting a journal that is worth nothing is no recovery.
        guard changes.contains(where: \.isWriteToVault) else { return }
        recoveries += 1
        guard recoveries.isMultiple(of: nested) else { return }
        var cut = PowerCut(contents: contents)
        for change in changes {
            cut.apply(change)
            for contents in [cut.nothing(), cut.something(&dice)] {
                nestedStates += 1
                _ = try look(contents, expecting: sights, at: place + ", in the recovery")
            }
        }
    }

    /// - Returns: what looking changed on the disk.
    private mutating func look(
        _ contents: [String: [UInt8]], expecting sights: [TrialVault.Sight], at place: String
    ) throws -> [Disk.Change] {
        try Files.fill(folder, with: contents)
        let disk = try Disk(folder: folder)
        do {
            let sight = try TrialVault.look(at: folder + "/vault.db")
            let index = sights.firstIndex(of: sight)
            #expect(index != nil, "at \(place) the vault is neither as before nor as after: \(sight)")
            if let index { seen[sights.count == 2 ? index : (place == "the start" ? 0 : 1)] = true }
        } catch {
            Issue.record("at \(place): \(error), with \(contents.mapValues(\.count))")
        }
        let changes = disk.changes
        // A journal that is worth nothing may stay until the next change, which works as ever.
        if states.isMultiple(of: 5) {
            let pin = try TrialVault.look(at: folder + "/vault.db").pin
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
