import Files

/// The authenticators that are connected, by the files of the kernel's hidraw driver.
package enum FIDO2Listing {
    /// - Parameter folder: another folder than the kernel's in tests only.
    /// - Returns: the device files in the order of their numbers, with the names that the devices
    ///   state. Empty if the kernel has no hidraw devices.
    /// - Throws: `unreadable`.
    package static func present(
        in folder: String = "/sys/class/hidraw"
    ) throws(FIDO2Error) -> [(path: String, name: String)] {
        let names: [String]
        do throws(FileError) { names = try Folder.names(in: folder) } catch {
            if error.isAbsence { return [] }
            throw .unreadable(errno: error.number)
        }
        var found: [(number: Int, name: String)] = []
        for name in names {
            guard name.hasPrefix("hidraw"), let number = Int(name.dropFirst(6)), "hidraw\(number)" == name,
                let descriptor = try content("\(folder)/\(name)/device/report_descriptor"),
                isAuthenticator(descriptor)
            else { continue }
            let event = try content("\(folder)/\(name)/device/uevent") ?? []
            found.append((number, Self.name(in: event)))
        }
        return found.sorted { $0.number < $1.number }.map { ("/dev/hidraw\($0.number)", $0.name) }
    }

    /// - Returns: nil if the device was removed meanwhile.
    private static func content(_ path: String) throws(FIDO2Error) -> [UInt8]? {
        do throws(FileError) {
            // A report descriptor has at most 4,096 bytes (HID_MAX_DESCRIPTOR_SIZE).
            return try OpenFile(path).withDescriptor { file throws(FileError) in
                try file.bytesToEnd(atMost: 4_096)
            }
        } catch {
            if error.isAbsence { return nil }
            throw .unreadable(errno: error.number)
        }
    }

    /// True if the first collection of a report descriptor has the usage of FIDO: page 0xF1D0,
    /// usage 1 (CTAP 2.1, section 11.2.8.2). The items are those of the HID specification 1.11,
    /// section 6.2.2.
    package static func isAuthenticator(_ descriptor: [UInt8]) -> Bool {
        var rest = descriptor[...]
        var (page, usage): (UInt32?, UInt32?) = (nil, nil)
        while let head = rest.popFirst() {
            // A long item does not occur in practice.
            guard head != 0xfe else { return false }
            let count = [0, 1, 2, 4][Int(head & 3)]
            guard rest.count >= count else { return false }
            let value = rest.prefix(count).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(count)
            switch head & 0xfc {
            case 0x04: page = value
            case 0x08: usage = usage ?? value
            case 0xa0: return page == 0xf1d0 && (usage == 1 || usage == 0xf1d0_0001)
            default: break
            }
        }
        return false
    }

    /// The value of HID_NAME, without control characters, which could change a terminal.
    private static func name(in event: [UInt8]) -> String {
        let key = "HID_NAME="
        let line = event.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key.utf8) }
        let text = String(decoding: line?.dropFirst(key.utf8.count).prefix(128) ?? [], as: UTF8.self)
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    [.control, .format].contains(scalar.properties.generalCategory) ? "\u{fffd}" : scalar
                }))
    }
}
