import COperations
import Glibc
import Testing

@testable import Hardening

/// Tests what a confined process can't do. A separate process runs each operation, once in the
/// sandbox and once without it, so that a refusal comes from the sandbox.
struct ConfinementTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let operation: String
        /// The result in the sandbox.
        let end: Probe.End
        /// The result without a sandbox. If it is nil, the result depends on the machine, but must
        /// differ from the result in the sandbox.
        let free: Probe.End?

        init(_ operation: String, _ end: Probe.End, free: Probe.End? = .errno(0)) {
            (self.operation, self.end, self.free) = (operation, end, free)
        }

        init(_ operation: String, _ errno: Int32, free: Probe.End? = .errno(0)) {
            self.init(operation, .errno(errno), free: free)
        }

        var testDescription: String { operation }
    }

    static let forbidden: [Row] =
        [
            "socket_inet", "socket_inet6_udp", "socket_unix", "socket_netlink", "socket_pair", "bind_tcp",
            "exec_program",
            "exec_descriptor",
            "fork_process", "clone_process", "clone3_process", "vfork_process", "start_thread", "kill_parent",
            "kill_group", "kill_all",
            "tgkill_parent", "own_signals", "ptrace_me", "process_read", "process_write", "pidfd",
            "anonymous_file",
            "shared_memory",
            "unshare_nothing", "own_user", "read_persona", "dumpable", "raise_limit", "limit_of_parent",
            "map_executable",
            "make_executable",
            "make_executable_by_key", "truncate_by_name", "make_symbolic_link", "make_fifo", "change_mode",
            "change_mode_of_open",
            "change_owner",
            "change_times", "use_other_socket", "use_named_socket_again", "make_socket",
        ].map { Row($0, EPERM) }
        + [
            // Without a sandbox the result depends on the kernel's configuration, on privileges, or
            // on the arguments, which are invalid.
            "connect_tcp", "queue_signal", "pidfd_getfd", "io_uring", "bpf_call", "keyctl_call", "mount_call",
            "perf_event",
            "fault_handler",
            "another_filter", "type_into_terminal", "take_terminal", "change_attribute", "change_root",
        ].map { Row($0, EPERM, free: nil) }
        + [
            "read_secret", "read_passwords", "read_by_symbolic_link", "read_by_dots", "write_secret",
            "truncate_secret",
            "write_input",
            "remove_secret", "create_outside", "make_folder_outside", "make_folder_inside", "list_outside",
            "read_out",
            "parent_memory",
            "rename_out", "rename_in", "link_out", "use_other_device", "use_file_as_device",
        ].map { Row($0, EACCES) }
        + ["use_unnamed_descriptor", "use_unnamed_listener"].map { Row($0, EBADF) }
        // Moving to another folder fails as between two disks, also where files may be created in
        // both.
        + ["rename_across", "link_across", "link_in", "name_across"].map { Row($0, EXDEV) }

    static let allowed = [
        "read_input", "read_inside", "look_at_secret", "replace_inside", "create_out", "name_inside",
        "name_out",
        "use_memory",
        "use_time_and_randomness", "use_signals",
        "read_limits", "hide_typing", "terminal_as_input", "use_named_device", "use_named_socket",
        "use_named_descriptor",
    ].map { Row($0, 0) }

    /// Calls that no kernel supports, and operations that end the process.
    static let others = [
        Row("future_call", ENOSYS, free: .errno(ENOSYS)), Row("skipped_call", ENOSYS, free: .errno(ENOSYS)),
        Row("x32_call", ENOSYS, free: nil), Row("i386_call", .signal(SIGSYS), free: nil),
        Row("die_by_abort", .signal(SIGABRT), free: .signal(SIGABRT)),
        Row("die_by_trap", .signal(SIGILL), free: .signal(SIGILL)),
        Row("die_by_address", .signal(SIGSEGV), free: .signal(SIGSEGV)),
        Row("die_by_signal", .signal(SIGTERM), free: .signal(SIGTERM)),
    ]

    @Test(arguments: forbidden)
    func isForbidden(_ row: Row) throws {
        #expect(try Probe.run(["begin"], row.operation) == row.end)
        let free = try Probe.run([], row.operation)
        if let expected = row.free {
            #expect(free == expected)
        } else {
            #expect(free != row.end, "also refused without a sandbox")
        }
    }

    @Test(arguments: allowed + others)
    func isAllowed(_ row: Row) throws {
        #expect(try Probe.run(["begin"], row.operation) == row.end)
        if let free = row.free { #expect(try Probe.run([], row.operation) == free) }
    }

    @Test func everyOperationIsTested() {
        let names = Set(
            (0...).lazy.map { operation_name($0) }.prefix { $0 != nil }.compactMap {
                $0.map { String(cString: $0) }
            })
        #expect(
            names
                == Set((Self.forbidden + Self.allowed + Self.others).map(\.operation)).union(
                    AgentConfinementTests.ofAgent))
    }

    // MARK: narrowing and keeping

    @Test func narrowingRemovesAccess() throws {
        #expect(try Probe.run(["begin", "narrow"], "read_inside") == .errno(0))
        for operation in ["read_input", "create_out", "hide_typing"] {
            #expect(try Probe.run(["begin", "narrow"], operation) == .errno(EACCES))
        }
    }

    @Test func narrowingAddsNoAccess() throws {
        #expect(try Probe.run(["keep:out", "narrow"], "read_inside") == .errno(EACCES))
    }

    @Test func keepingCreatesTheFolder() throws {
        let end = try Probe.run(["keep:inside/made/deep"], "look_at_secret") { folder in
            var status = stat()
            #expect(stat(folder + "/inside/made/deep", &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o700)
        }
        #expect(end == .errno(0))
        // A folder that can't be created is no error here; its later use reports it.
        #expect(try Probe.run(["keep:input/made"], "look_at_secret") == .errno(0))
    }
}
