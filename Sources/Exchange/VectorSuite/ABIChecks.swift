import ABICodec
import JSON

/// Checks values of the file's ABI between JSON text and bytes.
struct ABIChecks {
    private let abi: ABI

    init(_ file: JSONValue) throws(VectorFileError) {
        guard let json = file["abi"] else { throw .missingField("abi") }
        do { abi = try ABI(json) } catch { throw .abi("abi", error) }
    }

    func check(_ test: VectorTest) throws(VectorFailure) {
        let name = try test.text("type")
        let type = try test.attempt("type") { try abi.type(named: name) }
        // An invalid test without JSON is about decoding. All other tests have JSON.
        guard test.isValid || test.optional("json") != nil else {
            let bytes = try test.hex("hex")
            _ = try test.attempt("decode") { try type.decode(bytes) }
            return
        }
        let json = Array(try test.text("json").utf8)
        let encoded = try test.attempt("encode") { try type.encode(json: json) }
        guard test.isValid else { return }
        let bytes = try test.hex("hex")
        try test.expect("hex", encoded == bytes)
        let decoded = try test.attempt("decode") { try type.decode(bytes) }
        let again = try test.attempt("encode again") { try type.encode(json: decoded) }
        try test.expect("hex again", again == bytes)
        if test.optional("decoded") != nil {
            try test.expect("decoded", try Array(test.text("decoded").utf8) == decoded)
        }
    }
}
