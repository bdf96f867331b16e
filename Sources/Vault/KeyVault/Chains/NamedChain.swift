import Codecs
import Transactions

/// A chain and the name that the vault gives it: a setting (VaultFormat.md, "Settings").
///
/// It is verified unless the name of the function that returned it contains `unverified`.
package struct NamedChain: Equatable, Sendable {
    /// The most names in a vault.
    package static let maximumCount = 256

    package let id: ChainID
    package let name: ChainName
    /// Seconds since 1970.
    package let namedAt: Int64

    /// - Throws: `timeOutOfRange`.
    package init(_ id: ChainID, _ name: ChainName, namedAt: Int64) throws(VaultError) {
        guard VaultFormat.allowedTimes.contains(namedAt) else { throw .machine(.timeOutOfRange) }
        (self.id, self.name, self.namedAt) = (id, name, namedAt)
    }

    // MARK: the setting

    private static let prefix = "chain:"
    private static let version: UInt8 = 1

    static func settingName(_ id: ChainID) -> String { prefix + id.text }

    var setting: SettingRow {
        SettingRow(
            rowName: Self.settingName(id), value: [Self.version] + namedAt.littleEndianBytes + name.text.utf8)
    }

    /// - Returns: nil for another setting.
    /// - Throws: `damaged(.row(.settings))` for a value that no writer of this version produces.
    init?(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let setting = row.text(0), setting.utf8.starts(with: Self.prefix.utf8),
            let id = try? ChainID(bytes: Hex.decode(setting.dropFirst(Self.prefix.count))),
            // The chain id in upper case is another setting.
            Self.settingName(id) == setting
        else { return nil }
        do {
            let (time, text) = try ByteReader.readStored(row.blob(1) ?? [], version: Self.version) {
                reader throws(AuditEvent.BodyError) in
                let time = try reader.readTime()
                return (time, String(validating: try reader.read(reader.remaining), as: UTF8.self))
            }
            let name = try AuditEvent.BodyError.expect(text.flatMap(ChainName.init(stored:)))
            try self.init(id, name, namedAt: time)
        } catch { throw .damaged(.settings) }
    }
}

/// The names of the chains, in the order of the chain ids.
struct NamedChains: TableContent {
    static let table = VaultTable.settings

    private(set) var all: [NamedChain] = []

    var rows: [any TableRow] { all.map(\.setting) }

    /// - Throws: `damaged(.row(.settings))`, also for a name that another chain has.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let chain = try NamedChain(row) else { return }
        guard all.count < NamedChain.maximumCount, !all.contains(where: { $0.name == chain.name }) else {
            throw .damaged(.settings)
        }
        all.append(chain)
    }

    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {
        for chain in all {
            try transaction.set(chain.setting.rowName, to: chain.setting.value)
        }
        report.namedChains = all
    }
}

extension ChainNames {
    package init(_ chains: [NamedChain]) { self.init(chains.map { ($0.name.text, $0.id) }) }
}
