/// The parts of a WebAuthn signature's client data (`CollectedClientData`, written by a browser)
/// that nodeos reads.
///
/// nodeos parses it with rapidjson, and a chain accepts what rapidjson accepts. So this reader
/// follows the rules of rapidjson, not of `JSONReader`: the last of several members with the same
/// name counts, text ends at the first NUL, bytes need not be UTF-8, and there is no depth limit.
/// It allocates at most a few times its input and does not recurse.
package struct ClientData: Equatable, Sendable {
    /// The values of the members; empty when a member is missing.
    package private(set) var type: [UInt8] = []
    package private(set) var challenge: [UInt8] = []
    package private(set) var origin: [UInt8] = []

    /// The text is not valid from this byte on.
    package struct Fault: Error, Equatable {
        package let offset: Int
    }

    package init(_ text: [UInt8]) throws(Fault) {
        var reader = ClientDataReader(text)
        try reader.expect(UInt8(ascii: "{"))
        if !reader.take(UInt8(ascii: "}")) {
            repeat { try readMember(from: &reader) } while reader.take(UInt8(ascii: ","))
            try reader.expect(UInt8(ascii: "}"))
        }
        try reader.expectEnd()
    }

    private mutating func readMember(from reader: inout ClientDataReader) throws(Fault) {
        // rapidjson compares the key as a C string, which ends at a NUL.
        let key = try reader.readKey().prefix { $0 != 0 }
        switch String(decoding: key, as: UTF8.self) {
        case "type": type = try reader.readString()
        case "challenge": challenge = try reader.readString()
        case "origin": origin = try reader.readString()
        default: try reader.skipValue()
        }
    }
}
