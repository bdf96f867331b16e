import ABICodec
import Codecs
import JSON

/// TAPOS: the block that a transaction refers to. A chain that does not have this block refuses the
/// transaction.
package struct BlockReference: Hashable, Sendable {
    /// The low 16 bits of the block's number.
    package let number: UInt16
    /// 32 bits of the block's id.
    package let prefix: UInt32
    /// When the block was made, if a node's answer states it.
    package let time: TimePointSec?

    /// How long a chain knows a block, in seconds: 65,536 blocks of half a second
    /// (AntelopeIO/spring, libraries/chain/controller.cpp, `block_summary_object`).
    package static let lifetime: Int64 = 65_536 / 2

    package init(number: UInt16, prefix: UInt32, time: TimePointSec? = nil) {
        (self.number, self.prefix, self.time) = (number, prefix, time)
    }

    /// No block, for the transaction of a proposal: eosio.msig executes its actions in the
    /// transaction that calls `exec`, and only that one is checked.
    package static let none = BlockReference(number: 0, prefix: 0, time: nil)
}

extension BlockReference {
    /// The id starts with the block's number, in big-endian order. The prefix is its bytes 8 to 11,
    /// in little-endian order (AntelopeIO/spring, libraries/chain/transaction.cpp,
    /// `transaction_header::set_reference_block`; block_header.cpp, `num_from_id`).
    /// - Parameter id: 64 hex digits.
    package init(id: some StringProtocol) throws(BuildError) { self.init(try BlockID(id), time: nil) }

    private init(_ id: BlockID, time: TimePointSec?) {
        self.init(number: UInt16(truncatingIfNeeded: id.number), prefix: id.prefix, time: time)
    }

    /// Reads a node's answer to get_info or get_block.
    ///
    /// Of get_info, the last irreversible block is used, as cleos does: a fork can't remove it. The
    /// answer's `chain_id` must be `chain`. Members that repeat a part of the id must agree with
    /// it.
    package init(answer text: [UInt8], chain: ChainID) throws(BuildError) {
        let members = try JSONMembers.parsed(text)
        if members.text("last_irreversible_block_id") != nil {
            let stated = try members.optionalHex("chain_id")
            guard let stated else { throw .value(ABIError(.missingField("chain_id"))) }
            guard stated == chain.bytes else {
                throw .transaction(.otherChain(stated: try Self.chain(stated)))
            }
            // Older nodes state only the time of the head block, which is some minutes later.
            let time = "last_irreversible_block_time"
            try self.init(
                members, id: "last_irreversible_block_id", number: "last_irreversible_block_num",
                time: members.text(time) == nil ? "head_block_time" : time)
        } else if members.text("id") != nil, members.text("block_num") != nil {
            try self.init(members, id: "id", number: "block_num", time: "timestamp")
        } else {
            throw .block(.notAnAnswer)
        }
    }

    private static func chain(_ bytes: [UInt8]) throws(BuildError) -> ChainID {
        do { return try ChainID(bytes: bytes) } catch {
            throw .value(
                ABIError(.wrongHexLength(bytes: bytes.count, expected: ChainID.size)).inside(
                    .field("chain_id")))
        }
    }

    private init(_ members: JSONMembers, id: String, number: String, time: String) throws(BuildError) {
        let text = try members.building { members throws(TransactionError) in
            try members.required(id) { value throws(ABIError) in try value.expectText() }
        }
        let block: BlockID
        do throws(BuildError) { block = try BlockID(text) } catch {
            guard case .transaction(.value(let cause)) = error else { throw error }
            throw .value(cause.inside(.field(id)))
        }
        let (stated, prefix) = try members.building { members throws(TransactionError) in
            (
                try members.optional(number, block.number) { value throws(ABIError) in
                    try value.expectInteger("uint32")
                },
                try members.optional("ref_block_prefix", block.prefix) { value throws(ABIError) in
                    try value.expectInteger("uint32")
                }
            )
        }
        guard stated == block.number else { throw .block(.memberDisagrees(number)) }
        guard prefix == block.prefix else { throw .block(.memberDisagrees("ref_block_prefix")) }
        self.init(
            block,
            time: try members.building { members throws(TransactionError) in
                try members.optional(time, nil) { value throws(ABIError) in
                    try TimePointSec(roundingDown: value.expectText())
                }
            })
    }
}

/// The id of a block: its number, and 28 bytes of a hash.
private struct BlockID {
    static let size = 32

    let number: UInt32
    let prefix: UInt32

    init(_ text: some StringProtocol) throws(BuildError) {
        let bytes = try converting(
            BuildError.value, JSONValue.string(String(text)).hexBytes(count: Self.size))
        // No chain has a block 0. A zero id in an answer comes from a node without blocks.
        guard bytes.contains(where: { $0 != 0 }) else { throw .block(.zeroID) }
        number = bytes[0..<4].reduce(0) { $0 << 8 | UInt32($1) }
        prefix = bytes[8..<12].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension JSONMembers {
    /// The members of the object in a file, whose whole text is checked.
    static func parsed(_ text: [UInt8]) throws(BuildError) -> JSONMembers {
        try converting(BuildError.transaction, JSONMembers(whole: text))
    }

    func building<Value>(
        _ read: (JSONMembers) throws(TransactionError) -> Value
    ) throws(BuildError) -> Value {
        try converting(BuildError.transaction, read(self))
    }

    /// The bytes of a member in hex; nil if there is none.
    func optionalHex(_ name: String) throws(BuildError) -> [UInt8]? {
        try building { members throws(TransactionError) in
            try members.optional(name, nil) { value throws(ABIError) in try value.hexBytes() }
        }
    }
}
