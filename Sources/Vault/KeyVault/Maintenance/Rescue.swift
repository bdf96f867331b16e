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
    fileprivate struct Opened {
        let slot: Slot
        let keys: VaultKeys

        var vaultID: [UInt8] { slot.vaultID }

        /// The context that a row is sealed under.
        var context: SealContext { SealContext(vaultID: vaultID, keys: keys) }
    }

    /// An entry whose seal verifies.
    private struct Found {
        var row: EntryRow
        /// The context that opens the entry.
        var context: SealContext
        /// True if the manifest covers this row.
        let isProved: Bool
        /// True if another row of the key opens too, with a different label.
        var labelsDisagree = false
    }

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
    /// The greatest last nonces that were found for these credentials. Nothing proves them.
    private var nonces: [EntryName: UInt64] = [:]
    private var losses: [EntryName: RescueReport.Reason] = [:]
    private var leftOut: Set<EntryName> = []
    private var namelessLosses = 0
    private var unlistedLosses = 0
    private var decodedNames = 0
    private var report = RescueReport()

    /// - Parameters:
    ///   - witness: the state file of this machine.
    ///   - progress: is called for each slot outside of the tables, until one opens.
    /// - Throws: `wrongUnlockMethod` when no slot accepts the unlock method, after all were tried;
    ///   `noSlot` when the file has no slot of its kind; `kdfCost` when no slot opens and one
    ///   requests more than is allowed; the errors of the machine.
    init(
        _ vault: DamagedVault, _ method: borrowing some SlotKeySource & ~Copyable, witness: Witness? = nil,
        progress: SlotProgress = { _, _ in }
    ) throws(VaultError) {
        let trial = try Self.open(vault, method, progress)
        let opened = trial.opened
        slot = opened[0].slot
        contexts = trial.contexts
        proof = trial.proof
        report.unlockMethod = slot.kind
        report.unsupported.slots = trial.unsupportedSlotCount
        let row = proof == nil ? Self.vaultRow(of: opened[0].vaultID, in: vault) : nil
        report.linkCount = vault.linkCount
        report.hasOtherVault = opened.contains { $0.vaultID != opened[0].vaultID }
        report.isVerified = proof != nil
        report.incompleteTables = Self.incompleteTables(proof)
        report.lacksNamedChains = proof?.isWhole(.settings) != true
        report.archives = proof?.archives() ?? []
        report.entryCount = proof?.manifest.entryCount ?? row?.entryCount
        report.history = Self.history(proof, row, seen: witness, vaultID: opened[0].vaultID)
        takeProved()
        vault.visit { piece, _ in
            piece.visitEntries { entry, _ in take(entry) }
        }
        vault.visit { piece, _ in
            piece.visitNames(unless: isKnown) { name in noteName(name) }
            if found.values.contains(where: { $0.row.kind == .credential }) {
                piece.visitNonces { nonce in
                    guard found[nonce.credential] != nil else { return }
                    nonces[nonce.credential] = max(nonces[nonce.credential] ?? 0, nonce.last)
                }
            }
        }
    }

    /// The tables with rows that are not proved, although the new vault should have them.
    private static func incompleteTables(_ proof: ManifestProof?) -> Set<VaultTable> {
        Set(
            VaultTable.inManifest.filter { table in
                table.contents.contains { $0.isRecovered } && proof?.isWhole(table) != true
            })
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
}

// MARK: slots

extension Rescue {
    /// The results of the tried slots.
    fileprivate struct Trial {
        /// The different master keys, in the order in which they were found.
        var opened: [Opened] = []
        var refusals = SlotRefusals()
        var proof: ManifestProof?
        /// The number of slots of kinds that this version does not support.
        var unsupportedSlotCount = 0

        var contexts: [SealContext] { opened.map(\.context) }

        /// Tries a slot. Only the limits of one derivation apply. A limit for all slots together
        /// would let planted slots hide the real one.
        /// - Returns: true if the slot yielded another master key.
        /// - Throws: an error of a device, after which no other slot can be tried.
        mutating func attempt(_ candidate: NumberedSlot, _ method: borrowing some SlotKeySource & ~Copyable)
            throws(VaultError) -> Bool
        {
            do throws(VaultError) {
                var budget = KDFBudget()
                let secret = try candidate.slot.secret(of: method, &budget)
                guard let master = try candidate.slot.open(under: secret, number: candidate.number) else {
                    return false
                }
                let keys = try VaultKeys(master: master)
                for other in opened where try other.keys.isEqual(to: keys) { return false }
                opened.append(Opened(slot: candidate.slot, keys: keys))
                return true
            } catch {
                try refusals.add(error)
                return false
            }
        }

        mutating func prove(_ vault: DamagedVault) {
            guard let first = opened.first else { return }
            proof = vault.proof(contexts, vaultID: first.vaultID)
        }
    }

    /// Tries the slots of the tables, then the others: all of them, unless the key of one of them
    /// proves the vault.
    private static func open(
        _ vault: DamagedVault, _ method: borrowing some SlotKeySource & ~Copyable, _ progress: SlotProgress
    ) throws(VaultError) -> Trial {
        let slots = RescueSlots(of: vault, method.kind)
        var trial = Trial(unsupportedSlotCount: slots.unsupportedCount)
        do throws(VaultError) { try trial.attempt(slots, of: vault, method, progress) } catch {
            // A device that fails later does not take back what it has opened.
            guard !trial.opened.isEmpty else { throw error }
            trial.prove(vault)
        }
        guard trial.opened.isEmpty else { return trial }
        if let refusal = trial.refusals.first { throw refusal }
        guard slots.inTables.isEmpty, slots.otherCount == 0 else {
            throw .input(.wrongUnlockMethod(method.kind, damagedSlots: []))
        }
        throw .input(.noSlot(method.kind, others: slots.kinds.sorted { $0.number < $1.number }))
    }
}

extension Rescue.Trial {
    /// The most slots outside of the tables that are tried after a slot opened whose key proves the
    /// vault. They only show that the file has rows of another vault too.
    private static let maximumExtraTries = 16

    /// Tries the slots of the tables, then the others. A device is asked no more once a key proves
    /// the vault.
    fileprivate mutating func attempt(
        _ slots: RescueSlots, of vault: DamagedVault, _ method: borrowing some SlotKeySource & ~Copyable,
        _ progress: SlotProgress
    ) throws(VaultError) {
        for slot in slots.inTables where !method.kind.storesDetails || opened.isEmpty {
            _ = try attempt(slot, method)
        }
        prove(vault)
        var extra = KDFBudget()
        for index in 0..<slots.otherCount {
            if opened.isEmpty { progress(index, slots.otherCount) }
            guard let slot = slots.other(index) else { continue }
            if proof != nil {
                guard index < Self.maximumExtraTries, !method.kind.storesDetails,
                    let cost = try? slot.slot.derivation?.cost() ?? .leastInsecure,
                    (try? extra.spend(cost)) != nil
                else { break }
            }
            if try attempt(slot, method), proof == nil { prove(vault) }
        }
    }
}

// MARK: entries

extension Rescue {
    /// Takes the rows that the manifest covers.
    private mutating func takeProved() {
        guard let proof else { return }
        contexts.removeAll { $0.vaultID != proof.manifest.vaultID }
        let entries = proof.contents.first(Entries.self)
        for name in entries.unreadable { note(name, .malformed) }
        for row in entries.entries {
            found[row.name] = Found(row: row, context: proof.context, isProved: true)
        }
    }

    /// True if the manifest decides whether this key is in the vault.
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
            var compared = 0
            for (index, context) in contexts.enumerated() where row.hasValidDetails {
                compared += 1
                guard (try? row.isSealed(context)) == true else { continue }
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

    /// True if the row is newer than the proved state. Then the manifest does not decide about it.
    private func isSealedLater(_ row: EntryRow) -> Bool {
        guard let proof, let sealing = row.sealing else { return false }
        return sealing > proof.manifest.generation
    }

    /// Of two rows of a key that both open, the one that was sealed later is kept.
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

    private func isKnown(_ name: EntryName) -> Bool {
        found[name] != nil || losses[name] != nil || isDecided(name)
    }

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
                report.droppedLabels.append(
                    RescueReport.DroppedLabel(entry: entry.row.description, reason: reason))
                label = nil
            }
            if let label { used.insert(label) }
            if entry.row.kind.payload == nil { report.unsupported.entries += 1 }
            if proof != nil, !entry.isProved { report.unconfirmed.append(entry.row.name) }
            report.rescued.append(
                try transaction.insert(
                    secret, entry.row.name, entry.row.kind, details: entry.row.ownDetails,
                    lastNonce: lastNonce(of: entry),
                    label: label, createdAt: entry.row.createdAt, origin: .rescued))
        }
        if let proof {
            for content in proof.contents { try content.recover(proof, to: &transaction, &report) }
        }
        try transaction.record(.rescued(count: Int64(report.rescued.count)))
        return finishedReport
    }

    /// The last nonce of a credential: the proved one, or the greatest one that was found. A nonce
    /// that is too low is refused by the service, so the greatest one is the safe choice.
    private func lastNonce(of entry: Found) -> UInt64? {
        guard entry.row.kind == .credential else { return nil }
        return proof?.lastNonce(of: entry.row.name) ?? nonces[entry.row.name] ?? 0
    }

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
            repeating: .init(name: nil, reason: .malformed),
            count: min(namelessLosses, Self.maximumListedLosses))
        report.losses = named + nameless
        report.unlistedLosses = unlistedLosses + namelessLosses - nameless.count
        report.leftOut = leftOut.sorted()
        return report
    }
}
