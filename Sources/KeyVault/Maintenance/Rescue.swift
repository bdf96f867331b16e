import SecureMemory

/// Recovers the keys of a damaged vault in three steps. First, the unlock method opens one of the
/// slots, which yields the master key. Second, the entries are read. If the root of the manifest
/// verifies, exactly the rows that the manifest covers belong to the vault. Where the manifest
/// decides nothing, every row whose own seal verifies is taken. Third, the names of keys whose rows
/// are gone are collected.
///
/// Rows are kept sealed. The number of kept rows that do not open is limited, and so is the work
/// for each page. So a crafted file controls neither memory nor time.
struct Rescue {
    /// A master key from a slot. There are two in a vault whose `rekey` a crash interrupted.
    private struct Opened {
        let vaultID: [UInt8]
        let keys: VaultKeys

        /// The contexts that a row may be sealed under, the newest format version first. A crash
        /// may have interrupted a migration too.
        var contexts: [SealContext] {
            (1...VaultFormat.newestVersion).reversed().map { SealContext(version: $0, vaultID: vaultID, keys: keys) }
        }
    }

    /// An entry whose seal verifies.
    private struct Found {
        var row: EntryRow
        /// The context that opens the entry.
        var context: SealContext
        /// Whether the manifest covers this row.
        let isProved: Bool
        /// Whether another row of the key opens too, with a different label.
        var labelsDisagree = false

        /// Whether the entry is of a vault that has or had a policy.
        var mayHavePolicy: Bool { context.version >= VaultFormat.policyVersion }
    }

    /// The most slots that are tried: eight current ones, and eight from before an interrupted
    /// change.
    private static let maximumTries = 16
    private static let maximumListedLosses = 10_000
    /// The most texts that are decoded as public keys. Further texts that look like public keys are
    /// counted without decoding.
    private static let maximumDecodedNames = 100_000

    /// The first slot that opened.
    let slot: Slot
    /// The number of compared seals. It determines the time of a rescue.
    private(set) var comparedSealCount = 0
    private var contexts: [SealContext]
    private let proof: ManifestProof?
    private var found: [EntryName: Found] = [:]
    private var losses: [EntryName: RescueReport.Reason] = [:]
    private var leftOut: Set<EntryName> = []
    private var namelessLosses = 0
    private var unlistedLosses = 0
    private var decodedNames = 0
    private var report = RescueReport()

    /// - Parameter witness: what this machine has seen of vaults.
    /// - Throws: `wrongUnlockMethod` when no slot accepts the unlock method; `noSlot` when the file
    ///   has no slot of its kind; `kdfCost` when all such slots request more than is allowed; the
    ///   errors of the machine.
    init(
        _ vault: DamagedVault, _ method: borrowing some SlotKeySource & ~Copyable, witness: Witness? = nil
    ) throws(VaultError) {
        // Slots of a journal that anyone may have put there do not displace those of the file.
        var (inFile, inJournal): ([NumberedSlot], [NumberedSlot]) = ([], [])
        var rows: [Manifest] = []
        let kind = method.kind
        try vault.visit { piece, isJournal throws(VaultError) in
            piece.visitSlots(of: kind) { number, slot in
                let candidate = NumberedSlot(number: number, slot: slot)
                if isJournal { Self.add(candidate, to: &inJournal) } else { Self.add(candidate, to: &inFile) }
            }
            piece.visitVaultRows { row in
                if rows.count < Self.maximumTries, !rows.contains(row) { rows.append(row) }
            }
        }
        let opened: [Opened]
        (opened, slot) = try Self.open(inFile, inJournal.filter { !inFile.contains($0) }, method)
        contexts = opened.flatMap(\.contexts)
        proof = vault.proof(contexts, vaultID: opened[0].vaultID)
        // The first row is the journal's: the state of the vault before an unfinished change.
        let row = rows.first { $0.vaultID == opened[0].vaultID }
        report.linkCount = vault.linkCount
        report.hasOtherVault = opened.contains { $0.vaultID != opened[0].vaultID }
        report.isVerified = proof != nil
        report.lacksPinnedABIs = proof.map { !$0.hasAllPinnedABIs } ?? false
        report.archives = proof?.archives() ?? []
        report.entryCount = proof?.manifest.entryCount ?? row?.entryCount
        report.history = Self.history(proof, row, seen: witness, vaultID: opened[0].vaultID)
        takeProved()
        vault.visit { piece, _ in
            piece.visitEntries { entry in take(entry) }
        }
        vault.visit { piece, _ in
            piece.visitNames(unless: isKnown) { name in noteName(name) }
        }
    }

    private static func history(
        _ proof: ManifestProof?, _ row: Manifest?, seen witness: Witness?, vaultID: [UInt8]
    ) -> RescueReport.History {
        guard let witness else { return .unknown }
        do throws(VaultError) {
            guard let seen = try witness.seen(proof?.manifest.vaultID ?? vaultID) else { return .unknown }
            if let proof { return proof.history(seen: seen) }
            guard let row, row.generation < seen.generation else { return .notComparable }
            return .older(found: row.generation, seen: seen.generation)
        } catch { return .notComparable }
    }

    private static func add(_ candidate: NumberedSlot, to candidates: inout [NumberedSlot]) {
        guard candidates.count < 4 * maximumTries, !candidates.contains(candidate) else { return }
        candidates.append(candidate)
    }

    private static func open(
        _ inFile: [NumberedSlot], _ inJournal: [NumberedSlot], _ method: borrowing some SlotKeySource & ~Copyable
    ) throws(VaultError) -> ([Opened], Slot) {
        let kind = method.kind
        let ours = [inFile, inJournal].flatMap { $0.filter { $0.slot.kind == kind }.prefix(maximumTries) }
        var opened: [Opened] = []
        var first: Slot?
        try ours.open(method) { slot, keys in
            if !opened.contains(where: { $0.keys.seal.isEqual(to: keys.seal) }) {
                opened.append(Opened(vaultID: slot.slot.vaultID, keys: keys))
            }
            if first == nil { first = slot.slot }
            return true
        }
        guard let first else {
            guard ours.isEmpty else { throw .input(.wrongUnlockMethod(kind, damagedSlots: [])) }
            throw .input(
                .noSlot(kind, others: Set((inFile + inJournal).map(\.slot.kind)).sorted { $0.number < $1.number }))
        }
        return (opened, first)
    }
}

// MARK: entries

extension Rescue {
    /// Takes the rows that the manifest covers.
    private mutating func takeProved() {
        guard let proof else { return }
        contexts.removeAll { $0.vaultID != proof.manifest.vaultID }
        for name in proof.unreadable { note(name, .malformed) }
        for row in proof.entries.values {
            if row.kind.payload != nil {
                found[row.name] = Found(row: row, context: proof.context, isProved: true)
            } else {
                note(row.name, .unsupportedKind(row.kind.number))
            }
        }
    }

    /// Whether the manifest decides if this key is in the vault.
    private func isDecided(_ name: EntryName) -> Bool { proof?.isDecided(name) ?? false }

    /// - Returns: the number of compared seals.
    private mutating func take(_ entry: ScannedBytes.Entry) -> Int {
        switch entry {
        case .malformed(let name):
            if !(name.map(isDecided) ?? false) { note(name, .malformed) }
            return 0
        case .row(let row):
            let isDecided = isDecided(row.name)
            if let known = found[row.name] { guard !known.isProved, known.row != row else { return 0 } }
            guard row.kind.payload != nil else {
                if !isDecided { note(row.name, .unsupportedKind(row.kind.number)) }
                return 0
            }
            var compared = 0
            for (index, context) in contexts.enumerated() where row.hasDetails(ofVersion: context.version) {
                compared += 1
                guard row.isSealed(context) else { continue }
                if isDecided, !isSealedLater(row) {
                    leaveOut(row.name)
                } else {
                    keep(Found(row: row, context: context, isProved: false))
                }
                // The next row is most likely sealed under the same context.
                contexts.swapAt(0, index)
                comparedSealCount += compared
                return compared
            }
            comparedSealCount += compared
            if !isDecided { note(row.name, .seal) }
            return compared
        }
    }

    /// Whether the row is newer than the proved state. Then the manifest does not decide about it.
    private func isSealedLater(_ row: EntryRow) -> Bool {
        guard let proof, let sealing = row.sealing else { return false }
        return sealing > proof.manifest.generation
    }

    /// Of two rows of a key that both open, the one that was sealed later is kept. A row of an
    /// earlier format version does not contain the generation of its sealing. Of two such rows the
    /// first is kept: it is the journal's, and has the state of the last completed change.
    private mutating func keep(_ new: Found) {
        guard var old = found[new.row.name] else {
            found[new.row.name] = new
            return
        }
        if old.row.label != new.row.label { old.labelsDisagree = true }
        if new.row.sealing ?? -1 > old.row.sealing ?? -1 { (old.row, old.context) = (new.row, new.context) }
        found[new.row.name] = old
    }

    /// Leaves out a row that opens but that the manifest does not cover.
    private mutating func leaveOut(_ name: EntryName) {
        if leftOut.count < Self.maximumListedLosses { leftOut.insert(name) }
    }

    private mutating func note(_ name: EntryName?, _ reason: RescueReport.Reason) {
        guard let name else {
            namelessLosses += 1
            return
        }
        guard found[name] == nil, losses[name] == nil else { return }
        if losses.count < Self.maximumListedLosses { losses[name] = reason } else { unlistedLosses += 1 }
    }

    private func isKnown(_ name: EntryName) -> Bool { found[name] != nil || losses[name] != nil || isDecided(name) }

    /// Notes a text that may be a public key. Decoding is limited, because a crafted file could
    /// request the decoding of a curve point for every such text.
    private mutating func noteName(_ name: EntryName) {
        if decodedNames < Self.maximumDecodedNames {
            decodedNames += 1
            guard name.publicKey != nil else { return }
        }
        note(name, .rowGone)
    }
}

// MARK: the result

extension Rescue {
    /// The entries by time of creation and name.
    private var entries: [Found] {
        found.values.sorted { left, right in
            left.row.createdAt != right.row.createdAt
                ? left.row.createdAt < right.row.createdAt : left.row.name < right.row.name
        }
    }

    /// Puts each key into a new vault. When it is uncertain which key a label belongs to, no key
    /// gets the label: anyone who can write the file can plant an older row that claims it.
    mutating func write(to transaction: inout VaultTransaction) throws(VaultError) -> RescueReport {
        let entries = entries
        var claims: [Label: Int] = [:]
        for entry in entries { if let label = entry.row.label { claims[label, default: 0] += 1 } }
        var used: Set<Label> = []
        for entry in entries {
            guard let secret = try open(entry) else { continue }
            var label = entry.row.label
            var reason = reasonToDrop(entry, claims)
            if let label, used.contains(label) { reason = .ofSeveralKeys }
            if let reason {
                report.droppedLabels.append(RescueReport.DroppedLabel(entry: entry.row.description, reason: reason))
                label = nil
            }
            if let label { used.insert(label) }
            if proof != nil, !entry.isProved { report.unconfirmed.append(entry.row.name) }
            report.rescued.append(
                try transaction.insert(
                    secret, entry.row.name, entry.row.kind, details: entry.row.ownDetails, label: label,
                    createdAt: entry.row.createdAt, origin: .rescued))
        }
        try writePinnedABIs(to: &transaction)
        try writePolicies(to: &transaction)
        try transaction.record(.rescued(count: Int64(report.rescued.count)))
        return finishedReport
    }

    /// Pins the ABIs that the manifest proves. Any other row might be one that was replaced or
    /// removed, and would decode a transaction wrongly.
    private mutating func writePinnedABIs(to transaction: inout VaultTransaction) throws(VaultError) {
        for abi in proof?.pinnedABIs ?? [] {
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.add(abi)
            }
            report.pinnedABIs.append(abi.contract)
        }
    }

    /// Sets the policies that the manifest proves, with what their keys used of the limits. If that
    /// is not proved, or if the vault may have been used after this copy was made, the limits count
    /// as used up.
    private mutating func writePolicies(to transaction: inout VaultTransaction) throws(VaultError) {
        report.lacksPolicies = proof.map { !$0.hasAllPolicies } ?? found.values.contains(where: \.mayHavePolicy)
        guard let proof else { return }
        for policy in proof.policies {
            try transaction.store(policy)
            report.policies.append(policy.subject)
        }
        for (key, uses) in proof.uses { try transaction.add(uses, of: key, keepingFrom: .min) }
        let limited = try transaction.limitedKeys()
        let lost = limited.filter { !proof.provesUses(of: $0) }
        report.lostUses = lost.sorted()
        let usedUp = [.newest, .lastBackup].contains(report.history) ? lost : limited
        try transaction.addRestored(of: usedUp)
        report.usedUp = UsedUpLimits(usedUp, at: try transaction.now())
    }

    /// The format version of the new vault.
    var version: UInt32 { proof?.policies.isEmpty == false ? VaultFormat.policyVersion : VaultFormat.version }

    /// The secret of an entry; nil when it is lost.
    private mutating func open(_ entry: Found) throws(VaultError) -> SecureBytes? {
        do throws(VaultError) { return try entry.row.open(entry.context) } catch {
            guard case .integrity(.entryDamaged(let fault)) = error else { throw error }
            found[entry.row.name] = nil
            note(entry.row.name, fault == .key ? .key : .seal)
            return nil
        }
    }

    private func reasonToDrop(_ entry: Found, _ claims: [Label: Int]) -> RescueReport.DroppedLabel.Reason? {
        guard !entry.isProved else { return nil }
        if let label = entry.row.label {
            switch proof?.owner(of: label) ?? .unknown {
            case .key(entry.row.name): return nil
            case .key, .nobody: return .notInTable
            case .unknown: break
            }
        }
        if entry.labelsDisagree { return .rowsDisagree }
        // An older row may be the only remaining row of its key.
        if proof != nil, entry.row.label != nil { return .notProved }
        guard let label = entry.row.label, claims[label] != 1 else { return nil }
        return .ofSeveralKeys
    }

    var hasKeys: Bool { !found.isEmpty }

    /// The report of everything found so far.
    var finishedReport: RescueReport {
        var report = report
        let named = losses.filter { found[$0.key] == nil }.sorted { $0.key < $1.key }.map {
            RescueReport.Loss(name: $0.key, reason: $0.value)
        }
        let nameless = [RescueReport.Loss](
            repeating: .init(name: nil, reason: .malformed), count: min(namelessLosses, Self.maximumListedLosses))
        report.losses = named + nameless
        report.unlistedLosses = unlistedLosses + namelessLosses - nameless.count
        report.leftOut = leftOut.sorted()
        return report
    }
}
