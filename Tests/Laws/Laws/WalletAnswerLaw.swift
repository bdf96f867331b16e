import JSON
import SigningRequests
import Transactions

/// The answer of a wallet to a signing request. A proof is written as the text that was read, less
/// its padding, and a payload belongs to the transaction of its request.
public enum WalletAnswerLaw: Law {
    public static let name = "WalletAnswer"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        vectors.tests("signing-requests").flatMap { test -> [[UInt8]] in
            let resolved = test["resolved"]
            let payload = resolved?["callback"]?["payload"]?.text()
            return [resolved?["identity_proof"]?.string, payload, made(of: test)].compactMap {
                $0.map { Array($0.utf8) }
            }
        }
    }

    /// The payload of a request without a callback.
    private static func made(of test: JSONValue) -> String? {
        guard let resolved = test["resolved"], let header = resolved["transaction"],
            let signature = resolved["signature"]?["cleos_signature"], let id = resolved["transaction_id"],
            let expiration = header["expiration"], let number = header["ref_block_num"]?.number,
            let prefix = header["ref_block_prefix"]?.number, let link = test["uri"],
            let signer = test["resolve_args"]?["signer"], let account = signer["actor"],
            let permission = signer["permission"]
        else { return nil }
        let payload: JSONValue = [
            "sig": signature, "tx": id, "ex": expiration, "rbn": .string(number), "rid": .string(prefix),
            "req": link, "sa": account, "sp": permission,
        ]
        return payload.text()
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let chain = try? ChainID("eos") else { throw LawBroken(description: "no chain") }
        if let proof = try? IdentityProof(utf8: input) {
            let again = try must("its text is read") { try IdentityProof(utf8: Array(proof.text.utf8)) }
            try law(again == proof && again.text == proof.text, "a proof is written and read")
            try law(text(input).hasPrefix(proof.text), "a proof has one text")
        }
        guard let answer = try? WalletAnswer(reading: input, chain: chain, abis: ContractABIs()) else {
            return
        }
        _ = try? answer.keys()
        try law(!answer.transaction.signatures.isEmpty, "an answer is signed")
        guard let link = answer.link else { return try law(answer.isLogin, "a proof is of a login") }
        try law(link.request.isIdentity == answer.isLogin, "the request states if it is a login")
        try law(
            (try? link.request.expectChain(answer.chain)) != nil, "an answer is for a chain of its request")
    }
}
