import ABICodec
import Signing
import Transactions

extension Warning {
    /// One line for the person who is about to sign.
    var text: String {
        switch self {
        case .expired(let seconds): "the transaction expired \(Duration.text(seconds)) ago, by this machine's clock"
        case .tooEarly(let seconds):
            "too early: nodes accept the transaction only in the last hour before it expires, "
                + "which starts in \(Duration.text(seconds))"
        case .noActions: "the transaction has no actions"
        case .delay(let seconds):
            "delay_sec is \(seconds): most public chains refuse deferred transactions; "
                + "other chains run the transaction after the delay"
        case .extensions(let count):
            "the transaction has \(Words.count(count, "transaction extension")), which current chains refuse"
        case .contextFreeActions: "the transaction has context-free actions, which no one authorizes"
        case .contextFreeDataWithoutActions: "the transaction has context-free data but no context-free actions"
        case .blindAction(let action):
            "\(action.text) can't be decoded: you would sign it without seeing what it does"
        case .unknownChain: "the chain id is not one of the built-in public chains"
        case .foreignSystemContract(let account):
            "\(account.text) is decoded with the built-in ABI, but this chain's system contract may differ: "
                + "give this chain's ABI with --abi \(account.text)=FILE"
        case .innerActions(let action):
            "\(action.text) contains other actions, whose data is shown only as hex"
        case .nonCanonicalSignature(let index): "signature \(index + 1) is not canonical: current chains refuse it"
        case .unknownSigner(let index): "signature \(index + 1): no public key can be recovered from it"
        case .duplicateSigner(let index):
            "signature \(index + 1) is by the same key as an earlier signature: chains refuse duplicates"
        case .abiOverride(let override): Words.abiOverride(override)
        case .olderABI(let action, let date):
            "\(action.text) is decoded with an ABI of \(date): "
                + "the contract may now decode these bytes differently"
        case .nullKey(let action):
            "\(action.text) contains the all-zero public key: "
                + "no one has its private key, so it can never sign"
        case .uncheckedData(let action): Words.uncheckedData(action.account, action.name)
        }
    }
}

extension WarningCode: MessageCode {
    var meaning: String {
        switch self {
        case .expired: "the expiration has passed"
        case .tooEarly: "nodes do not accept the transaction yet"
        case .noActions: "the transaction has no actions"
        case .delay: "delay_sec is not 0"
        case .extensions: "the transaction has extensions"
        case .contextFreeActions: "the transaction has context-free actions"
        case .contextFreeData: "the transaction has context-free data without context-free actions"
        case .blind: "an action can't be decoded and is signed as bytes"
        case .innerTransaction: "an action contains another transaction, which is not decoded"
        case .unknownChain: "the chain id is not built in"
        case .foreignSystemContract: "the built-in ABI may not be the ABI of this chain's system contract"
        case .nonCanonicalSignature: "a signature is not canonical"
        case .unknownSigner: "no public key can be recovered from a signature"
        case .duplicateSigner: "two signatures are by the same key"
        case .abiOverride: "a given ABI replaces a pinned or built-in one and decodes actions differently"
        case .olderABI: "an action is decoded with an older built-in ABI"
        case .nullKey: "an action contains the all-zero public key"
        case .uncheckedData: "decoded data in the file can't be compared with the bytes that are signed"
        }
    }
}

extension Words {
    /// A given ABI that replaces a built-in one.
    static func abiOverride(_ override: ContractABIs.Override) -> String {
        """
        the given ABI of \(override.account.text), SHA-256 \(override.given.text), \
        replaces the \(override.isPinned ? "pinned" : "built-in") one, SHA-256 \(override.replaced.text), \
        and decodes actions differently: the review is only as reliable as the given ABI
        """
    }

    /// Decoded data in the file, next to an action's bytes; without an ABI they can't be compared.
    static func uncheckedData(_ account: Name, _ action: Name) -> String {
        """
        the file also has decoded data of \(account.text)::\(action.text), which is ignored: \
        without an ABI it can't be compared with the bytes that are signed
        """
    }
}
