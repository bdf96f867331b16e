import ABICodec
import Codecs
import JSON
import SigningRequests
import Transactions

/// A link of a signing request. What was read is written as the same payload, and a resolved
/// request has no placeholder in its authorizations.
public enum SigningRequestLaw: Law {
    public static let name = "SigningRequest"
    private static let signer = PermissionLevel(
        actor: Name(rawValue: 1 << 60), permission: Name(rawValue: 3 << 58))

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        vectors.texts("signing-requests", "uri").flatMap { uri -> [[UInt8]] in
            let bytes = uri.split(separator: ":").last.flatMap { text in
                try? Base64.decode(utf8: Array(text.drop { $0 == "/" }.utf8), .url)
            }
            return [Array(uri.utf8)] + (bytes.map { [$0] } ?? [])
        }
            + vectors.tests("signing-requests").compactMap { test in
                guard let payload = test["payload_hex"]?.string, let version = test["version"]?.number else {
                    return nil
                }
                return UInt8(version).flatMap { version in (try? Hex.decode(payload)).map { [version] + $0 } }
            }
    }

    /// The input is read as a link, as the bytes of a link, and as an address of a callback.
    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let link = try? RequestLink(utf8: input) {
            try law(link.text.utf8.elementsEqual(input), "a link keeps its text")
            try check(link)
        }
        if let link = try? RequestLink(utf8: Array("esr:\(Base64.encode(input, .url))".utf8)) {
            if !link.isCompressed { try law(link.payload == Array(input.dropFirst()), "all bytes are read") }
            try check(link)
        }
        if let address = try? CallbackAddress(text(input)) {
            try law(
                text(input).hasPrefix(text(input).prefix(address.scheme.count)),
                "an address starts with its scheme")
            if address.isWeb { try law(address.host != nil, "a web address has a host") }
            try law(address.shown.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a shown address is plain")
        }
    }

    private static func check(_ link: RequestLink) throws(LawBroken) {
        try law(link.payload.count <= RequestLink.maximumPayload, "a payload has a limit")
        for compressing in [true, false] {
            let again = try must("its request is written again") {
                do {
                    return try RequestLink(link.request, signature: link.signature, compressing: compressing)
                } catch RequestError.linkTooLong { return link }
            }
            let read = try must("its link is read") { try RequestLink(utf8: Array(again.text.utf8)) }
            try law(read.request == link.request, "its link is the same request")
            try law(read.signature == link.signature, "its link has the same signature")
            try law(read.payload == link.payload, "its link has the same payload")
        }
        _ = try? link.signatureKey()
        try checkResolved(link)
    }

    private static func checkResolved(_ link: RequestLink) throws(LawBroken) {
        let request = link.request
        guard let chain = request.chain.chainID ?? request.chains?.first?.chainID ?? (try? ChainID("eos"))
        else {
            throw LawBroken(description: "no chain")
        }
        guard
            let resolved = try? ResolvedRequest(
                link, signer: signer, chain: chain, expiration: TimePointSec(seconds: 1),
                reference: BlockReference(number: 2, prefix: 3), abis: ContractABIs())
        else { return }
        let transaction = resolved.transaction.transaction
        let template = request.template
        try law(transaction.actions.count == template.actions.count, "each action is resolved")
        for (action, before) in zip(transaction.actions, template.actions) {
            try law(
                action.account == before.account && action.name == before.name
                    && action.authorization.count == before.authorization.count,
                "placeholders change only names")
            for level in action.authorization {
                try law(
                    level.actor.rawValue != 1 && ![1, 2].contains(level.permission.rawValue),
                    "no placeholder is left")
            }
        }
        if !request.needsExpiration {
            try law(transaction.expiration == template.expiration, "the expiration of the request is kept")
        }
    }
}
