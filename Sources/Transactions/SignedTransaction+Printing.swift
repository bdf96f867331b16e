import ABICodec
import Codecs
import JSON
import KeyText

extension SignedTransaction {
    /// The transaction as `cleos sign` prints it: action data in hex, members in the order of
    /// nodeos's reflection.
    package var json: JSONValue {
        .object(
            transaction.members + [
                JSONMember("signatures", .array(signatures.map { .string($0.text) })),
                JSONMember("context_free_data", .array(contextFreeData.map { .string(Hex.encode($0)) })),
            ])
    }

    /// The transaction as `/v1/chain/send_transaction` accepts it and `cleos convert
    /// pack_transaction` prints it, uncompressed.
    package var packedJSON: JSONValue {
        [
            "signatures": .array(signatures.map { .string($0.text) }), "compression": .string("none"),
            "packed_context_free_data": .string(Hex.encode(packedContextFreeData)),
            "packed_trx": .string(Hex.encode(packed)),
        ]
    }
}

extension Transaction {
    /// The members of unpacked JSON, without signatures, in the order of nodeos's reflection.
    var members: [JSONMember] {
        [
            JSONMember("expiration", .string(expiration.text)),
            JSONMember("ref_block_num", .number(refBlockNum)),
            JSONMember("ref_block_prefix", .number(refBlockPrefix)),
            JSONMember("max_net_usage_words", .number(maxNetUsageWords)),
            JSONMember("max_cpu_usage_ms", .number(maxCPUUsageMS)),
            JSONMember("delay_sec", .number(delaySec)),
            JSONMember("context_free_actions", .array(contextFreeActions.map(\.json))),
            JSONMember("actions", .array(actions.map(\.json))),
            JSONMember("transaction_extensions", .array(extensions.map(\.json))),
        ]
    }
}

extension Action {
    fileprivate var json: JSONValue {
        [
            "account": .string(account.text), "name": .string(name.text),
            "authorization": .array(authorization.map(\.json)), "data": .string(Hex.encode(data)),
        ]
    }
}

extension PermissionLevel {
    /// `{"actor", "permission"}`
    package var json: JSONValue { ["actor": .string(actor.text), "permission": .string(permission.text)] }
}

extension TransactionExtension {
    /// `[type, "hex"]`
    package var json: JSONValue { .array([.number(type), .string(Hex.encode(data))]) }
}
