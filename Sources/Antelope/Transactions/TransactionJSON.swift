import ABICodec
import JSON

/// An unpacked transaction in JSON.
struct TransactionJSON {
    static let fields = [
        "expiration", "ref_block_num", "ref_block_prefix", "max_net_usage_words", "max_cpu_usage_ms",
        "delay_sec",
        "context_free_actions", "actions", "transaction_extensions",
    ]

    let transaction: Transaction
    /// The actions whose decoded data could not be compared with their bytes.
    let unchecked: [ActionPlace]

    init(_ members: JSONMembers, abis: ContractABIs) throws(TransactionError) {
        let expiration = try members.required("expiration") { value throws(ABIError) in
            let text = try value.expectText()
            let time = try TimePointSec(text)
            // nodeos wraps other years into 1970 to 2106, and the transaction would say something
            // other than the file.
            guard time.text.prefix(4) == text.prefix(4) else {
                throw ABIError(.invalidTime(type: "time_point_sec"))
            }
            return time
        }
        let refBlockNum: UInt16 = try members.integer("ref_block_num", "uint16")
        let refBlockPrefix: UInt32 = try members.integer("ref_block_prefix", "uint32")
        let netWords: UInt32 = try members.integer("max_net_usage_words", "varuint32", ifAbsent: 0)
        let cpuMS: UInt8 = try members.integer("max_cpu_usage_ms", "uint8", ifAbsent: 0)
        let delay: UInt32 = try members.integer("delay_sec", "varuint32", ifAbsent: 0)
        let contextFree = try ActionList(members, "context_free_actions", required: false, abis: abis)
        let actions = try ActionList(members, "actions", required: true, abis: abis)
        let extensions = try members.optional("transaction_extensions", []) { value throws(ABIError) in
            try value.expectList { element throws(ABIError) in try TransactionExtension(json: element) }
        }
        transaction = Transaction(
            expiration: expiration, refBlockNum: refBlockNum, refBlockPrefix: refBlockPrefix,
            maxNetUsageWords: netWords, maxCPUUsageMS: cpuMS, delaySec: delay,
            contextFreeActions: contextFree.actions,
            actions: actions.actions, extensions: extensions)
        unchecked =
            contextFree.unchecked.map { ActionPlace(isContextFree: true, index: $0) }
            + actions.unchecked.map { ActionPlace(isContextFree: false, index: $0) }
    }
}

extension TransactionExtension {
    /// `[type, "hex"]` as cleos writes it, or `{"type", "data"}`.
    fileprivate init(json: JSONValue) throws(ABIError) {
        let (type, data): (JSONValue, JSONValue)
        switch json {
        case .array(let pair) where pair.count == 2: (type, data) = (pair[0], pair[1])
        case .object:
            try json.expectMembers(["type", "data"])
            (type, data) = (try json.member("type"), try json.member("data"))
        default: throw ABIError(.expected(.object, found: json.kind))
        }
        self.init(type: try type.expectInteger("uint16"), data: try data.hexBytes())
    }
}
