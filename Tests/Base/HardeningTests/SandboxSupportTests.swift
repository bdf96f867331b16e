import Glibc
import Testing

@testable import Hardening

/// Tests kernels that offer less than this one.
struct SandboxSupportTests {
    /// The operations that each version of Landlock forbids in addition to the earlier versions.
    private static let since = [
        (1, ["read_secret", "create_outside", "remove_secret", "list_outside", "make_fifo"]),
        (3, ["truncate_by_name"]),
        (4, ["bind_tcp", "connect_tcp"]), (6, ["kill_parent"]),
    ]

    @Test func thisKernelOffersBoth() {
        let support = SandboxSupport.ofThisKernel()
        #expect(support.hasSeccomp)
        // Version 5 is Linux 6.10; ConfinementTests need it.
        #expect(support.landlockVersion ?? 0 >= 5)
        #expect(support == .ofThisKernel())
    }

    @Test(arguments: 1...7)
    func landlockOnly(version: Int) throws {
        for (first, operations) in Self.since {
            for operation in operations {
                let end = try Probe.run(["begin:\(version):0"], operation)
                #expect(Self.refusals.contains(end) == (version >= first), "\(operation): \(end)")
            }
        }
        // No version of Landlock forbids sockets, or operations that a command needs.
        for operation in [
            "socket_unix", "fork_process", "map_executable", "read_input", "replace_inside", "create_out",
            "hide_typing",
        ] {
            #expect(try Probe.run(["begin:\(version):0"], operation) == .errno(0), "\(operation)")
        }
        #expect(try Probe.run(["begin:\(version):0"], "exec_program") == .errno(EACCES))
    }

    private static let refusals = [Probe.End.errno(EACCES), .errno(EPERM)]

    @Test func seccompOnly() throws {
        for operation in [
            "read_secret", "create_outside", "rename_out", "read_input", "replace_inside", "hide_typing",
        ] {
            #expect(try Probe.run(["begin:0:1"], operation) == .errno(0), "\(operation)")
        }
        for operation in [
            "socket_inet", "exec_program", "fork_process", "kill_parent", "process_read", "make_executable",
            "make_symbolic_link",
        ] {
            #expect(try Probe.run(["begin:0:1"], operation) == .errno(EPERM), "\(operation)")
        }
        #expect(try Probe.run(["begin:0:1", "narrow"], "read_input") == .errno(0))
    }

    @Test func withoutSupportNothingIsForbidden() throws {
        for operation in [
            "socket_inet", "exec_program", "fork_process", "read_secret", "create_outside", "make_executable",
        ] {
            #expect(try Probe.run(["begin:0:0"], operation) == .errno(0), "\(operation)")
        }
    }

    /// On a kernel newer than this file, the program requests the same rights as from version 5.
    @Test func newerKernelKeepsKnownRights() {
        #expect(LandlockRights.known(toVersion: 99) == LandlockRights.known(toVersion: 5))
        #expect(
            LandlockRights.known(toVersion: 99).contains([
                .execute, .useDevice, LandlockRights(rawValue: 1 << 13),
            ]))
    }
}
