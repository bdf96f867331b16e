import JSON
import Keys
import Policy
import Transactions

// Warnings about the signatures that the file has already.

extension Warning {
    static func nonCanonicalSignature(_ index: Int) -> Warning {
        signature(index, .nonCanonicalSignature, [], "is not canonical: current chains refuse it")
    }

    static func unknownSigner(_ index: Int) -> Warning {
        signature(
            index, .unknownSigner, [], "has an unknown signer: no public key can be recovered from it")
    }

    /// The same key signed twice. nodeos refuses such a transaction.
    static func duplicateSigner(_ index: Int) -> Warning {
        signature(
            index, .duplicateSigner, [],
            "is by the same key as an earlier signature: chains refuse duplicates")
    }

    static func foreignSigner(_ index: Int, _ key: PublicKey) -> Warning {
        signature(
            index, .foreignSigner, [.string(key.text)], "is by a key that is not in this vault: \(key.text)")
    }

    static func otherChainSigner(_ index: Int, _ key: PublicKey, _ chain: Chain) -> Warning {
        signature(
            index, .otherChainSigner, [.string(key.text), .string(chain.name)],
            "is by \(key.text) of this vault, made for \(chain.title): it is not valid here")
    }

    private static func signature(
        _ index: Int, _ code: WarningCode, _ values: [JSONValue], _ text: String
    ) -> Warning {
        Warning(code, .signature(index), values, text: "signature \(index + 1) \(text)")
    }
}

extension Review {
    func signerWarnings(_ own: OwnKeys?) -> [Warning] {
        var seen: Set<PublicKey> = []
        return signers.enumerated().flatMap { index, signer -> [Warning] in
            switch signer {
            case .key(let key):
                guard seen.insert(key).inserted else { return [.duplicateSigner(index)] }
                return own.map { foreignSigner(key, index, $0) } ?? []
            case .nonCanonical: return [.nonCanonicalSignature(index)]
            case .unknown: return [.unknownSigner(index)]
            }
        }
    }

    /// How many signatures are compared with other chains. More signatures of other people's keys
    /// would only cost time.
    private static let otherChainLimit = 8

    private func foreignSigner(_ key: PublicKey, _ index: Int, _ own: OwnKeys) -> [Warning] {
        guard !own.contains(key) else { return [] }
        guard index < Self.otherChainLimit else { return [.foreignSigner(index, key)] }
        let signature = transaction.signatures[index]
        for other in Chain.all {
            guard let id = try? ChainID(other.id), id != chain,
                let found = try? signature.recover(transaction.digest(for: id)), own.contains(found)
            else { continue }
            return [.otherChainSigner(index, found, other)]
        }
        return [.foreignSigner(index, key)]
    }
}
