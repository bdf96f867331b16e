/// A packet of CTAPHID: 64 bytes, the content of one HID report. CTAP 2.1, section 11.2.4.
package enum CTAPPacket {
    package static let count = 64
    /// The longest message that this program sends or takes, in bytes. CTAPHID allows 7,609.
    package static let messageLimit = 2_048
    static let broadcast: UInt32 = 0xffff_ffff

    package enum Command {
        static let initialise: UInt8 = 0x06
        static let cbor: UInt8 = 0x10
        static let cancel: UInt8 = 0x11
        static let keepalive: UInt8 = 0x3b
        static let error: UInt8 = 0x3f
    }

    /// The packets of a message, 64 bytes each.
    package static func packets(channel: UInt32, command: UInt8, message: [UInt8]) -> [[UInt8]] {
        let id = (0..<4).reversed().map { UInt8(truncatingIfNeeded: channel >> (8 * $0)) }
        let length = [
            UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count),
        ]
        var rest = message[...]
        var packets = [id + [command | 0x80] + length + rest.prefix(count - 7)]
        rest = rest.dropFirst(count - 7)
        var sequence: UInt8 = 0
        while !rest.isEmpty {
            packets.append(id + [sequence] + rest.prefix(count - 5))
            rest = rest.dropFirst(count - 5)
            sequence += 1
        }
        return packets.map { $0 + [UInt8](repeating: 0, count: count - $0.count) }
    }
}
