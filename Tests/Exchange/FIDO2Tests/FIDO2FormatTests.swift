import Glibc
import Testing

@testable import FIDO2

/// Credentials, CBOR, packets and the list of devices.
@Suite struct FIDO2FormatTests {
    private static let credential = try? FIDO2Credential(
        id: [1, 2, 3], publicKey: [UInt8](repeating: 4, count: 64), salt: [UInt8](repeating: 5, count: 32),
        aaguid: [UInt8](repeating: 6, count: 16))

    @Test func aPackedCredentialHasOneForm() throws {
        let credential = try #require(Self.credential)
        let packed = credential.packed
        #expect(packed.count == 1 + 3 + 64 + 32 + 16)
        #expect(try FIDO2Credential(packed: packed) == credential)
        for bytes in (0..<packed.count).map({ Array(packed.prefix($0)) }) + [packed + [0]] {
            #expect(throws: FIDO2Error.invalidCredential) { try FIDO2Credential(packed: bytes) }
        }
        for count in [0, 1_024] {
            #expect(throws: FIDO2Error.invalidCredential) {
                try FIDO2Credential(
                    id: [UInt8](repeating: 0, count: count), publicKey: credential.publicKey,
                    salt: credential.salt, aaguid: credential.aaguid)
            }
        }
    }

    /// RFC 8949, appendix A, as far as CTAP2 allows it.
    @Test(
        arguments: [
            ([0x00], .unsigned(0)), ([0x17], .unsigned(23)), ([0x18, 0x18], .unsigned(24)),
            ([0x19, 0x03, 0xe8], .unsigned(1_000)), ([0x1a, 0x00, 0x0f, 0x42, 0x40], .unsigned(1_000_000)),
            ([0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .unsigned(.max)), ([0x20], .negative(0)),
            ([0x38, 0x63], .negative(99)), ([0xf4], .bool(false)), ([0xf5], .bool(true)),
            ([0x40], .bytes([])),
            ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x62, 0xc3, 0xbc], .text("ü")),
            ([0x80], .array([])),
            ([0x82, 1, 0x81, 2], .array([.unsigned(1), .array([.unsigned(2)])])),
            ([0xa1, 0x61, 0x61, 1], .map([CBORValue.Entry(.text("a"), .unsigned(1))])),
            ([0x81, 0x81, 0x81, 0x80], .array([.array([.array([.array([])])])])),
        ] as [([UInt8], CBORValue)])
    func valuesOfCBOR(bytes: [UInt8], value: CBORValue) {
        #expect(CBORValue(bytes) == value)
        #expect(value.encoded == bytes)
    }

    @Test(
        arguments: [
            [], [0x18], [0x18, 0x17], [0x19, 0x00, 0xff], [0x1a, 0, 0, 0xff, 0xff], [0x1c], [0x1f],
            [0x5f, 0xff],
            [0x41], [0x61, 0xff], [0x9f, 0xff], [0x81], [0xa1, 1], [0xa2, 1, 2, 1, 3], [0xbf, 0xff],
            [0xc0, 0],
            [0xf6], [0xf7], [0xf8, 0x20], [0xf9, 0, 0], [0xfb, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0],
            [0x81, 0x81, 0x81, 0x81, 0x80], [0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] as [[UInt8]])
    func refusedCBOR(bytes: [UInt8]) {
        #expect(CBORValue(bytes) == nil)
    }

    /// The order of keys of CTAP 2.1, section 8.
    @Test func keysAreSorted() {
        let value: CBORValue = .map(
            [
                CBORValue.text("aa"), .text("b"), .unsigned(300), .unsigned(2), .negative(0), .bytes([1]),
            ].map { CBORValue.Entry($0, .bool(true)) })
        #expect(
            value.encoded
                == [
                    0xa6, 2, 0xf5, 0x19, 1, 44, 0xf5, 0x20, 0xf5, 0x41, 1, 0xf5, 0x61, 0x62, 0xf5, 0x62, 0x61,
                    0x61, 0xf5,
                ])
    }

    @Test(arguments: [0, 1, 56, 57, 58, 116, 117, 1_000, 2_048]) func packetsJoin(count: Int) {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let packets = CTAPPacket.packets(channel: 0x0102_0304, command: 0x10, message: message)
        #expect(packets.count == 1 + max(0, count - 57 + 58) / 59)
        var assembler = CTAPAssembler(channel: 0x0102_0304)
        var steps = packets.map { assembler.take($0) }
        #expect(steps.removeLast() == .message(command: 0x10, message))
        #expect(steps.allSatisfy { $0 == .incomplete })
        var other = CTAPAssembler(channel: 0x0102_0305)
        #expect(packets.allSatisfy { other.take($0) == .foreign })
    }

    // MARK: - the list of devices

    /// The report descriptor of an authenticator: CTAP 2.1, section 11.2.8.2.
    private static let fido: [UInt8] = [
        0x06, 0xd0, 0xf1, 0x09, 0x01, 0xa1, 0x01, 0x09, 0x20, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95,
        0x40, 0x81, 0x02, 0xc0,
    ]
    private static let keyboard: [UInt8] = [0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0xc0]

    @Test func reportDescriptors() {
        #expect(FIDO2Listing.isAuthenticator(Self.fido))
        #expect(FIDO2Listing.isAuthenticator([0x0b, 0x01, 0x00, 0xd0, 0xf1, 0x06, 0xd0, 0xf1, 0xa1, 1]))
        for count in 0..<6 { #expect(!FIDO2Listing.isAuthenticator(Array(Self.fido.prefix(count)))) }
        #expect(!FIDO2Listing.isAuthenticator(Self.keyboard))
        #expect(!FIDO2Listing.isAuthenticator(Self.keyboard + Self.fido))
        #expect(!FIDO2Listing.isAuthenticator([0xfe, 0xff, 0xff]))
        #expect(!FIDO2Listing.isAuthenticator([0x06, 0xd0, 0xf1, 0x09, 0x02, 0xa1, 0x01]))
    }

    @Test func devicesAreListed() throws {
        var template = Array("/tmp/fido2-list-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = system("rm -r \(folder)") }
        func add(_ name: String, _ descriptor: [UInt8], _ event: String?) throws {
            try #require(
                mkdir("\(folder)/\(name)", 0o700) == 0 && mkdir("\(folder)/\(name)/device", 0o700) == 0)
            let files =
                [("report_descriptor", descriptor)] + (event.map { [("uevent", Array($0.utf8))] } ?? [])
            for (file, bytes) in files {
                let number = open("\(folder)/\(name)/device/\(file)", O_WRONLY | O_CREAT, 0o600)
                try #require(write(number, bytes, bytes.count) == bytes.count)
                close(number)
            }
        }
        try add("hidraw10", Self.fido, "DRIVER=hid-generic\nHID_NAME=Key \u{1b}[31mten\nHID_PHYS=usb\n")
        try add("hidraw2", Self.fido, nil)
        try add("hidraw3", Self.keyboard, "HID_NAME=Keyboard\n")
        try add("hidraw04", Self.fido, nil)
        try add("other1", Self.fido, nil)
        try #require(mkdir("\(folder)/hidraw5", 0o700) == 0)
        let found = try FIDO2Listing.present(in: folder)
        #expect(found.map(\.path) == ["/dev/hidraw2", "/dev/hidraw10"])
        #expect(found.map(\.name) == ["", "Key \u{fffd}[31mten"])
        #expect(try FIDO2Listing.present(in: folder + "/none").isEmpty)
    }
}
