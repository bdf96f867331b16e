import JSON
import KeyVault
import Shell

extension EntryName {
    /// `public_key`, or `name` for an entry that is not an EOS key.
    var json: JSONValue { [isKindAndName ? "name" : "public_key": .string(text)] }
}
