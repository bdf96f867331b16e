import ABICodec
import Codecs
import Keys
import Transactions

/// The content of a signing request: `signing_request` of EEP-7.
package struct RequestData: Hashable, Sendable {
    package let version: RequestVersion
    package let chain: RequestedChain
    package let content: RequestContent
    package let flags: RequestFlags
    /// The address to which the result is sent; empty for none. It may contain `{{tx}}` and other
    /// names of the payload. `CallbackAddress` checks it.
    package let callback: String
    /// Further values, in their order. No two have the same key.
    package let info: [RequestInfo]
    /// The chains of a request for several chains; nil if any chain is allowed, and for a request
    /// for one chain.
    package let chains: [RequestedChain]?

    /// - Parameter info: without `chain_ids`, unless it was read from a link.
    package init(
        version: RequestVersion, chain: RequestedChain, content: RequestContent, flags: RequestFlags,
        callback: String = "", info: [RequestInfo] = []
    ) throws(RequestError) {
        if chain == .any, version == .two { throw .anyChainInVersion2 }
        if case .identity = content, flags.contains(.broadcast) { throw .identityBroadcast }
        var keys: Set<String> = []
        for pair in info where !keys.insert(pair.key).inserted { throw .duplicateInfo(key: pair.key) }
        self.version = version
        self.chain = chain
        self.content = content
        self.flags = flags
        self.callback = callback
        self.info = info
        let list = chain == .any ? info.first { $0.key == RequestInfo.chainIDs } : nil
        chains = try list.map { pair throws(RequestError) in try RequestedChain.list(pair.value) }
    }

    package var isIdentity: Bool { if case .identity = content { true } else { false } }

    /// The transaction before its placeholders are replaced. A login is a transaction with the
    /// action `identity` of no contract, which no chain executes.
    package var template: Transaction {
        switch content {
        case .action(let action): Transaction(actions: [action])
        case .actions(let actions): Transaction(actions: actions)
        case .transaction(let transaction): transaction
        case .identity(let identity): Transaction(actions: [identity.action])
        }
    }

    /// True if the signer chooses the expiration and the reference block: the template has neither.
    package var needsReference: Bool {
        let template = template
        return !isIdentity && template.expiration.seconds == 0 && template.refBlockNum == 0
            && template.refBlockPrefix == 0
    }

    /// True if the signer chooses the expiration, also for a login of version 3.
    package var needsExpiration: Bool { needsReference || isIdentity && version == .three }

    /// The digest that a request signature signs.
    package var signatureDigest: SigningDigest {
        var writer = ByteWriter()
        writer.write(byte: version.rawValue)
        writer.write(bytes: Array("request".utf8))
        write(to: &writer)
        return SigningDigest(sha256: writer.bytes)
    }
}

/// The request as one of four types: `variant_req`.
package enum RequestContent: Hashable, Sendable {
    case action(Action)
    case actions([Action])
    case transaction(Transaction)
    case identity(RequestedIdentity)
}

/// A login: the proof that the signer has the keys of an account. No chain executes it.
package struct RequestedIdentity: Hashable, Sendable {
    /// Who asks; only in version 3, which requires it.
    package let scope: Name?
    /// The account and permission; nil if the signer chooses them. Each of the two names may also
    /// be a placeholder.
    package let permission: PermissionLevel?

    package init(scope: Name?, permission: PermissionLevel?) {
        (self.scope, self.permission) = (scope, permission)
    }

    /// The contract of the action: the name without letters, which no account has.
    package static let account = Name(rawValue: 0)
    package static let actionName = name("identity")

    /// The action that is signed.
    var action: Action {
        let permission = permission ?? .placeholder
        var writer = ByteWriter()
        if let scope { writer.write(integer: scope.rawValue) }
        writer.write(byte: 1)
        permission.write(to: &writer)
        return Action(
            account: Self.account, name: Self.actionName, authorization: [permission], data: writer.bytes)
    }

    private static func name(_ text: String) -> Name { (try? Name(text)) ?? Name(rawValue: 0) }
}

/// `request_flags`. Other bits are refused.
package struct RequestFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The signer sends the transaction to the chain.
    package static let broadcast = RequestFlags(rawValue: 1)
    /// The result is sent without opening the callback address in a browser.
    package static let background = RequestFlags(rawValue: 2)
    static let known: RequestFlags = [.broadcast, .background]
}

/// A key and its value: `info_pair`.
package struct RequestInfo: Hashable, Sendable {
    /// The key of the list of chains of a request for several chains.
    package static let chainIDs = "chain_ids"

    package let key: String
    package let value: [UInt8]

    package init(key: String, value: [UInt8]) { (self.key, self.value) = (key, value) }
}
