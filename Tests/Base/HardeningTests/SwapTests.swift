import Testing

@testable import Hardening

struct SwapTests {
    private static let luks = "CRYPT-LUKS2-0123456789abcdef0123456789abcdef-swap"

    /// The storage of one swap area on these devices.
    private func storage(_ line: String, _ files: [String: String], links: [String: String] = [:]) throws
        -> Storage?
    {
        let areas = try FakeTree(.swaps(line) + files, links: links).swapAreas
        #expect(areas?.count == 1)
        return areas?.first?.storage
    }

    @Test func noneAndUnreadable() throws {
        #expect(try FakeTree(.swaps()).swapAreas == [])
        #expect(try FakeTree([:]).swapAreas == nil)
        #expect(try FakeTree(["/proc/swaps": "something else\n"]).swapAreas == nil)
        #expect(try FakeTree(["/proc/swaps": ""]).swapAreas == nil)
    }

    @Test func partition() throws {
        let line = "/dev/sda2                               partition\t8388604\t0\t-2"
        let areas = try FakeTree(.swaps(line) + .devices(["sda2": ["size": "1"]])).swapAreas
        #expect(areas == [SwapArea(name: "/dev/sda2", storage: .unknown)])
        #expect(try storage(line, .devices([:])) == .unknown, "a device that sysfs does not list")
    }

    @Test(arguments: [
        (luks, Storage.encrypted), ("CRYPT-PLAIN-cryptswap1", .encrypted), ("CRYPT-LUKS1-0-x", .encrypted),
        ("LVM-abc", .unknown),
        ("CRYPT-VERITY-0-x", .unknown), ("CRYPT-INTEGRITY-0-x", .unknown), ("", .unknown),
    ])
    func deviceMapper(uuid: String, expected: Storage) throws {
        #expect(try storage("/dev/dm-0 partition 1 0 -2", .devices(["dm-0": ["dm/uuid": uuid]])) == expected)
    }

    @Test func devicesOnDevices() throws {
        let line = "/dev/dm-1 partition 1 0 -2"
        let volume: [String: [String: String]] = ["dm-1": ["dm/uuid": "LVM-abc", "slaves/dm-0/x": ""]]
        #expect(
            try storage(line, .devices(volume.merging(["dm-0": ["dm/uuid": Self.luks]]) { $1 })) == .encrypted
        )
        #expect(
            try storage(line, .devices(volume.merging(["dm-0": ["dm/uuid": "LVM-def"]]) { $1 })) == .unknown)
        #expect(try storage(line, .devices(volume)) == .unknown, "a device on an unknown device")
        // One unencrypted device of two decides.
        let two: [String: [String: String]] = [
            "dm-1": ["slaves/dm-0/x": "", "slaves/sdb1/x": ""], "dm-0": ["dm/uuid": Self.luks], "sdb1": [:],
        ]
        #expect(try storage(line, .devices(two)) == .unknown)
        #expect(try storage(line, .devices(["dm-1": ["slaves/dm-1/x": ""]])) == .unknown, "a loop")
    }

    @Test func compressedMemory() throws {
        let line = "/dev/zram0 partition 1 0 100"
        #expect(try storage(line, .devices(["zram0": [:]])) == .memory)
        #expect(try storage(line, .devices(["zram0": ["backing_dev": "none"]])) == .memory)
        #expect(
            try storage(line, .devices(["zram0": ["backing_dev": "/dev/sda3"], "sda3": [:]])) == .unknown)
        #expect(try storage(line, .devices([:])) == .unknown, "a device that sysfs does not list")
        #expect(try storage("/dev/zram0p1 partition 1 0 100", .devices(["zram0p1": [:]])) == .unknown)
    }

    /// The path of a swap file may lead to another file here, as in a container.
    @Test(arguments: ["/swapfile", "/dev/zram0", "/dev/dm-0"])
    func fileIsUnknown(path: String) throws {
        let devices: [String: String] = .devices(["zram0": [:], "dm-0": ["dm/uuid": Self.luks]])
        #expect(try storage("\(path) file 1 0 -2", devices) == .unknown)
    }

    @Test(arguments: [
        "/dev/sda2", "/dev/sda2 magic 1 0 -2", "sda2 partition 1 0 -2", "/dev/../etc partition 1 0 -2",
        "/x\\777 file",
        "\\ file", "dm-0 partition 1 0 -2", "/dev/dm-0", "/dev/ partition",
    ])
    func malformedLinesAreUnknown(line: String) throws {
        #expect(try storage(line, .devices(["sda2": [:], "dm-0": ["dm/uuid": Self.luks]])) == .unknown)
    }

    // MARK: - hibernation

    @Test(arguments: [
        (
            "freeze mem disk\n", "[platform] shutdown\n", "/dev/sda2 partition 1 0 -2",
            Hibernation.possible(.unknown)
        ),
        ("freeze mem disk\n", "[platform] shutdown\n", "/dev/dm-0 partition 1 0 -2", .possible(.encrypted)),
        ("freeze mem disk\n", "[platform] shutdown\n", "/dev/zram0 partition 1 0 -2", .withoutSwap),
        ("freeze mem disk\n", "[disabled]\n", "/dev/sda2 partition 1 0 -2", .impossible),
        ("freeze mem\n", "[platform]\n", "/dev/sda2 partition 1 0 -2", .impossible),
        ("\n", "", "/dev/sda2 partition 1 0 -2", .impossible),
    ])
    func hibernation(states: String, ways: String, swap: String, expected: Hibernation) throws {
        let devices: [String: String] = .devices(["sda2": [:], "zram0": [:], "dm-0": ["dm/uuid": Self.luks]])
        let tree = try FakeTree(
            .swaps(swap) + devices + ["/sys/power/state": states, "/sys/power/disk": ways])
        #expect(tree.hibernation == expected)
    }

    @Test func hibernationUnknown() throws {
        #expect(try FakeTree([:]).hibernation == .unknown)
        #expect(try FakeTree(["/sys/power/state": "disk"]).hibernation == .unknown)
        #expect(
            try FakeTree(["/sys/power/state": "disk", "/sys/power/disk": "[platform]"]).hibernation
                == .unknown)
    }
}
