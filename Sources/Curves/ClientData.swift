/// What a browser wrote about a WebAuthn signature (`CollectedClientData`), as far as nodeos looks
/// at it.
///
/// nodeos reads it with rapidjson, and a chain accepts what that accepts. So this reader has its
/// rules and not those of `JSONReader`: of a member that occurs twice the last one counts, text
/// ends at the first NUL, bytes need not be UTF-8, and there is no limit of depth. It allocates no
/// more than a few times its input and does not recurse.
package struct ClientData: Equatable, Sendable {
    /// The values of the members, empty where there is no such member.
    package private(set) var type: [UInt8] = []
    package private(set) var challenge: [UInt8] = []
    package private(set) var origin: [UInt8] = []

    /// The text is not what is expected, from this byte on.
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
        // It is compared as a C string, which ends at a NUL.
        let key = try reader.readKey().prefix { $0 != 0 }
        switch String(decoding: key, as: UTF8.self) {
        case "type": type = try reader.readString()
        case "challenge": challenge = try reader.readString()
        case "origin": origin = try reader.readString()
        default: try reader.skipValue()
        }
    }
}
