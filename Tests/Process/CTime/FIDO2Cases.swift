import CAuthenticator
import Codecs
import FIDO2
import Files
import Glibc
import SecureMemory

enum FIDO2Cases {
    static let all =
        [1, 2].map { number in
            Case("fido2: protocol \(number)") {
                let point = try Hex.decode(
                    "471c3e758c4904285bba7e53118ed0f524adeb0757d25bd2f8e7b0d76dfa714c"
                        + "dd520f7aca8a8b917acc37f51de8f0c9bbe3ad858382e702dc25a12d09f7a858")
                var secrets = try FIDO2Secrets(protocolNumber: number, point: point)
                let pin = try secret("1234äöü")
                try expect(FIDO2Secrets.characterCount(of: pin) == 7, "another number of characters")
                try expect(secrets.encrypted(pin: pin).count == 16 * number, "another length of the PIN")
                try expectSecret(pin, "the PIN")
                let salt = secrets.encrypted(salt: Array(0..<32))
                try expect(
                    secrets.code(of: salt, by: .agreed).count == 16 * number, "another length of a code")
                try expect(secrets.take(token: salt), "the token is refused")
                try expect(
                    secrets.code(of: salt, by: .token).count == 16 * number, "another length of a code")
                guard let output = try secrets.output(salt) else {
                    throw Unexpected(description: "the output is refused")
                }
                try expectSecret(output, "the output")
                try expect(
                    output.disclosedText() == String(decoding: 0..<32, as: UTF8.self), "another output")
            }
        } + [Case("fido2: a conversation") { try converse() }]

    /// Makes a credential and its secret with the software authenticator.
    private static func converse() throws {
        var template = Array("/tmp/eosvault-ctime-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Unexpected(description: "no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            unsafe unlink(folder + "/authenticator")
            unsafe rmdir(folder)
        }
        var options = unsafe authenticator_options()
        // The strings stay for the thread of the authenticator.
        unsafe (options.folder, options.pin) = (UnsafePointer(strdup(folder)), UnsafePointer(strdup("1234")))
        let number = unsafe authenticator_start(&options)
        try expect(number >= 0, "the authenticator does not start")
        defer { close(number) }
        let device = try FIDO2Device(OpenFile(inherited: number), milliseconds: 60_000)
        let pin: SecureBytes? = try secret("1234")
        let credential = try device.makeCredential(pin: pin) {}
        let output = try device.secret(of: credential, pin: pin) {}
        try expectSecret(output, "the secret of the credential")
    }
}
