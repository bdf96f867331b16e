import Glibc
import Machine
import Testing

struct SwapTests {
    private static let luks = "CRYPT-LUKS2-0123456789abcdef0123456789abcdef-swap"

    /// The storage of one swap area on these devices.
    private func storage(_ line: String, _ files: [String: String], links: [String: String] = [:]) throws -> Storage? {
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
        #expect(areas == [SwapArea(name: "/dev/sda2", storage: .plain)])
        #expect(try storage(line, .devices([:])) == .unknown, "a device that sysfs does not list")
        #expect(try storage("/dev/cciss/c0d0 partition 1 0 -2", .devices(["cciss!c0d0": [:]])) == .plain)
    }

    @Test(arguments: [
        (luks, Storage.encrypted), ("CRYPT-PLAIN-cryptswap1", .encrypted), ("CRYPT-LUKS1-0-x", .encrypted),
        ("LVM-abc", .plain),
        ("CRYPT-VERITY-0-x", .plain), ("CRYPT-INTEGRITY-0-x", .plain), ("", .plain),
    ])
    func deviceMapper(uuid: String, expected: Storage) throws {
        #expect(try storage("/dev/dm-0 partition 1 0 -2", .devices(["dm-0": ["dm/uuid": uuid]])) == expected)
        #expect(
            try storage(
                "/dev/mapper/swap partition 1 0 -2",
                .devices(["dm-0": ["dm/uuid": uuid, "dm/name": "swap"], "sda": [:]]))
                == expected)
    }

    @Test func devicesOnDevices() throws {
        let line = "/dev/dm-1 partition 1 0 -2"
        let volume: [String: [String: String]] = ["dm-1": ["dm/uuid": "LVM-abc", "slaves/dm-0/x": ""]]
        #expect(try storage(line, .devices(volume.merging(["dm-0": ["dm/uuid": Self.luks]]) { $1 })) == .encrypted)
        #expect(try storage(line, .devices(volume.merging(["dm-0": ["dm/uuid": "LVM-def"]]) { $1 })) == .plain)
        #expect(try storage(line, .devices(volume)) == .unknown, "a device on an unknown device")
        // One unencrypted device of two decides.
        let two: [String: [String: String]] = [
            "dm-1": ["slaves/dm-0/x": "", "slaves/sdb1/x": ""], "dm-0": ["dm/uuid": Self.luks], "sdb1": [:],
        ]
        #expect(try storage(line, .devices(two)) == .plain)
        #expect(try storage(line, .devices(["dm-1": ["slaves/dm-1/x": ""]])) == .unknown, "a loop")
    }

    @Test func partitionOfAnArray() throws {
        let files: [String: String] =
            .devices(["dm-0": ["dm/uuid": Self.luks]]) + [
                "/sys/devices/md0/uevent": "DEVNAME=md0\n", "/sys/devices/md0/slaves/dm-0/x": "",
                "/sys/devices/md0/md0p1/uevent": "DEVNAME=md0p1\n", "/sys/devices/md0/md0p1/partition": "1\n",
            ]
        let links = ["/sys/class/block/md0p1": "../../devices/md0/md0p1", "/sys/class/block/md0": "../../devices/md0"]
        #expect(try storage("/dev/md0p1 partition 1 0 -2", files, links: links) == .encrypted)
    }

    @Test func compressedMemory() throws {
        let line = "/dev/zram0 partition 1 0 100"
        #expect(try storage(line, .devices(["zram0": [:]])) == .memory)
        #expect(try storage(line, .devices(["zram0": ["backing_dev": "none"]])) == .memory)
        #expect(try storage(line, .devices(["zram0": ["backing_dev": "/dev/sda3"], "sda3": [:]])) == .plain)
        #expect(
            try storage(line, .devices(["zram0": ["backing_dev": "/dev/dm-0"], "dm-0": ["dm/uuid": Self.luks]]))
                == .encrypted)
    }

    @Test func volumeOfZFSIsUnknown() throws {
        #expect(try storage("/dev/zd0 partition 1 0 -2", .devices(["zd0": [:]])) == .unknown)
    }

    // MARK: - files

    private static let root = "21 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n"

    private static func home(_ mount: String) -> String {
        "\(mount) 21 254:0 / /srv/my\\040data rw - xfs /dev/mapper/data rw\n"
    }

    private static let page = Int(getpagesize())
    /// A swap file of two pages: the header and one usable page.
    private static let swap = String(repeating: "\0", count: 2 * page)

    /// - Parameter seen: the content of the file at the path now; nil where there is none.
    private func file(
        _ path: String, mounts: String, links: [String: String], _ devices: [String: [String: String]],
        seen: String? = swap
    ) throws -> Storage? {
        let files = seen.map { [path.replacing("\\040", with: " "): $0] } ?? [:]
        let line = "\(path) file \(Self.page / 1024) 0 -2"
        return try storage(line, .devices(devices) + files + ["/proc/self/mountinfo": mounts], links: links)
    }

    @Test func storageOfAFileIsThatOfItsFileSystem() throws {
        let links = ["/sys/dev/block/8:2": "../../class/block/sda2", "/sys/dev/block/254:0": "../../class/block/dm-0"]
        let devices = ["sda2": [:], "dm-0": ["dm/uuid": Self.luks]]
        let mounts = Self.root + Self.home(try FakeTree.mount())
        #expect(try file("/swapfile", mounts: mounts, links: links, devices) == .plain)
        #expect(try file("/srv/my\\040data/swap", mounts: mounts, links: links, devices) == .encrypted)
        #expect(
            try file("/srv/my\\040database", mounts: mounts, links: links, devices) == .plain,
            "the mount point is no prefix of this path")
        #expect(try file("/swapfile", mounts: "", links: links, devices) == .unknown)
    }

    /// In a container, and behind a later mount, the path leads to another file. The result must
    /// then not be better than unknown.
    @Test func fileThatIsNotVisibleIsNotSafe() throws {
        let links = ["/sys/dev/block/8:2": "../../class/block/sda2", "/sys/dev/block/254:0": "../../class/block/dm-0"]
        let devices = ["sda2": [:], "dm-0": ["dm/uuid": Self.luks]]
        let own = try FakeTree.mount()
        let mounts = Self.root + Self.home(own)
        let path = "/srv/my\\040data/swap"
        #expect(try file(path, mounts: mounts, links: links, devices) == .encrypted)
        #expect(try file(path, mounts: mounts, links: links, devices, seen: nil) == .unknown, "no file")
        #expect(try file(path, mounts: mounts, links: links, devices, seen: "") == .unknown, "another, smaller file")
        #expect(
            try file(path, mounts: mounts, links: links, devices, seen: Self.swap + Self.swap) == .unknown,
            "another, larger file")
        #expect(try file(path + "/", mounts: mounts, links: links, devices, seen: "") == .unknown, "a folder")
        let link = links.merging(["/srv/my data/swap": "other"]) { $1 }
        #expect(try file(path, mounts: mounts, links: link, devices, seen: nil) == .unknown, "a link")
        #expect(
            try file(path, mounts: Self.root + Self.home("0"), links: links, devices) == .unknown,
            "the file is on another mount")
        let over = Self.root + "\(own) 1 254:0 / / rw - ext4 /dev/dm-0 rw\n"
        #expect(try file("/swapfile", mounts: over, links: links, devices) == .unknown, "one mount over another")
        #expect(
            try file("/swapfile", mounts: Self.root, links: links, devices, seen: nil) == .plain,
            "an unsafe storage stays unsafe")
    }

    @Test func btrfsUsesAllItsDevices() throws {
        let mounts = "\(try FakeTree.mount()) 1 0:25 /@ / rw - btrfs /dev/mapper/one rw\n"
        let devices = ["dm-0": ["dm/uuid": Self.luks, "dm/name": "one"], "sdb": [:]]
        #expect(try file("/swap/file", mounts: mounts, links: [:], devices) == .encrypted)
        let links = [
            "/sys/fs/btrfs/abc/devices/dm-0": "../../../../class/block/dm-0",
            "/sys/fs/btrfs/abc/devices/sdb": "../../../../class/block/sdb",
        ]
        #expect(try file("/swap/file", mounts: mounts, links: links, devices) == .plain)
    }

    @Test func loopDevice() throws {
        let files: [String: String] =
            .devices(["loop0": ["loop/backing_file": "/swap.img"], "sda2": [:]]) + ["/proc/self/mountinfo": Self.root]
        #expect(
            try storage("/dev/loop0 partition 1 0 -2", files, links: ["/sys/dev/block/8:2": "../../class/block/sda2"])
                == .plain)
    }

    @Test(arguments: [
        "/dev/sda2", "/dev/sda2 magic 1 0 -2", "sda2 partition 1 0 -2", "/dev/../etc partition 1 0 -2", "/x\\777 file",
        "\\ file",
    ])
    func malformedLinesAreUnknown(line: String) throws {
        #expect(
            try storage(
                line, .devices(["sda2": [:]]) + ["/proc/self/mountinfo": "1 2 - \nx - - - - - - -\n- - - - -\n"])
                == .unknown)
    }

    // MARK: - hibernation

    @Test(arguments: [
        ("freeze mem disk\n", "[platform] shutdown\n", "/dev/sda2 partition 1 0 -2", Hibernation.possible(.plain)),
        ("freeze mem disk\n", "[platform] shutdown\n", "/dev/dm-0 partition 1 0 -2", .possible(.encrypted)),
        ("freeze mem disk\n", "[platform] shutdown\n", "/dev/zram0 partition 1 0 -2", .withoutSwap),
        ("freeze mem disk\n", "[disabled]\n", "/dev/sda2 partition 1 0 -2", .impossible),
        ("freeze mem\n", "[platform]\n", "/dev/sda2 partition 1 0 -2", .impossible),
        ("\n", "", "/dev/sda2 partition 1 0 -2", .impossible),
    ])
    func hibernation(states: String, ways: String, swap: String, expected: Hibernation) throws {
        let devices: [String: String] = .devices(["sda2": [:], "zram0": [:], "dm-0": ["dm/uuid": Self.luks]])
        let tree = try FakeTree(.swaps(swap) + devices + ["/sys/power/state": states, "/sys/power/disk": ways])
        #expect(tree.hibernation == expected)
    }

    @Test func hibernationUnknown() throws {
        #expect(try FakeTree([:]).hibernation == .unknown)
        #expect(try FakeTree(["/sys/power/state": "disk"]).hibernation == .unknown)
        #expect(try FakeTree(["/sys/power/state": "disk", "/sys/power/disk": "[platform]"]).hibernation == .unknown)
    }
}
