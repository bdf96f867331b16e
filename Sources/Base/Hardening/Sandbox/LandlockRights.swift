/// File operations that Landlock can forbid, as the bits of its interface
/// (include/uapi/linux/landlock.h).
struct LandlockRights: OptionSet {
    let rawValue: UInt64

    static let execute = LandlockRights(rawValue: 1 << 0)
    static let writeFile = LandlockRights(rawValue: 1 << 1)
    static let readFile = LandlockRights(rawValue: 1 << 2)
    static let readFolder = LandlockRights(rawValue: 1 << 3)
    static let removeFolder = LandlockRights(rawValue: 1 << 4)
    static let removeFile = LandlockRights(rawValue: 1 << 5)
    static let makeFolder = LandlockRights(rawValue: 1 << 7)
    static let makeFile = LandlockRights(rawValue: 1 << 8)
    static let truncate = LandlockRights(rawValue: 1 << 14)
    /// ioctl on a device that was opened under the ruleset. Without this right the program can't
    /// recognise a terminal.
    static let useDevice = LandlockRights(rawValue: 1 << 15)

    /// The rights that a rule for a file may allow. The other rights apply to folders only.
    static let ofFile: LandlockRights = [.execute, .writeFile, .readFile, .truncate, .useDevice]

    /// All rights that an ABI version can forbid. A right is forbidden where no rule allows it. No
    /// rule ever allows running programs, creating devices, sockets, FIFOs or symbolic links, or
    /// moving a file to another folder.
    static func known(toVersion version: Int) -> LandlockRights {
        let count =
            switch version {
            case ...1: 13
            case 2: 14  // moving and linking across folders
            case 3, 4: 15  // truncating
            default: 16  // ioctl on devices
            }
        return LandlockRights(rawValue: 1 << count - 1)
    }
}

/// Operations other than file operations that Landlock can forbid. All of them are forbidden.
enum LandlockScope {
    /// Binding a TCP port, and connecting to one.
    static func network(ofVersion version: Int) -> UInt64 { version >= 4 ? 0b11 : 0 }

    /// Connecting to abstract Unix sockets and sending signals outside of the sandbox.
    static func processes(ofVersion version: Int) -> UInt64 { version >= 6 ? 0b11 : 0 }
}
