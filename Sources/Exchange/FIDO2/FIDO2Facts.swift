/// What an authenticator states about itself: the answer of authenticatorGetInfo, CTAP 2.1,
/// section 6.4.
package struct FIDO2Facts: Equatable, Sendable {
    /// The model, 16 bytes; zeros if it does not state one.
    package let aaguid: [UInt8]
    /// Such as `FIDO_2_1`.
    package let versions: [String]
    package let hasHMACSecret: Bool
    /// It can refuse a credential to anybody whom it did not verify: the extension credProtect
    /// (CTAP 2.1, section 12.1).
    package let hasCredProtect: Bool
    /// A PIN is set.
    package let hasPIN: Bool
    /// It has PINs, set or not.
    package let canSetPIN: Bool
    /// It verifies the user by itself: a fingerprint is enrolled, or it has a keypad.
    package let hasFingerprint: Bool
    /// The PIN/UV auth protocols, the preferred one first.
    package let protocols: [Int]
    /// It has getPinUvAuthTokenUsing… with permissions (CTAP 2.1).
    let hasPermissions: Bool
    /// In bytes.
    let messageLimit: Int
    /// The fewest characters of a PIN.
    let minimumPINCount: Int
    let mustChangePIN: Bool
    /// The longest credential id that it takes, in bytes.
    let maximumIDCount: Int

    /// - Parameter answer: the CBOR of the answer, without its status.
    /// - Returns: nil if it breaks CTAP 2.1.
    package init?(_ answer: [UInt8]) {
        guard let map = CBORValue(answer), map.isMap, let aaguid = map[3]?.bytes, aaguid.count == 16,
            let versions = Self.texts(map[1]), !versions.isEmpty,
            let extensions = Self.texts(map[2] ?? .array([]))
        else { return nil }
        let options = map[4] ?? .map([CBORValue.Entry]())
        guard case .map(let entries) = options, entries.allSatisfy({ $0.value.bool != nil }),
            let protocols = Self.numbers(map[6] ?? .array([.unsigned(1)])),
            let messageLimit = Self.number(map[5], default: 1_024),
            let minimumPINCount = Self.number(map[13], default: 4),
            let maximumIDCount = Self.number(map[8], default: FIDO2Credential.maximumIDCount)
        else { return nil }
        (self.aaguid, self.versions, self.protocols) = (aaguid, versions, protocols)
        hasHMACSecret = extensions.contains("hmac-secret")
        hasCredProtect = extensions.contains("credProtect")
        hasPIN = options["clientPin"]?.bool == true
        canSetPIN = options["clientPin"] != nil
        hasFingerprint = options["uv"]?.bool == true
        hasPermissions = options["pinUvAuthToken"]?.bool == true
        self.messageLimit = min(messageLimit, CTAPPacket.messageLimit)
        self.minimumPINCount = max(minimumPINCount, 4)
        mustChangePIN = map[12]?.bool == true
        self.maximumIDCount = maximumIDCount
    }

    /// True if nobody gets the secret of a credential without the PIN or the fingerprint.
    ///
    /// CTAP 2.1, section 12.5, requires two values of each credential (CredRandomWithUV and
    /// CredRandomWithoutUV), so a user who is not verified gets another secret. CTAP 2.0 has only
    /// one value, and the secret needs no more than a touch unless credProtect guards the
    /// credential. FIDO_2_1_PRE is a draft, which promises nothing.
    package var protectsSecrets: Bool {
        hasCredProtect
            || versions.contains { $0.hasPrefix("FIDO_2_") && !["FIDO_2_0", "FIDO_2_1_PRE"].contains($0) }
    }

    /// The first protocol that this program has.
    var protocolNumber: Int? { protocols.first { $0 == 1 || $0 == 2 } }

    /// It has CTAP2, not only U2F.
    var isFIDO2: Bool { versions.contains { $0.hasPrefix("FIDO_2") } }

    private static func texts(_ value: CBORValue?) -> [String]? {
        guard let values = value?.array else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }

    private static func numbers(_ value: CBORValue) -> [Int]? {
        guard let values = value.array else { return nil }
        let numbers = values.compactMap { $0.unsigned.flatMap { Int(exactly: $0) } }
        return numbers.count == values.count ? numbers : nil
    }

    /// - Returns: nil if the value is no number of at most 65,535.
    private static func number(_ value: CBORValue?, default number: Int) -> Int? {
        guard let value else { return number }
        return value.unsigned.flatMap { $0 <= 0xffff ? Int($0) : nil }
    }
}
