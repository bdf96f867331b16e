import COperations
import CSandbox
import Glibc
import Testing

/// Interprets the filter for every system call.
struct FilterTests {
    static let signer = Int32(SANDBOX_SIGNER.rawValue)
    private static let scanner = Int32(SANDBOX_SCANNER.rawValue)
    private static let decoder = Int32(SANDBOX_DECODER.rawValue)

    static let allow: UInt32 = 0x7fff_0000
    private static let kill: UInt32 = 0x8000_0000
    static let error: UInt32 = 0x0005_0000

    static let refused = error | UInt32(EPERM)

    /// The calls that are allowed with any arguments, with their numbers on x86_64 and aarch64.
    /// This list repeats that of sandbox.c, so that an added call is a deliberate change in two
    /// places.
    private static let open: [String: (x86: UInt32, arm: UInt32)] = [
        "brk": (12, 214), "clock_getres": (229, 114), "clock_gettime": (228, 113),
        "clock_nanosleep": (230, 115),
        "close": (3, 57),
        "exit": (60, 93), "exit_group": (231, 94), "faccessat": (269, 48), "faccessat2": (439, 439),
        "fadvise64": (221, 223),
        "fdatasync": (75, 83), "fstat": (5, 80), "fstatfs": (138, 44), "fsync": (74, 82),
        "ftruncate": (77, 46),
        "futex": (202, 98),
        "getcwd": (79, 17),
        "getdents64": (217, 61), "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176),
        "getpid": (39, 172),
        "getrandom": (318, 278), "getrusage": (98, 165), "gettid": (186, 178), "gettimeofday": (96, 169),
        "getuid": (102, 174),
        "landlock_add_rule": (445, 445), "landlock_create_ruleset": (444, 444),
        "landlock_restrict_self": (446, 446),
        "linkat": (265, 37), "lseek": (8, 62), "madvise": (28, 233), "mkdirat": (258, 34),
        "mlock": (149, 228),
        "mlock2": (325, 284),
        "mremap": (25, 216), "munlock": (150, 229), "munmap": (11, 215), "nanosleep": (35, 101),
        "newfstatat": (262, 79),
        "openat": (257, 56), "ppoll": (271, 73), "pread64": (17, 67), "pselect6": (270, 72),
        "pwrite64": (18, 68),
        "read": (0, 63),
        "readlinkat": (267, 78), "readv": (19, 65), "renameat": (264, 38), "renameat2": (316, 276),
        "restart_syscall": (219, 128),
        "rt_sigaction": (13, 134), "rt_sigpending": (127, 136), "rt_sigprocmask": (14, 135),
        "rt_sigreturn": (15, 139),
        "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "sched_getaffinity": (204, 123),
        "sched_yield": (24, 124),
        "sigaltstack": (131, 132), "signalfd4": (289, 74), "statx": (332, 291), "sysinfo": (99, 179),
        "uname": (63, 160),
        "unlinkat": (263, 35), "write": (1, 64), "writev": (20, 66),
    ]

    /// Calls that only x86_64 has.
    private static let old: [String: UInt32] = [
        "access": 21, "link": 86, "lstat": 6, "mkdir": 83, "open": 2, "poll": 7, "readlink": 89, "rename": 82,
        "rmdir": 84,
        "select": 23, "stat": 4, "time": 201, "unlink": 87,
    ]

    /// Calls that are allowed with certain arguments.
    private static let examined: [String: (x86: UInt32, arm: UInt32)] = [
        "mmap": (9, 222), "mprotect": (10, 226), "fchmod": (91, 52), "ioctl": (16, 29), "fcntl": (72, 25),
        "kill": (62, 129),
        "tgkill": (234, 131), "prlimit64": (302, 261),
    ]

    #if arch(x86_64)
        static let openCalls = Set(open.values.map(\.x86) + old.values)
    #else
        static let openCalls = Set(open.values.map(\.arm))
    #endif

    private static func number(_ name: String) throws -> UInt32 {
        let call = try #require(examined[name])
        #if arch(x86_64)
            return call.x86
        #else
            return call.arm
        #endif
    }

    /// With all bits set in all arguments, no call with examined arguments is allowed.
    @Test func everyCallIsAllowedOrRefused() {
        for call in 0...469 as ClosedRange<UInt32> {
            #expect(
                filter_verdict(Self.signer, call, .max, 0)
                    == (Self.openCalls.contains(call) ? Self.allow : Self.refused),
                "call \(call)")
        }
    }

    /// With all arguments zero, the calls with examined arguments are allowed. Exceptions are calls
    /// that examine a command or a process, for which zero is not allowed.
    @Test func onlyExaminedCallsDependOnArguments() throws {
        let byZero = Set(try ["mmap", "mprotect", "fchmod", "fcntl", "prlimit64"].map(Self.number))
        for call in 0...469 as ClosedRange<UInt32> {
            let isAllowed = Self.openCalls.contains(call) || byZero.contains(call)
            #expect(
                filter_verdict(Self.signer, call, 0, 0) == (isAllowed ? Self.allow : Self.refused),
                "call \(call)")
        }
    }

    // MARK: arguments

    private func verdict(
        _ name: String, _ argument: Int32, _ value: UInt, profile: Int32 = signer
    ) throws -> UInt32 {
        filter_verdict_of_one(profile, try Self.number(name), argument, value)
    }

    @Test(arguments: ["mmap", "mprotect"])
    func executableMemoryIsRefused(_ name: String) throws {
        for bit in 0..<64 {
            #expect(try verdict(name, 2, 1 << bit) == (bit == 2 ? Self.refused : Self.allow), "bit \(bit)")
        }
        #expect(try verdict(name, 2, 7) == Self.refused)
        #expect(try verdict(name, 3, .max) == Self.allow)
    }

    @Test func modesForOthersAreRefused() throws {
        let kept = [7, 8, 12, 13, 14, 15]
        for bit in 0..<16 {
            #expect(
                try verdict("fchmod", 1, 1 << bit) == (kept.contains(bit) ? Self.allow : Self.refused),
                "bit \(bit)")
        }
        #expect(try verdict("fchmod", 1, 0o600) == Self.allow)
        #expect(try verdict("fchmod", 1, 0o601) == Self.refused)
    }

    @Test func onlyKnownTerminalRequestsAreAllowed() throws {
        // TCGETS and TCSETS… (also for termios2), TCFLSH, TIOCGPGRP and TIOCGWINSZ.
        let requests: Set<UInt> = [
            0x5401, 0x5402, 0x5403, 0x5404, 0x540b, 0x540f, 0x5413, 0x802c_542a, 0x402c_542b, 0x402c_542c,
            0x402c_542d,
        ]
        for request in Array(0...0xffff as ClosedRange<UInt>) + requests {
            #expect(
                try verdict("ioctl", 1, request) == (requests.contains(request) ? Self.allow : Self.refused),
                "\(request)")
        }
    }

    @Test func onlyKnownDescriptorCommandsAreAllowed() throws {
        // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW and
        // F_DUPFD_CLOEXEC.
        let commands: Set<UInt> = [0, 1, 2, 3, 4, 5, 6, 7, 1030]
        for command in 0...1_100 as ClosedRange<UInt> {
            #expect(
                try verdict("fcntl", 1, command) == (commands.contains(command) ? Self.allow : Self.refused),
                "\(command)")
        }
    }

    @Test(arguments: ["kill", "tgkill"])
    func signalsToOthersAreRefused(_ name: String) throws {
        let own = UInt(getpid())
        #expect(try verdict(name, 0, own) == Self.allow)
        for other in [
            0, 1, own - 1, own + 1, UInt(getppid()), UInt(UInt32.max), .max,
            UInt(UInt32(bitPattern: -getpid())),
        ] {
            #expect(try verdict(name, 0, other) == Self.refused, "\(other)")
        }
        #expect(try verdict(name, 1, own) == Self.refused)
    }

    @Test func limitsAreReadOnly() throws {
        for bit in 0..<64 {
            #expect(
                try verdict("prlimit64", 0, 1 << bit) == (bit < 32 ? Self.refused : Self.allow),
                "process, bit \(bit)")
            #expect(try verdict("prlimit64", 2, 1 << bit) == Self.refused, "limit, bit \(bit)")
        }
        for argument in [1, 3] as [Int32] { #expect(try verdict("prlimit64", argument, .max) == Self.allow) }
    }

    @Test(arguments: [470, 1_000, 0x3fff_ffff, 0x4000_0000, 0x4000_0027, 0xffff_ffff] as [UInt32])
    func newerCallsGiveENOSYS(_ call: UInt32) {
        #expect(filter_verdict(Self.signer, call, 0, 0) == Self.error | UInt32(ENOSYS))
    }

    @Test func foreignArchitectureKills() {
        for call in 0...500 { #expect(filter_verdict(Self.signer, UInt32(call), 0, 1) == Self.kill) }
    }

    // MARK: the other profiles

    /// A scanner also makes children, waits for them, lowers its limits and takes another filter.
    private static let children: [String: (x86: UInt32, arm: UInt32)] = [
        "wait4": (61, 260), "pipe2": (293, 59), "seccomp": (317, 277), "set_robust_list": (273, 99),
        "close_range": (436, 436), "getppid": (110, 173),
    ]

    /// All calls of a decoder that are allowed with any arguments.
    private static let decoding: Set<String> = [
        "write", "close", "fstat", "brk", "munmap", "mremap", "madvise", "clock_gettime", "gettimeofday",
        "getrandom",
        "rt_sigprocmask", "rt_sigreturn", "getpid", "gettid", "sched_yield", "futex", "exit", "exit_group",
        "time",
    ]

    static func native(_ call: (x86: UInt32, arm: UInt32)) -> UInt32 {
        #if arch(x86_64)
            return call.x86
        #else
            return call.arm
        #endif
    }

    private static let decodingCalls: Set<UInt32> = {
        var calls = Set(open.filter { decoding.contains($0.key) }.values.map(native))
        #if arch(x86_64)
            calls.formUnion(old.filter { decoding.contains($0.key) }.values)
        #endif
        return calls
    }()

    @Test func scannerAlsoMakesChildren() {
        let allowed = Self.openCalls.union(Self.children.values.map(Self.native))
        for call in 0...469 as ClosedRange<UInt32> {
            #expect(
                filter_verdict(Self.scanner, call, .max, 0)
                    == (allowed.contains(call) ? Self.allow : Self.refused),
                "call \(call)")
        }
    }

    @Test func decoderOpensNothing() {
        for call in 0...469 as ClosedRange<UInt32> {
            #expect(
                filter_verdict(Self.decoder, call, .max, 0)
                    == (Self.decodingCalls.contains(call) ? Self.allow : Self.refused),
                "call \(call)")
        }
        let opening = ["openat", "read", "newfstatat", "linkat", "unlinkat", "landlock_create_ruleset"]
        for name in opening { #expect(!Self.decoding.contains(name)) }
    }

    @Test func onlyScannerUsesCamera() throws {
        // QUERYCAP, ENUM_FMT, S_FMT, REQBUFS, QUERYBUF, QBUF, DQBUF, STREAMON and STREAMOFF.
        let requests: [UInt] = [
            0x8068_5600, 0xc040_5602, 0xc0d0_5605, 0xc014_5608, 0xc058_5609, 0xc058_560f, 0xc058_5611,
            0x4004_5612,
            0x4004_5613,
        ]
        for request in requests {
            #expect(try verdict("ioctl", 1, request, profile: Self.scanner) == Self.allow)
            #expect(try verdict("ioctl", 1, request, profile: Self.signer) == Self.refused)
            #expect(try verdict("ioctl", 1, request, profile: Self.decoder) == Self.refused)
        }
        // VIDIOC_S_CTRL and TIOCSTI.
        for request in [0xc008_561c, 0x5412] as [UInt] {
            #expect(try verdict("ioctl", 1, request, profile: Self.scanner) == Self.refused)
        }
    }

    /// The flags of fork(2) are allowed; a new namespace is not.
    @Test func onlyScannerClones() {
        #if arch(x86_64)
            let clone: UInt32 = 56
        #else
            let clone: UInt32 = 220
        #endif
        let fork: UInt = 0x0120_0011
        #expect(filter_verdict_of_one(Self.scanner, clone, 0, fork) == Self.allow)
        #expect(filter_verdict_of_one(Self.signer, clone, 0, fork) == Self.refused)
        #expect(filter_verdict_of_one(Self.decoder, clone, 0, fork) == Self.refused)
        for bit in [17, 25, 26, 27, 28, 29, 30] {
            #expect(
                filter_verdict_of_one(Self.scanner, clone, 0, fork | 1 << bit) == Self.refused, "bit \(bit)")
        }
    }

    /// PR_SET_PDEATHSIG is 1. PR_SET_DUMPABLE, PR_SET_SECCOMP and the others are refused.
    @Test func onlyScannerEndsItsChildren() {
        #if arch(x86_64)
            let prctl: UInt32 = 157
        #else
            let prctl: UInt32 = 167
        #endif
        for request in 0...80 as ClosedRange<UInt> {
            #expect(
                filter_verdict_of_one(Self.scanner, prctl, 0, request)
                    == (request == 1 ? Self.allow : Self.refused))
            #expect(filter_verdict_of_one(Self.decoder, prctl, 0, request) == Self.refused)
        }
    }

    @Test func onlyScannerSetsItsLimits() throws {
        #expect(try verdict("prlimit64", 2, 1, profile: Self.scanner) == Self.allow)
        #expect(try verdict("prlimit64", 0, 1, profile: Self.scanner) == Self.refused)
        #expect(try verdict("prlimit64", 2, 1, profile: Self.decoder) == Self.refused)
    }

    @Test(arguments: [scanner, decoder])
    func memoryIsNeverExecutable(profile: Int32) throws {
        for name in ["mmap", "mprotect"] {
            #expect(try verdict(name, 2, 4, profile: profile) == Self.refused)
            #expect(try verdict(name, 2, 3, profile: profile) == Self.allow)
        }
        for call in 0...500 { #expect(filter_verdict(profile, UInt32(call), 0, 1) == Self.kill) }
    }
}
