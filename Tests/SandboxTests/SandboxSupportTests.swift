import Glibc
import Testing

@testable import Sandbox

/// Kernels that offer less than this one.
struct SandboxSupportTests {
    /// Each version of Landlock forbids what those before it did, and its own.
    private static let since = [
        (1, ["read_secret", "create_outside", "remove_secret", "list_outside", "make_fifo"]), (3, ["truncate_by_name"]),
        (4, ["bind_tcp", "connect_tcp"]), (6, ["kill_parent"]),
    ]

    @Test func thisKernelOffersBoth() {
        let support = SandboxSupport.ofThisKernel()
        #expect(support.hasSeccomp)
        // 5 is Linux 6.10; the tests of what is forbidden need that much.
        #expect(support.landlockVersion ?? 0 >= 5)
        #expect(support == .ofThisKernel())
    }

    @Test(arguments: 1...7)
    func landlockAlone(version: Int) throws {
        for (first, deeds) in Self.since {
            for deed in deeds {
                let end = try Probe.run(["begin:\(version):0"], deed)
                #expect(Self.refusals.contains(end) == (version >= first), "\(deed): \(end)")
            }
        }
        // No version of it keeps a process from a socket, and none from what it needs.
        for deed in [
            "socket_unix", "fork_process", "map_executable", "read_input", "replace_inside", "create_out",
            "hide_typing",
        ] {
            #expect(try Probe.run(["begin:\(version):0"], deed) == .errno(0), "\(deed)")
        }
        #expect(try Probe.run(["begin:\(version):0"], "exec_program") == .errno(EACCES))
    }

    private static let refusals = [Probe.End.errno(EACCES), .errno(EPERM)]

    @Test func seccompAlone() throws {
        for deed in ["read_secret", "create_outside", "rename_out", "read_input", "replace_inside", "hide_typing"] {
            #expect(try Probe.run(["begin:0:1"], deed) == .errno(0), "\(deed)")
        }
        for deed in [
            "socket_inet", "exec_program", "fork_process", "kill_parent", "process_read", "make_executable",
            "make_symbolic_link",
        ] {
            #expect(try Probe.run(["begin:0:1"], deed) == .errno(EPERM), "\(deed)")
        }
        #expect(try Probe.run(["begin:0:1", "narrow"], "read_input") == .errno(0))
    }

    @Test func neither() throws {
        for deed in ["socket_inet", "exec_program", "fork_process", "read_secret", "create_outside", "make_executable"]
        {
            #expect(try Probe.run(["begin:0:0"], deed) == .errno(0), "\(deed)")
        }
    }

    /// Of a kernel newer than this file as much is forbidden as it knows: the rights that are asked
    /// for stay those of version 5.
    @Test func aNewerKernel() {
        #expect(LandlockRights.known(toVersion: 99) == LandlockRights.known(toVersion: 5))
        #expect(
            LandlockRights.known(toVersion: 99).contains([.execute, .useDevice, LandlockRights(rawValue: 1 << 13)]))
    }
}
