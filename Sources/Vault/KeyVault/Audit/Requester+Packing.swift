import Codecs
import Signing

extension Requester {
    init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        self = try AuditEvent.BodyError.expect(Requester(uid: reader.read(), program: reader.readText()))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(integer: uid)
        writer.write(text: program.utf8)
    }
}
