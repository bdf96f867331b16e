import Glibc
import Testing

@testable import Hardening

struct SystemTreeTests {
    @Test func interfaces() throws {
        let tree = try FakeTree([
            "/sys/class/net/lo/type": "772\n", "/sys/class/net/lo/flags": "0x9\n",
            "/sys/class/net/eth0/type": "1\n", "/sys/class/net/eth0/flags": "0x1003\n",
            "/sys/class/net/eth0/carrier": "1\n",
            "/sys/class/net/eth1/type": "1\n", "/sys/class/net/eth1/flags": "0x1002\n",
            "/sys/class/net/eth1/operstate": "down\n",
            "/sys/class/net/tun0/type": "65534\n", "/sys/class/net/tun0/flags": "0x1\n",
            "/sys/class/net/tun0/operstate": "up\n",
            "/sys/class/net/odd0/type": "x\n", "/sys/class/net/odd0/flags": "up\n",
            "/sys/class/net/odd0/operstate": "unknown\n",
            "/sys/class/net/bonding_masters": "\n",
        ])
        #expect(
            tree.networkInterfaces == [
                NetworkInterface(name: "eth0", isUp: true, isConnected: true),
                NetworkInterface(name: "eth1", isUp: false, isConnected: false),
                NetworkInterface(name: "odd0", isUp: nil, isConnected: nil),
                NetworkInterface(name: "tun0", isUp: true, isConnected: true),
            ])
        #expect(try FakeTree([:]).networkInterfaces == nil)
    }

    @Test func radios() throws {
        let tree = try FakeTree([
            "/sys/class/rfkill/rfkill0/type": "wlan\n", "/sys/class/rfkill/rfkill0/soft": "0\n",
            "/sys/class/rfkill/rfkill0/hard": "0\n",
            "/sys/class/rfkill/rfkill1/type": "bluetooth\n", "/sys/class/rfkill/rfkill1/soft": "1\n",
            "/sys/class/rfkill/rfkill1/hard": "?\n",
            "/sys/class/rfkill/rfkill2/soft": "0\n",
        ])
        #expect(
            tree.radios == [
                Radio(kind: "wlan", isOn: true), Radio(kind: "bluetooth", isOn: false),
                Radio(kind: "unknown", isOn: nil),
            ])
    }

    /// A radio without a switch may be on. The absence of switches does not mean that there is no
    /// radio.
    @Test func radiosWithoutSwitches() throws {
        #expect(try FakeTree([:]).radios == nil)
        #expect(try FakeTree(["/sys/class/rfkill": ""]).radios == nil)
        #expect(try FakeTree(["/sys/class/net/eth0/type": "1\n"]).radios == nil)
        #expect(
            try FakeTree(["/sys/class/ieee80211/phy0/index": "0\n"]).radios == [
                Radio(kind: "wlan", isOn: nil)
            ])
        #expect(
            try FakeTree(["/sys/class/net/wlan0/phy80211/index": "0\n"]).radios == [
                Radio(kind: "wlan", isOn: nil)
            ])
        #expect(
            try FakeTree(["/sys/class/bluetooth/hci0/uevent": "", "/sys/class/wwan/wwan0/uevent": ""]).radios
                == [Radio(kind: "bluetooth", isOn: nil), Radio(kind: "wwan", isOn: nil)])
        // A switch covers every radio of its kind, and no other kind.
        let blocked = ["/sys/class/rfkill/rfkill0/type": "wlan\n", "/sys/class/rfkill/rfkill0/soft": "1\n"]
        let driven = ["/sys/class/ieee80211/phy0/index": "0\n", "/sys/class/wwan/wwan0/uevent": ""]
        #expect(
            try FakeTree(blocked + driven).radios == [
                Radio(kind: "wlan", isOn: false), Radio(kind: "wwan", isOn: nil),
            ])
        // An empty list of switches, and no radio.
        #expect(try FakeTree(["/sys/class/rfkill/": ""]).radios == [])
    }

    @Test(arguments: [
        ("core\n", CoreDumps.file("core")),
        ("|/usr/lib/systemd/systemd-coredump %P %u\n", .program("/usr/lib/systemd/systemd-coredump")),
        ("\n", .nothing), ("", .nothing), ("|", .program("")),
    ])
    func coreDumps(pattern: String, expected: CoreDumps) throws {
        #expect(try FakeTree(["/proc/sys/kernel/core_pattern": pattern]).coreDumps == expected)
    }

    @Test func kernel() throws {
        let tree = try FakeTree([
            "/proc/sys/kernel/osrelease": "6.1.0-18-amd64\n", "/proc/sys/kernel/yama/ptrace_scope": "1\n",
            "/proc/sys/kernel/randomize_va_space": "2\n",
            "/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu vme hypervisor lm\n",
            "/etc/ld.so.preload": "# none\n/usr/lib/libone.so /two.so:three.so # four.so\n",
            "/sys/class/rtc/rtc0/name": "rtc\n",
        ])
        #expect(tree.kernelVersion == "6.1.0-18-amd64")
        #expect(tree.mayTraceOthers == false)
        #expect(tree.randomizesAddresses == true)
        #expect(tree.isVirtual == true)
        #expect(tree.preloadedObjects == ["/usr/lib/libone.so", "/two.so", "three.so"])
        #expect(tree.hasBatteryClock == true)
    }

    @Test(
        arguments: [
            ("/proc/self/uid_map", "         0          0 4294967295\n", false),
            ("/proc/self/uid_map", "0 1000 1\n", true),
            ("/proc/self/uid_map", "0 0 65536\n", true), ("/proc/self/uid_map", "", true),
            ("/etc/hostname", "", false),
            ("/.dockerenv", "", true), ("/run/.containerenv", "", true),
            ("/run/systemd/container", "lxc\n", true),
        ])
    func container(path: String, text: String, isContained: Bool) throws {
        #expect(try FakeTree([path: text]).isContained == isContained)
    }

    @Test func missingFilesGiveNil() throws {
        let tree = try FakeTree([:])
        #expect(tree.kernelVersion == nil)
        #expect(tree.coreDumps == nil)
        #expect(tree.mayTraceOthers == nil)
        #expect(tree.randomizesAddresses == nil)
        #expect(tree.isVirtual == nil)
        #expect(tree.preloadedObjects == [])
        #expect(tree.hasBatteryClock == nil)
    }

    @Test(arguments: [
        "", "\n", "-1", "9223372036854775808", "two", "\u{0}\u{0}", String(repeating: "1", count: 2 << 20),
    ])
    func malformedFilesGiveNil(text: String) throws {
        let tree = try FakeTree([
            "/proc/sys/kernel/yama/ptrace_scope": text, "/proc/sys/kernel/randomize_va_space": text,
            "/proc/cpuinfo": text,
            "/sys/class/net/eth0/type": text, "/sys/class/net/eth0/flags": text,
            "/sys/class/net/eth0/carrier": text,
            "/proc/swaps": text,
            "/sys/power/state": text, "/sys/power/disk": text, "/etc/ld.so.preload": "#",
        ])
        #expect(tree.mayTraceOthers == nil)
        #expect(tree.randomizesAddresses == nil)
        #expect(tree.isVirtual == nil)
        #expect(tree.networkInterfaces == [NetworkInterface(name: "eth0", isUp: nil, isConnected: nil)])
        #expect(tree.swapAreas == nil)
    }

    /// Folders in place of files, and files in place of folders.
    @Test func wrongFileTypesGiveNil() throws {
        let tree = try FakeTree([
            "/proc/swaps/x": "", "/sys/class/net": "", "/sys/power/state/x": "",
            "/proc/sys/kernel/core_pattern/x": "",
        ])
        #expect(tree.swapAreas == nil)
        #expect(tree.networkInterfaces == nil)
        #expect(tree.hibernation == .unknown)
        #expect(tree.coreDumps == nil)
    }

    /// The real tree has the values that every Linux system has.
    @Test func thisMachine() {
        let tree = SystemTree()
        #expect(tree.kernelVersion?.isEmpty == false)
        #expect(tree.swapAreas != nil)
        #expect(tree.networkInterfaces != nil)
        #expect(tree.coreDumps != nil)
        #expect(KernelRandom.isReady)
    }

    @Test(arguments: [
        (0, true), (SystemClock.earliest - 1, true), (SystemClock.earliest, false), (0xffff_ffff, false),
        (0x1_0000_0000, true),
    ])
    func clock(now: Int64, isOff: Bool) {
        #expect(SystemClock(now: now, isSynchronised: nil).isOff == isOff)
    }
}
