import ABICodec
import Codecs
import JSON
import Keys

extension SignedTransaction {
    /// The transaction as `cleos sign` prints it: action data in hex, members in the order of
    /// nodeos's reflection.
    package var json: JSONValue {
        transaction.json.adding([
            "signatures": .array(signatures.map { .string($0.text) }),
            "context_free_data": .array(contextFreeData.map { .string(Hex.encode($0)) }),
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
    /// Unpacked JSON, without signatures, in the order of nodeos's reflection.
    package var json: JSONValue {
        [
            "expiration": .string(expiration.text),
            "ref_block_num": .number(refBlockNum),
            "ref_block_prefix": .number(refBlockPrefix),
            "max_net_usage_words": .number(maxNetUsageWords),
            "max_cpu_usage_ms": .number(maxCPUUsageMS),
            "delay_sec": .number(delaySec),
            "context_free_actions": .array(contextFreeActions.map(\.json)),
            "actions": .array(actions.map(\.json)),
            "transaction_extensions": .array(extensions.map(\.json)),
        ]
    }
}

extension Action {
    /// Data in hex, in the order of nodeos's reflection.
    package var json: JSONValue {
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
