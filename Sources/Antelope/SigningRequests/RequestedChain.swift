import Codecs
import Transactions

/// The chain of a request: `variant_id` of EEP-7.
package enum RequestedChain: Hashable, Sendable {
    /// Alias 0: any chain, or the chains of the info `chain_ids`.
    case any
    case alias(ChainAlias)
    case id(ChainID)

    /// The chain's id; nil for any chain.
    package var chainID: ChainID? {
        switch self {
        case .any: nil
        case .alias(let alias): alias.chainID
        case .id(let id): id
        }
    }

    /// The shortest form of a chain.
    package init(_ chain: ChainID) {
        self = ChainAlias(chain).map { .alias($0) } ?? .id(chain)
    }

    init(from reader: inout ByteReader) throws(RequestError) {
        let offset = reader.offset
        let index = try converting(RequestError.bytes, reader.readByte())
        switch index {
        case 0:
            let number = try converting(RequestError.bytes, reader.readByte())
            if number == 0 {
                self = .any
            } else if let alias = ChainAlias(number: number) {
                self = .alias(alias)
            } else {
                throw .unknownChainAlias(number, offset: offset + 1)
            }
        case 1:
            let bytes = try converting(RequestError.bytes, reader.readBytes(ChainID.size))
            do { self = .id(try ChainID(bytes: bytes)) } catch {
                throw .unknownVariant(.chain, index: index, offset: offset)
            }
        default: throw .unknownVariant(.chain, index: index, offset: offset)
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .any: writer.write(bytes: [0, 0])
        case .alias(let alias): writer.write(bytes: [0, alias.number])
        case .id(let id): writer.write(bytes: [1] + id.bytes)
        }
    }

    /// More chains than wallets know.
    private static let maximumCount: UInt32 = 64

    /// Unpacks `chain_ids`: one or more chains, and nothing else.
    static func list(_ bytes: [UInt8]) throws(RequestError) -> [RequestedChain] {
        try ByteReader.read(bytes) { reader throws(RequestError) in
            guard let count = try? reader.readVaruint32(), (1...maximumCount).contains(count) else {
                throw .invalidChainIDs
            }
            var chains: [RequestedChain] = []
            for _ in 0..<count {
                guard let chain = try? RequestedChain(from: &reader), chain != .any else {
                    throw .invalidChainIDs
                }
                chains.append(chain)
            }
            guard reader.isAtEnd else { throw .invalidChainIDs }
            return chains
        }
    }

    /// Packs the value of `chain_ids`.
    package static func packed(_ chains: [RequestedChain]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(list: chains) { $0.write(to: &$1) }
        return writer.bytes
    }
}

/// The number of a chain in requests.
///
/// The table comes from EEP-7 and wharfkit/signing-request 7fb4c63 (src/chain-id.ts). Alias 3 is
/// the Jungle 2 testnet, which was shut down; Jungle 4 has no alias.
package struct ChainAlias: Hashable, Sendable {
    package let number: UInt8
    package let name: String
    package let chainID: ChainID

    private static let table: [(name: String, id: String)] = [
        ("eos", "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"),
        ("telos", "4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11"),
        ("jungle", "e70aaab8997e1dfce58fbfac80cbbb8fecec7b99cf982a9444273cbc64c41473"),
        ("kylin", "5fff1dae8dc8e2fc4d5b23b2c7665c97f9e9d8edf2b6485a86ba311c25639191"),
        ("worbli", "73647cde120091e0a4b85bced2f3cfdb3041e266cbbe95cee59b73235a1b3b6f"),
        ("bos", "d5a3d18fbb3c084e3b1f3fa98c21014b5f3db536cc15d08f9f6479517c6a3d86"),
        ("meetone", "cfe6486a83bad4962f232d48003b1824ab5665c36778141034d75e57b956e422"),
        ("insights", "b042025541e25a472bffde2d62edd457b7e70cee943412b1ea0f044f88591664"),
        ("beos", "b912d19a6abd2b1b05611ae5be473355d64d95aeff0c09bedc8c166cd6468fe4"),
        ("wax", "1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4"),
        ("xpr", "384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0"),
        ("fio", "21dcae42c0182200e93f954a074011f9048a7624c6fe81d3c9541a614a88bd1c"),
    ]

    /// Jungle 2, which was shut down. Requests with this alias are for a chain that no longer
    /// exists.
    package var isRetired: Bool { number == 3 }

    /// - Parameter number: from 1.
    /// - Returns: nil for an unknown alias.
    package init?(number: UInt8) {
        guard number > 0, Int(number) <= Self.table.count else { return nil }
        let entry = Self.table[Int(number) - 1]
        guard let id = try? ChainID(entry.id) else { return nil }
        (self.number, name, chainID) = (number, entry.name, id)
    }

    /// The alias of a chain; nil if it has none.
    package init?(_ chain: ChainID) {
        guard let index = Self.table.firstIndex(where: { $0.id == chain.text }) else { return nil }
        self.init(number: UInt8(index + 1))
    }
}
