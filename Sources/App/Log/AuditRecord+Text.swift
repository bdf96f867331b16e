import JSON
import KeyVault
import Shell

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String {
        let request = requester.map { ", requested by \(Printable.line($0.program)) of user \($0.uid)" } ?? ""
        return "\(sequence) \(Clock.text(time)) \(event.words().text)\(request)"
    }

    /// The event decides which members a record has.
    static let shape: JSONShape = [
        "sequence": .number("the number of the record"), "time": .text("in UTC; with Z in `log export`"),
        "event": .text("the event, as in `--event`, or `unknown-N`"),
        "requester?": .object(
            ["uid": .number("its user id"), "program": .text("the name of its program")],
            "the process that requested it, if an agent did it for another process"),
        "public_key?": .text("the key that was used or changed"),
        "name?": .text("the entry that was changed, if it is not a key"), "from?": .orNull(.text, "the earlier label"),
        "to?": .orNull(.text, "the new label"), "chain_id?": .text("the chain of a signature or an ABI"),
        "transaction_id?": .text("the signed transaction"),
        "actions?": .list(
            of: ["action": .text("CONTRACT::ACTION"), "count": .number("how many")], "the signed actions"),
        "other_action_count?": .number("the signed actions that are not named"),
        "account?": .text("the account of a pinned ABI"), "abi_sha256?": .text("the SHA-256 of a pinned ABI"),
        "policy_sha256?": .text("the SHA-256 of a policy"), "all_keys?": .boolean("true for a policy of all keys"),
        "slot?": .number("the slot that was changed"), "kind?": .text("the kind of the slot, as in `slot list`"),
        "count?": .number("the number of failed unlocks, of rescued entries, or of refused requests"),
        "first?": .text("the time of the first failed unlock or refused request"),
        "last?": .text(
            "the time of the last failed unlock or refused request, or of the last record before a corrected clock"),
        "refusals?": .list(
            of: [
                "public_key": .text("the key"), "code": .text("the code of the error"),
                "member": .text("the part of the policy, as a JSON pointer; empty for none"),
                "count": .number("how many requests"),
            ], "the refused requests, by key, code and part of the policy; at most 64 kinds"),
        "generation?": .number("the generation of a backup"),
        "first_sequence?": .number("the first record of an archive"),
        "last_sequence?": .number("the last record of an archive"), "blake2b?": .text("the hash of an archive"),
        "profile?": .text("the profile of a signed HTTP request"), "method?": .text("its method"),
        "host?": .text("its host, and the port if it is not the default port"),
        "path?": .text("at most 200 bytes of its path, without the query"),
        "path_sha256?": .text("the SHA-256 of its path"),
    ]

    static let exported = shape.adding(["label?": .orNull(.text, "the label that the key has in the vault now")])

    /// - Parameter clock: formats a time, in seconds since 1970.
    func json(time clock: (Int64) -> String = Clock.text) -> JSONValue {
        let code = event.kind?.name ?? "unknown-\(event.number)"
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(clock(time)), "event": .string(code),
        ]
        let request: JSONValue? = requester.map {
            ["requester": ["uid": .number($0.uid), "program": .string($0.program)]]
        }
        return record.adding(event.words(time: clock).members).adding(request)
    }
}
