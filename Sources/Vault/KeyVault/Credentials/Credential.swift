import Codecs
import HTTPSigning

/// The public part of an entry of the kind `credential`: how its requests are signed
/// (VaultFormat.md, "Credentials").
package struct Credential: Hashable, Sendable {
    package let profile: SigningProfile
    /// The public part of the API key.
    package let keyID: KeyID
    /// The URLs whose requests are signed; nil for all.
    package let prefix: URLPrefix?
    /// The unit of the clock that nonces follow. It never changes, because a service refuses every
    /// nonce below the last one.
    package let nonceUnit: TimeUnit

    /// The most bytes of `details`. With them, the row of an entry has less than 16,384 bytes.
    static let maximumCount = 8_192
    private static let version: UInt8 = 1

    /// - Throws: `tooLarge(credential)`.
    package init(
        profile: SigningProfile, keyID: KeyID, prefix: URLPrefix? = nil, nonceUnit: TimeUnit = .milliseconds
    ) throws(VaultError) {
        (self.profile, self.keyID, self.prefix, self.nonceUnit) = (profile, keyID, prefix, nonceUnit)
        guard details.count <= Self.maximumCount else {
            throw .input(.tooLarge(.credential, maximum: Self.maximumCount))
        }
    }

    // MARK: bytes

    /// The public details of the entry.
    package var details: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        writer.write(byte: nonceUnit.number)
        writer.write(longText: profile.stored)
        for text in [keyID.text, prefix?.text ?? ""] { writer.write(longText: text.utf8) }
        return writer.bytes
    }

    /// - Returns: nil for bytes that no writer produces.
    package init?(details: [UInt8]) {
        guard details.count <= Self.maximumCount,
            let read = try? ByteReader.readStored(
                details, version: Self.version,
                { reader throws(AuditEvent.BodyError) in try Self(from: &reader) })
        else { return nil }
        self = read
    }

    private init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        nonceUnit = try AuditEvent.BodyError.expect(TimeUnit(number: reader.read()))
        let (stored, key, url) = (
            try reader.readLongText(), try reader.readLongText(), try reader.readLongText()
        )
        do {
            profile = try SigningProfile(stored: Array(stored.utf8))
            keyID = try KeyID(key)
            prefix = url.isEmpty ? nil : try URLPrefix(url)
            try profile.check(keyID)
        } catch { throw AuditEvent.BodyError() }
    }
}

extension TimeUnit {
    private static let numbers: [TimeUnit] = [.milliseconds, .microseconds, .seconds]

    /// The number of the unit in the details of a credential.
    fileprivate var number: UInt8 { UInt8(Self.numbers.firstIndex(of: self) ?? 0) }

    fileprivate init?(number: UInt8) {
        guard Self.numbers.indices.contains(Int(number)) else { return nil }
        self = Self.numbers[Int(number)]
    }
}

extension EntryDescription {
    /// Nil for an entry of another kind.
    package var credential: Credential? { kind == .credential ? Credential(details: details) : nil }

    /// True if it is a credential whose requests have nonces.
    package var usesNonces: Bool { credential?.profile.usesNonce ?? false }

    /// - Throws: `notACredential`; `entryDamaged` for details that no writer produces.
    package func expectCredential() throws(VaultError) -> Credential {
        guard kind == .credential else { throw .input(.notACredential) }
        guard let credential else { throw .integrity(.entryDamaged(.seal)) }
        return credential
    }
}
