import Codecs

/// An ABI that the vault pins for a contract: a row of the table `abis`.
///
/// The vault stores the bytes and does not interpret them. It is verified unless the name of the
/// function that returned it contains `unverified`.
package struct PinnedABI: TableRow, Equatable, Sendable {
    /// The most bytes of a raw form. A transaction of a chain has at most half of this.
    package static let maximumSize = 1 << 20
    /// The most pinned ABIs of a vault.
    package static let maximumCount = 1_024
    /// The most bytes of all raw forms together. A review reads all ABIs of its chain.
    package static let maximumTotalSize = 32 << 20

    package let contract: ContractAddress
    /// Seconds since 1970.
    package let pinnedAt: Int64
    /// The raw form, byte for byte.
    package let raw: [UInt8]

    /// The SHA-256 of the raw form, by which chains identify the ABI.
    package var hash: [UInt8] { HashFunction.sha256.hash(raw) }

    /// - Throws: `pinnedABISize`, `timeOutOfRange`.
    package init(_ contract: ContractAddress, raw: [UInt8], pinnedAt: Int64) throws(VaultError) {
        guard (1...Self.maximumSize).contains(raw.count) else {
            throw .input(.tooLarge(.pinnedABI, maximum: Self.maximumSize))
        }
        guard VaultFormat.allowedTimes.contains(pinnedAt) else { throw .machine(.timeOutOfRange) }
        self.contract = contract
        self.raw = raw
        self.pinnedAt = pinnedAt
    }

    // MARK: the row

    static let table = VaultTable.abis
    private static let version: UInt8 = 1
    /// The bytes of a value before the raw form: the version and the time.
    private static let headCount = 9

    /// Reads a row (VaultFormat.md, "Pinned ABIs").
    /// - Returns: nil for a row with another name, which this version does not interpret.
    /// - Throws: `damaged(.row(.abis))` for a value that no writer of this version produces.
    package static func read(name: String, value: [UInt8]) throws(VaultError) -> PinnedABI? {
        guard let contract = ContractAddress(rowName: name) else { return nil }
        guard value.count > headCount, value[0] == version else { throw .damaged(.abis) }
        let time = value[1..<headCount].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        do throws(VaultError) {
            return try PinnedABI(contract, raw: Array(value[headCount...]), pinnedAt: Int64(bitPattern: time))
        } catch { throw .damaged(.abis) }
    }

    package var rowName: String { contract.rowName }

    package var value: [UInt8] { [Self.version] + pinnedAt.littleEndianBytes + raw }

    var values: [SQLiteValue] { [.blob(value)] }
}

/// Collects the pinned ABIs of rows, in the order of the file, within the limits of the format.
struct PinnedABIRows: TableContent {
    static let table = VaultTable.abis
    static let isRecovered = true

    /// Only the ABIs of this chain; nil for all.
    private let chain: [UInt8]?
    private(set) var abis: [PinnedABI] = []
    private var size = 0

    init() { self.init(of: nil) }

    init(of chain: [UInt8]?) { self.chain = chain }

    /// - Parameter row: a row with its bucket and all columns.
    /// - Throws: `damaged(.row(.abis))`.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let name = row.text(1), row.integer(0) == Int64(VaultTable.abis.bucket(of: name)) else {
            throw .damaged(.abis)
        }
        guard let contract = ContractAddress(rowName: name), chain == nil || contract.chain == chain else {
            return
        }
        guard abis.count < PinnedABI.maximumCount, let value = row.blob(2),
            let abi = try PinnedABI.read(name: name, value: value)
        else { throw .damaged(.abis) }
        size += abi.raw.count
        guard size <= PinnedABI.maximumTotalSize else { throw .damaged(.abis) }
        abis.append(abi)
    }

    var rows: [any TableRow] { abis }

    /// Pins the ABIs. Any row that is not proved might be one that was replaced or removed, and
    /// would decode a transaction wrongly.
    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {
        for abi in abis {
            try transaction.write { transaction throws(VaultError) in try transaction.buckets.add(abi) }
            report.pinnedABIs.append(abi.contract)
        }
    }
}

extension VaultTable {
    package static let abis = named(
        5, "abis", isBucketed: true, maximumRowSize: 2 * PinnedABI.maximumSize)
}
