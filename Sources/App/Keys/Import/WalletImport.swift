import Files
import JSON
import KeyVault
import Keys
import OtherWallets
import SecureMemory
import Seeds
import Shell

/// What was done with a key of another wallet.
struct WalletRow {
    enum State: String, CaseIterable {
        /// With --dry-run: the key would be imported.
        case new
        case imported
        /// The vault had it before.
        case known
        case refused
        /// A public key of --find that the words do not have.
        case notFound = "not-found"
        /// A device has the private key.
        case device
    }

    /// The position in the file, from 1; nil for a key that a device has.
    let number: Int?
    let key: PublicKey?
    /// The name that the file gives the key.
    let label: String?
    /// The path from the seed, or in the device.
    let path: String?
    let state: State
    let refusal: Words?

    init(
        _ number: Int?, _ key: PublicKey?, label: String? = nil, path: String? = nil, _ state: State,
        _ refusal: Words? = nil
    ) {
        (self.number, self.key, self.label, self.path) = (number, key, label, path)
        (self.state, self.refusal) = (state, refusal)
    }
}

/// Imports the keys of another wallet in one transaction. Nothing is printed before the commit.
struct WalletImport {
    /// The name of the file in messages.
    let place: String
    /// The label for the only key.
    let label: Label?
    let isDryRun: Bool
    /// Imports the public development key too.
    let isForced: Bool
    /// Imports the other keys of a file if some can't be imported.
    let skipsRefused: Bool

    private(set) var rows: [WalletRow] = []
    private(set) var notes: [String] = []
    private var number = 0
    private var isOfWords = false
    private var hasForeignKeys = false

    init(place: String, label: Label?, isDryRun: Bool, isForced: Bool, skipsRefused: Bool) {
        (self.place, self.label, self.isDryRun) = (place, label, isDryRun)
        (self.isForced, self.skipsRefused) = (isForced, skipsRefused)
    }

    /// An error that ends the import and rolls back every key.
    enum Failure: VaultFailure {
        case vault(VaultError)
        case input(any Error)

        init(vault: VaultError) { self = .vault(vault) }
    }

    // MARK: the keys of a wallet

    /// Adds the keys to a vault.
    mutating func add(_ wallet: borrowing OpenedWallet, to vault: borrowing UnlockedVault) throws {
        if label != nil, wallet.keyCount > 1 { throw CommandError.labelForSeveral }
        if let refused = wallet.summary?.refused.first, !skipsRefused {
            throw CommandError.refusedInWallet(refused.position, refused.reason.words)
        }
        let now = Clock.now
        do throws(Failure) {
            try vault.transaction { (transaction: inout VaultTransaction) throws(Failure) in
                var progress = ProgressCounter(what: "importing", noun: "key")
                defer { progress.end() }
                try transaction.insertingOften { transaction throws(Failure) in
                    do {
                        try wallet.forEachKey { key, label, path in
                            progress.count += 1
                            try insert(key, label, path, at: now, &transaction)
                        }
                    } catch let error as VaultError { throw .vault(error) } catch { throw .input(error) }
                }
            }
        } catch {
            switch error {
            case .vault(let error): throw error
            case .input(let error): throw error
            }
        }
        try addRest(of: wallet)
    }

    /// Lists the keys as an import would, for --dry-run.
    /// - Parameter names: the names in the vault, not verified.
    mutating func list(_ wallet: borrowing OpenedWallet, knowing names: Set<EntryName>) throws {
        if label != nil, wallet.keyCount > 1 { throw CommandError.labelForSeveral }
        try wallet.forEachKey { key, label, path in
            if !isRefused(key.publicKey, label, path) {
                list(key.publicKey, label, path, names.contains(EntryName(key.publicKey)) ? .known : .new)
            }
        }
        try addRest(of: wallet)
    }

    /// Lists one unencrypted key, for --dry-run.
    mutating func list(_ key: borrowing PrivateKey, knowing names: Set<EntryName>) {
        list(key.publicKey, nil, nil, names.contains(EntryName(key.publicKey)) ? .known : .new)
    }

    /// Refuses the development key, whose private key is published.
    private mutating func isRefused(_ key: PublicKey, _ name: String?, _ path: String?) -> Bool {
        guard !isForced, key.text == PublicKey.developmentText else { return false }
        list(key, name, path, .refused, Words(for: CommandError.developmentKey))
        return true
    }

    /// Adds rows and notes for what can't be imported.
    private mutating func addRest(of wallet: borrowing OpenedWallet) throws {
        guard let summary = wallet.summary else {
            isOfWords = true
            rows += wallet.missingKeys.map { WalletRow(nil, $0, .notFound) }
            return
        }
        hasForeignKeys = summary.foreignCount > 0
        rows += summary.refused.map {
            WalletRow($0.position, $0.publicKey, label: $0.label, .refused, $0.reason.words)
        }
        rows += summary.watchOnly.map { WalletRow(nil, $0.publicKey, path: $0.path, .device) }
        if summary.repeated > 0 { notes.append(Words.repeatedKeys(summary.repeated)) }
        if summary.foreignCount > 0 { notes.append(Words.foreignKeys(summary.foreignCount)) }
        if rows.isEmpty { notes.append(Words.noKeysInWallet(place)) }
    }

    private mutating func list(
        _ key: PublicKey, _ label: String?, _ path: String?, _ state: WalletRow.State,
        _ refusal: Words? = nil
    ) {
        number += 1
        rows.append(WalletRow(number, key, label: label, path: path, state, refusal))
    }

    /// Imports one key, or lists why it is not imported.
    private mutating func insert(
        _ key: borrowing PrivateKey, _ name: String?, _ path: String?, at time: Int64,
        _ transaction: inout VaultTransaction
    ) throws {
        if isRefused(key.publicKey, name, path) { return }
        let allowed = name.flatMap { try? Label($0) }
        do throws(VaultError) {
            try transaction.insert(key, label: label ?? allowed, createdAt: time, origin: .imported)
            if label == nil, name != nil, allowed == nil {
                notes.append(Words.labelNotAllowed(key.publicKey))
            }
        } catch {
            switch error {
            case .input(.keyExists): return list(key.publicKey, name, path, .known)
            case .input(.labelExists), .input(.labelAlike):
                guard label == nil else { throw error }
                try transaction.insert(key, label: nil, createdAt: time, origin: .imported)
                notes.append(Words.labelTaken(key.publicKey))
            default: throw error
            }
        }
        list(key.publicKey, name, path, .imported)
    }

    // MARK: output

    /// Prints a table, or an object for each key with --json.
    func print(_ json: JSONOption) throws {
        let text =
            json.isOn
            ? rows.map { Printable.json(Self.object.json($0)) + "\n" }.joined() : WalletTable(rows).text
        let place = isDryRun ? "standard output" : "the keys are in the vault, but standard output"
        try placed(at: place) { try Output.data(text) }
        for note in notes { Messages.note(note) }
        let imported = rows.count { $0.state == .imported }
        if imported > 0 {
            Messages.note(Words.notBackedUp(imported))
            Messages.note(isOfWords ? Words.keepWords : Words.destroyOldCopy)
            if hasForeignKeys { Messages.warning(Words.foreignKeysLeft) }
        }
        if rows.contains(where: { $0.state == .refused || $0.state == .notFound }) { throw ExitStatus.failed }
    }

    static let object = JSONObject<WalletRow>([
        .number("id?", "the position in the file, from 1") { $0.number },
        .text("public_key?", "the key") { $0.key?.text },
        .value("label?", .orNull(.text), "the name that the file gives it, or its label") {
            .string($0.label)
        },
        .text("path?", "its path from the seed, or in the device") { $0.path },
        .text(
            "state?",
            """
            `imported`, `new` (with --dry-run), `known` (the vault had it), `refused`, `not-found` (with --find), or \
            `device` (a device has it)
            """
        ) { $0.state.rawValue },
        .error("error?", "why it was refused") { $0.refusal },
    ])
}

/// The keys of another wallet, as a table.
struct WalletTable {
    private let rows: [WalletRow]

    init(_ rows: [WalletRow]) { self.rows = rows }

    /// A row for each key: the public key, what was done, and the path or the label.
    var text: String {
        let column = rows.map { $0.key?.text.count ?? 0 }.max() ?? 0
        return rows.map { row in
            let name = row.key?.text ?? row.number.map { "key \($0)" } ?? ""
            let more = [row.path, row.label.map { Printable.line($0) }, row.refusal?.message]
            return ([name.padded(to: column), row.state.words] + more.compactMap(\.self))
                .joined(separator: "  ") + "\n"
        }.joined()
    }
}

extension WalletRow.State {
    fileprivate var words: String {
        switch self {
        case .new: "new"
        case .imported: "imported"
        case .known: "already here"
        case .refused: "REFUSED"
        case .notFound: "not found"
        case .device: "in a device"
        }
    }
}
