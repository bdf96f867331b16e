import ABICodec
import Codecs
import HTTPSigning
import JSON
import KeyVault
import Keys
import Signing
import Transactions

/// The body of a record of the audit log has one form, and its contents are safe to show.
public enum AuditRecordLaw: Law {
    public static let name = "AuditRecord"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let key = EntryName(try PublicKey("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"))
        let hash = [UInt8](repeating: 0xaa, count: 32)
        let label = try Label("cold")
        let payment = SignedPayment(
            kind: .transfer, contract: try Name("eosio.token"), payer: try Name("alice"),
            recipient: try Name("bob"), quantity: try Asset("1.0000 EOS"), memo: "hello")
        let events: [AuditEvent] =
            [
                .made, .created(key: key), .imported(key: key),
                .signed(key: key, chain: hash, transaction: hash),
                .signed(
                    key: key, chain: hash, transaction: hash,
                    actions: SignedActions([SignedActions.Kind(contract: 1, action: 2)])),
                .signed(
                    key: key, chain: hash, transaction: hash, actions: SignedActions([], payments: [payment])),
                .exported(key: key),
                .removed(key: key), .renamed(key: key, from: nil, to: label),
                .renamed(key: key, from: label, to: nil),
                .slotAdded(number: 0, .pin), .slotRemoved(number: 7, .recovery),
                .slotChanged(number: 1, .pinAndKeyFile),
                .rekeyed,
                .failedUnlocks(count: 3, first: 1, last: 2), .backedUp(generation: 9),
                .restored(generation: 9),
                .rescued(count: 3), .archived(first: 1, last: 9, hash: hash),
                .digestSigned(key: key, digest: hash), .other(kind: 200),
            ]
            + [ContractAddress(chain: hash, account: "eosio.token")].compactMap(\.self).flatMap { contract in
                [AuditEvent.abiPinned(contract, hash: hash), .abiUnpinned(contract, hash: hash)]
            }
            + [EntryName("credential:0123456789abcdef")].compactMap(\.self).flatMap { name in
                [.rotated(key: name)] + requests(vectors).map { AuditEvent.requestSigned(key: name, $0) }
            }
        return try events.flatMap { event in
            try [nil, Requester(uid: 1000, program: "cleos")].map { requester in
                try AuditRecord(sequence: 1, time: 1_700_000_000, event: event, requester: requester).body()
            }
        }
    }

    /// The records of the signatures in the vectors, and one of a long path.
    private static func requests(_ vectors: Vectors) -> [RequestRecord] {
        let path = "https://[::1]:8443/" + String(repeating: "a%2F", count: 60)
        let long: JSONValue = [
            "profile": .string("basic"), "method": .string("GET"), "url": .string(path),
        ]
        return (vectors.tests("http-signatures") + [long])
            .compactMap { test in
                func text(_ name: String) -> String { test[name]?.string ?? "" }
                let parameters = text("profile") == "hmac" ? ["template": "{url}"] : [:]
                return try? RequestRecord(
                    profile: SigningProfile(name: text("profile"), parameters: parameters),
                    method: HTTPMethod(text("method")), url: RequestURL(text("url")))
            }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let record = try? AuditRecord(sequence: 1, body: input) else { return }
        let body = try must("a record that was read is written") { try record.body() }
        if case .other = record.event {
            try law(
                input.starts(with: body), "a later kind keeps its version, kind and time: \(Hex.encode(body))"
            )
        } else {
            try law(body == input, "a record is written to the bytes it was read from: \(Hex.encode(body))")
        }
        if let requester = record.requester {
            try law(!requester.program.isEmpty, "a requester has a name")
        }
        if case .requestSigned(_, let request) = record.event {
            for text in [request.profile, request.method, request.host, request.path] {
                try law(
                    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) },
                    "\(text) is visible ASCII")
            }
            let limit = RequestRecord.maximumPathCount
            try law(request.path.hasPrefix("/") && request.path.utf8.count <= limit, "a path has a limit")
            try law(request.pathHash.count == 32, "the hash of a path has 32 bytes")
        }
        try law(
            record.event.key?.text.utf8.allSatisfy { (0x30...0x7a).contains($0) } ?? true,
            "a key's name is plain")
    }
}
