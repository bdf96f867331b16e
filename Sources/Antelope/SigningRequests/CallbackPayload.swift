import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// The data that is sent to the callback address after signing (EEP-7, "Callback payload").
package struct CallbackPayload: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    /// In the order of wharfkit/signing-request.
    package let members: [Member]

    /// - Parameters:
    ///   - signatures: at least one.
    ///   - blockNumber: the block of the transaction, if a chain has executed it.
    /// - Returns: nil without a signature.
    package init?(_ resolved: ResolvedRequest, signatures: [Signature], blockNumber: UInt32? = nil) {
        guard let first = signatures.first else { return nil }
        let header = resolved.transaction.transaction
        var members = [
            Member(name: "sig", value: first.text),
            Member(name: "tx", value: resolved.transaction.id),
            Member(name: "rbn", value: "\(header.refBlockNum)"),
            Member(name: "rid", value: "\(header.refBlockPrefix)"),
            Member(name: "ex", value: header.expiration.text),
            Member(name: "req", value: resolved.link.text),
            Member(name: "sa", value: resolved.signer.actor.text),
            Member(name: "sp", value: resolved.signer.permission.text),
            Member(name: "cid", value: resolved.chain.text),
        ]
        for (index, signature) in signatures.dropFirst().enumerated() {
            members.append(Member(name: "sig\(index)", value: signature.text))
        }
        if let blockNumber { members.append(Member(name: "bn", value: "\(blockNumber)")) }
        self.members = members
    }

    package var json: JSONValue { .object(members.map { JSONMember($0.name, .string($0.value)) }) }

    /// The address with the values of the names in double braces. Unknown names become empty.
    package func filled(_ address: String) -> String {
        var output: [UInt8] = []
        var rest = Array(address.utf8)[...]
        let braces = (open: Array("{{".utf8), close: Array("}}".utf8))
        while let byte = rest.first {
            // Only after braces, so that the time is linear.
            let inner: ArraySlice<UInt8> = rest.starts(with: braces.open) ? rest.dropFirst(2) : []
            let name = inner.prefix(while: Self.isNameCharacter)
            if !name.isEmpty, rest[name.endIndex...].starts(with: braces.close) {
                let text = String(decoding: name, as: UTF8.self)
                output += Array((members.first { $0.name == text }?.value ?? "").utf8)
                rest = rest[(name.endIndex + braces.close.count)...]
            } else {
                output.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
