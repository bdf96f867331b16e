import ABICodec
import ArgumentParser
import CYardstick
import Codecs
import JSON

/// Compares the ABI codec on a token transfer with C code for only this type, which is an upper
/// bound.
enum TransferRates {
    static let abi = #"""
        {"version": "eosio::abi/1.1", "structs": [{"name": "transfer", "base": "", "fields": [
        {"name": "from", "type": "name"}, {"name": "to", "type": "name"}, {"name": "quantity", "type": "asset"},
        {"name": "memo", "type": "string"}]}]}
        """#

    static func text(amount: Int = 12_345) -> [UInt8] {
        Array(
            #"{"from":"alice","to":"bob.exchange","quantity":"\#(amount).0000 EOS","memo":"invoice \#(amount)"}"#
                .utf8)
    }

    /// The JSON of a transaction whose only action is this transfer.
    static func transaction(_ data: String) -> String {
        #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
            + action("eosio.token", "transfer", data) + "]}"
    }

    static func action(_ account: String, _ name: String, _ data: String) -> String {
        #"{"account":"\#(account)","name":"\#(name)","authorization":[{"actor":"alice","permission":"active"}],"#
            + #""data":\#(data)}"#
    }

    static func type() throws -> ABIType { try ABI(contents: Array(abi.utf8)).type(named: "transfer") }

    static func encode(_ type: ABIType, _ text: [UInt8], into writer: inout ByteWriter) throws(ABIError) {
        writer.removeAll()
        try type.encode(json: text, into: &writer)
    }

    static func encode(_ name: String) throws -> Rate? {
        let (type, text, count) = (try type(), text(), 1_000)
        var writer = ByteWriter()
        var room = [UInt8](repeating: 0, count: 256)
        try encode(type, text, into: &writer)
        guard try pack(text, into: &room) == writer.count, room.starts(with: writer.bytes) else {
            throw ExitCode.failure
        }
        return try Rate.compare(name, with: "C for transfers only", count: count) {
            for _ in 0..<count { try encode(type, text, into: &writer) }
        } yardstick: {
            for _ in 0..<count { _ = try pack(text, into: &room) }
        }
    }

    static func decode(_ name: String) throws -> Rate? {
        let (type, text, count) = (try type(), text(), 1_000)
        let bytes = try type.encode(json: text)
        var writer = JSONWriter()
        var room = [UInt8](repeating: 0, count: 256)
        guard try unpack(bytes, into: &room) == text.count, room.starts(with: text) else {
            throw ExitCode.failure
        }
        return try Rate.compare(name, with: "C for transfers only", count: count) {
            for _ in 0..<count {
                writer.removeAll()
                try type.decode(bytes, into: &writer)
            }
        } yardstick: {
            for _ in 0..<count { _ = try unpack(bytes, into: &room) }
        }
    }

    private static func pack(_ text: [UInt8], into room: inout [UInt8]) throws -> Int {
        let size = room.count
        let count = unsafe text.withUnsafeBytes { text in
            unsafe yardstick_pack_transfer(text.baseAddress, text.count, &room, size)
        }
        guard count >= 0 else { throw ExitCode.failure }
        return Int(count)
    }

    private static func unpack(_ bytes: [UInt8], into room: inout [UInt8]) throws -> Int {
        let count = unsafe room.withUnsafeMutableBytes { room in
            unsafe yardstick_unpack_transfer(bytes, bytes.count, room.baseAddress, room.count)
        }
        guard count >= 0 else { throw ExitCode.failure }
        return Int(count)
    }
}
