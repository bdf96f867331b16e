import ArgumentParser
import CYardstick
import JSON

/// Compares the JSON reader, which skips a document, with the parser of SQLite, which validates it.
/// Both keep nothing. The reader also refuses repeated keys.
enum JSONRates {
    static func read(_ name: String) throws -> Rate? {
        let actions = (1...1_000).map { number in
            TransferRates.action(
                "eosio.token", "transfer", String(decoding: TransferRates.text(amount: number), as: UTF8.self)
            )
        }
        let text = Array("[\(actions.joined(separator: ","))]".utf8)
        return try Rate.compare(name, with: "SQLite: json_valid", count: 1) {
            try JSONReader.read(text) { reader throws(JSONError) in
                try reader.skipValue()
                try reader.expectEnd()
            }
        } c: {
            unsafe text.withUnsafeBytes { text in unsafe yardstick_json_valid(text.baseAddress, text.count) }
        }
    }
}
