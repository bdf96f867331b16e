import CShim
import Glibc

extension SystemTree {
    /// The swap in use; nil where that can't be told.
    package var swapAreas: [SwapArea]? {
        guard let lines = text("/proc/swaps")?.split(whereSeparator: \.isNewline),
            lines.first?.hasPrefix("Filename") == true
        else {
            return nil
        }
        return lines.dropFirst().map { line in
            let fields = line.split { $0 == " " || $0 == "\t" }
            let name = Self.unescaped(fields.first ?? "")
            let storage: Storage? =
                switch fields.dropFirst().first {
                case "partition": storage(ofDevice: name, depth: 0)
                case "file": storage(ofFile: name, size: fields.dropFirst(2).first.flatMap { UInt64($0) }, depth: 0)
                default: nil
                }
            return SwapArea(name: name, storage: storage ?? .unknown)
        }
    }

    /// Whether the machine may be put to sleep on its disk as it is now.
    package var hibernation: Hibernation {
        guard let states = words("/sys/power/state") else { return .unknown }
        guard states.contains("disk") else { return .impossible }
        // A kernel that is locked down says so here.
        guard let ways = words("/sys/power/disk") else { return .unknown }
        if ways.contains("[disabled]") { return .impossible }
        guard let areas = swapAreas else { return .unknown }
        // Memory can't be kept in memory.
        guard let worst = areas.map(\.storage).filter({ $0 != .memory }).max() else { return .withoutSwap }
        return .possible(worst)
    }

    // MARK: - devices

    /// Devices that lie on devices: more than these are a loop.
    private static let deepest = 16

    /// - Parameter path: below /dev.
    private func storage(ofDevice path: String, depth: Int) -> Storage? {
        guard path.hasPrefix("/dev/") else { return nil }
        var name = String(path.dropFirst("/dev/".count)).replacing("/", with: "!")
        if path.hasPrefix("/dev/mapper/") {
            // The name of a link, which the kernel knows too.
            let mapped = path.dropFirst("/dev/mapper/".count)
            guard
                let device = names(in: "/sys/class/block")?.first(where: { name in
                    value("/sys/class/block/\(name)/dm/name").map { $0 == mapped } ?? false
                })
            else { return nil }
            name = device
        }
        return storage(ofBlockDevice: "/sys/class/block/\(name)", depth: depth)
    }

    /// - Parameter folder: of the device, below /sys.
    private func storage(ofBlockDevice folder: String, depth: Int) -> Storage? {
        guard depth < Self.deepest, let name = deviceName(folder) else { return nil }
        if let uuid = value("\(folder)/dm/uuid"), Self.isEncrypted(uuid) { return .encrypted }
        if name.hasPrefix("zram") {
            // What does not compress well may be written back to a disk.
            guard let backing = value("\(folder)/backing_dev"), backing != "none" else { return .memory }
            return storage(ofDevice: backing, depth: depth + 1)
        }
        if name.hasPrefix("ram") { return .memory }
        if let below = names(in: "\(folder)/slaves"), !below.isEmpty {
            return worst(of: below.map { "/sys/class/block/\($0)" }, depth: depth)
        }
        if let file = value("\(folder)/loop/backing_file") { return storage(ofFile: file, size: nil, depth: depth + 1) }
        // Volumes of ZFS may be encrypted, and nothing here tells.
        if name.hasPrefix("zd") { return nil }
        // A partition is as its disk is, which may lie on others. `..` is the disk's folder, since
        // the partition's is a link to one in it.
        if exists("\(folder)/partition") { return storage(ofBlockDevice: "\(folder)/..", depth: depth + 1) }
        return .plain
    }

    private func worst(of folders: [String], depth: Int) -> Storage? {
        folders.map { storage(ofBlockDevice: $0, depth: depth + 1) ?? .unknown }.max()
    }

    /// The kernel's name of a device; nil where there is none.
    private func deviceName(_ folder: String) -> Substring? {
        text("\(folder)/uevent")?.split(whereSeparator: \.isNewline).first { $0.hasPrefix("DEVNAME=") }?.dropFirst(
            "DEVNAME=".count)
    }

    /// Whether a target of the device mapper encrypts. dm-verity and dm-integrity of their own bear
    /// libcryptsetup's prefix as well.
    private static func isEncrypted(_ uuid: String) -> Bool {
        uuid.hasPrefix("CRYPT-") && !uuid.hasPrefix("CRYPT-VERITY-") && !uuid.hasPrefix("CRYPT-INTEGRITY-")
    }

    // MARK: - files

    /// A file lies where its file system does. That it is safe there is believed of a file that is
    /// seen to be the one in use alone.
    /// - Parameter size: what the kernel uses of it as swap, in KiB; nil where that can't be told.
    private func storage(ofFile path: String, size: UInt64?, depth: Int) -> Storage? {
        guard depth < Self.deepest, let mount = mount(of: path) else { return nil }
        let storage = storage(ofFileOn: mount, depth: depth) ?? .unknown
        return isSeen(path, size: size, on: mount) ? storage : max(storage, .unknown)
    }

    private func storage(ofFileOn mount: Mount, depth: Int) -> Storage? {
        if mount.type == "btrfs" { return storage(ofBtrfsOn: mount.source, depth: depth) }
        // File systems of several devices, or of none, have a number of their own.
        if mount.device.hasPrefix("0:") { return storage(ofDevice: mount.source, depth: depth + 1) }
        return storage(ofBlockDevice: "/sys/dev/block/\(mount.device)", depth: depth + 1)
    }

    /// Whether the file at a path is the one that the kernel uses. The path is true of the mounts
    /// that the kernel had when it was told to use the file: those of this process may be others,
    /// as in a container, and what was mounted since may hide the file behind another.
    private func isSeen(_ path: String, size: UInt64?, on mount: Mount) -> Bool {
        guard let size, size < 1 << 50, let file = file(path), mount.isAlone, mount.identity == "\(file.mount)" else {
            return false
        }
        // All of it but its first page, which describes it, and a rest that fills no page.
        let page = UInt64(clamping: getpagesize())
        return (size * 1024 + page..<size * 1024 + 2 * page).contains(file.size)
    }

    /// Its bytes may lie on any of its devices, of which the mount names one.
    private func storage(ofBtrfsOn source: String, depth: Int) -> Storage? {
        guard let named = storage(ofDevice: source, depth: depth + 1) else { return nil }
        for system in names(in: "/sys/fs/btrfs") ?? [] {
            let folder = "/sys/fs/btrfs/\(system)/devices"
            let devices = names(in: folder) ?? []
            if devices.contains(where: { isDevice("\(folder)/\($0)", source) }) {
                return worst(of: devices.map { "\(folder)/\($0)" }, depth: depth)
            }
        }
        return named
    }

    private func isDevice(_ folder: String, _ path: String) -> Bool {
        guard let name = deviceName(folder) else { return false }
        return path == "/dev/\(name)" || value("\(folder)/dm/name").map { path == "/dev/mapper/\($0)" } ?? false
    }

    private struct Mount {
        var identity: Substring
        var point: String
        /// `8:2`
        var device: Substring
        var type: Substring
        var source: String
        /// Whether no other is mounted at its point.
        var isAlone = true
    }

    /// What is mounted where a file lies: the longest of the points above it, and the last of
    /// those.
    private func mount(of path: String) -> Mount? {
        let all = text("/proc/self/mountinfo")?.split(whereSeparator: \.isNewline).compactMap(Self.mount) ?? []
        var best: Mount?
        for mount in all where path.hasPrefix(mount.point == "/" ? "/" : mount.point + "/") {
            guard mount.point.utf8.count >= best?.point.utf8.count ?? 0 else { continue }
            let isAlone = mount.point != best?.point
            best = mount
            best?.isAlone = isAlone
        }
        return best
    }

    /// `36 35 98:0 /root /point options [fields] - type source options` (proc(5))
    private static func mount(_ line: Substring) -> Mount? {
        let fields = line.split(separator: " ")
        guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 2 else {
            return nil
        }
        return Mount(
            identity: fields[0], point: unescaped(fields[4]), device: fields[2], type: fields[separator + 1],
            source: unescaped(fields[separator + 2]))
    }

    /// The kernel writes spaces and the like in octal: `\040`.
    private static func unescaped(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 3)], as: UTF8.self), radix: 8)
            {
                result.append(byte)
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
