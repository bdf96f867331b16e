import Codecs
import Signing

/// One record of the audit log.
package struct AuditRecord: Equatable, Sendable {
    /// The record's number, from 1.
    package let sequence: Int64
    /// Seconds since 1970, by the clock of the machine that wrote the record.
    package let time: Int64
    /// nil for what the process did itself.
    package let requester: Requester?
    package let event: AuditEvent

    package init(sequence: Int64, time: Int64, event: AuditEvent, requester: Requester? = nil) {
        self.sequence = sequence
        self.time = time
        self.event = event
        self.requester = requester
    }

    /// The version of a body, and of one with a requester.
    private static let (bodyVersion, requestedVersion): (UInt8, UInt8) = (1, 2)

    /// Reads a body (VaultFormat.md, "The audit log"). The caller has already verified its MAC.
    /// - Throws: `damaged(.row(.audit))` for bytes that no writer of this version produces.
    package init(sequence: Int64, body: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.read(body) { reader throws(AuditEvent.BodyError) in
                try AuditRecord(sequence: sequence, from: &reader)
            }
        } catch { throw .damaged(.audit) }
        // Each record has one encoding: it must encode to the same bytes again. The payload of a
        // later kind is not interpreted.
        if case .other = event { return }
        guard body == bytes else { throw .damaged(.audit) }
    }

    private init(sequence: Int64, from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        let version: UInt8 = try reader.read()
        guard [Self.bodyVersion, Self.requestedVersion].contains(version) else {
            throw AuditEvent.BodyError()
        }
        let kind: UInt8 = try reader.read()
        self.sequence = sequence
        time = try reader.readTime()
        requester = version == Self.requestedVersion ? try Requester(from: &reader) : nil
        event = try AuditEvent(kind: kind, from: &reader)
    }

    private var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: requester == nil ? Self.bodyVersion : Self.requestedVersion)
        writer.write(byte: event.number)
        writer.write(integer: time)
        requester?.write(to: &writer)
        event.writePayload(to: &writer)
        return writer.bytes
    }

    /// The body of the record.
    /// - Throws: `timeOutOfRange`; `damaged(.row(.audit))` for an event that could not be read
    ///   back, so that the log has readable records only.
    package func body() throws(VaultError) -> [UInt8] {
        guard VaultFormat.allowedTimes.contains(time) else { throw .machine(.timeOutOfRange) }
        let bytes = bytes
        guard try AuditRecord(sequence: sequence, body: bytes) == self else { throw .damaged(.audit) }
        return bytes
    }
}
