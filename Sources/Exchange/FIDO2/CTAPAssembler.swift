/// Joins the packets of one channel to a message.
package struct CTAPAssembler {
    package enum Step: Equatable, Sendable {
        /// More packets follow.
        case incomplete
        /// The packet is one of another channel.
        case foreign
        case message(command: UInt8, [UInt8])
        /// The packet is not the one that must follow.
        case invalid
    }

    private let channel: [UInt8]
    private var command: UInt8?
    private var expected = 0
    private var sequence: UInt8 = 0
    private var message: [UInt8] = []

    package init(channel: UInt32) {
        self.channel = (0..<4).reversed().map { UInt8(truncatingIfNeeded: channel >> (8 * $0)) }
    }

    /// - Parameter packet: 64 bytes.
    package mutating func take(_ packet: [UInt8]) -> Step {
        guard packet.count == CTAPPacket.count else { return .invalid }
        guard packet.starts(with: channel) else { return .foreign }
        let kind = packet[4]
        if let command {
            // Keepalives come only before the answer.
            guard kind == sequence else { return .invalid }
            sequence += 1
            append(packet.dropFirst(5))
            return finished(command)
        }
        guard kind & 0x80 != 0 else { return .invalid }
        expected = Int(packet[5]) << 8 | Int(packet[6])
        guard expected <= CTAPPacket.messageLimit else { return .invalid }
        (command, sequence, message) = (kind & 0x7f, 0, [])
        append(packet.dropFirst(7))
        return finished(kind & 0x7f)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        message += bytes.prefix(expected - message.count)
    }

    private mutating func finished(_ command: UInt8) -> Step {
        guard message.count == expected else { return .incomplete }
        self.command = nil
        return .message(command: command, message)
    }
}
