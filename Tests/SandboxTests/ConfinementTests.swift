import CDeeds
import Glibc
import Testing

@testable import Sandbox

/// What a confined process can't do, each thing tried by a process of its own; and the same without
/// a sandbox, so that it is the sandbox that refuses.
struct ConfinementTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let deed: String
        /// In the sandbox.
        let end: Probe.End
        /// Without one; nil where that is the machine's to say, and not what the sandbox says.
        let free: Probe.End?

        init(_ deed: String, _ end: Probe.End, free: Probe.End? = .errno(0)) {
            (self.deed, self.end, self.free) = (deed, end, free)
        }

        init(_ deed: String, _ errno: Int32, free: Probe.End? = .errno(0)) {
            self.init(deed, .errno(errno), free: free)
        }

        var testDescription: String { deed }
    }

    static let forbidden: [Row] =
        [
            "socket_inet", "socket_inet6_udp", "socket_unix", "socket_netlink", "socket_pair", "bind_tcp",
            "exec_program",
            "exec_descriptor",
            "fork_process", "clone_process", "clone3_process", "vfork_process", "start_thread", "kill_parent",
            "kill_group", "kill_all",
            "tgkill_parent", "own_signals", "ptrace_me", "process_read", "process_write", "pidfd", "anonymous_file",
            "shared_memory",
            "unshare_nothing", "own_user", "read_persona", "dumpable", "raise_limit", "limit_of_parent",
            "map_executable",
            "make_executable",
            "make_executable_by_key", "truncate_by_name", "make_symbolic_link", "make_fifo", "change_mode",
            "change_mode_of_open",
            "change_owner",
            "change_times",
        ].map { Row($0, EPERM) }
        + [
            // What the kernel itself says of these depends on how it was built, on privileges, or
            // on their arguments, which make no sense.
            "connect_tcp", "queue_signal", "pidfd_getfd", "io_uring", "bpf_call", "keyctl_call", "mount_call",
            "perf_event",
            "fault_handler",
            "another_filter", "type_into_terminal", "take_terminal", "change_attribute", "change_root",
        ].map { Row($0, EPERM, free: nil) }
        + [
            "read_secret", "read_passwords", "read_by_symbolic_link", "read_by_dots", "write_secret", "truncate_secret",
            "write_input",
            "remove_secret", "create_outside", "make_folder_outside", "make_folder_inside", "list_outside", "read_out",
            "parent_memory",
            "rename_out", "rename_in", "link_out",
        ].map { Row($0, EACCES) }
        // Another folder is as another disk, also where files may be made in both.
        + ["rename_across", "link_across", "link_in", "name_across"].map { Row($0, EXDEV) }

    static let allowed = [
        "read_input", "read_inside", "look_at_secret", "replace_inside", "create_out", "name_inside", "name_out",
        "use_memory",
        "use_time_and_chance", "use_signals",
        "read_limits", "hide_typing", "terminal_as_input",
    ].map { Row($0, 0) }

    /// Calls that no kernel knows, and how a process ends.
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
        #expect(try Probe.run(["begin"], row.deed) == row.end)
        let free = try Probe.run([], row.deed)
        if let expected = row.free {
            #expect(free == expected)
        } else {
            #expect(free != row.end, "refused without a sandbox too")
        }
    }

    @Test(arguments: allowed + others)
    func isAsBefore(_ row: Row) throws {
        #expect(try Probe.run(["begin"], row.deed) == row.end)
        if let free = row.free { #expect(try Probe.run([], row.deed) == free) }
    }

    @Test func eachDeedIsTried() {
        let names = Set(
            (0...).lazy.map { deed_name($0) }.prefix { $0 != nil }.compactMap { $0.map { String(cString: $0) } })
        #expect(names == Set((Self.forbidden + Self.allowed + Self.others).map(\.deed)))
    }

    // MARK: narrowing, and a folder that is kept

    @Test func narrowingTakesAway() throws {
        #expect(try Probe.run(["begin", "narrow"], "read_inside") == .errno(0))
        for deed in ["read_input", "create_out", "hide_typing"] {
            #expect(try Probe.run(["begin", "narrow"], deed) == .errno(EACCES))
        }
    }

    @Test func narrowingGivesNothing() throws {
        #expect(try Probe.run(["keep:out", "narrow"], "read_inside") == .errno(EACCES))
    }

    @Test func aFolderThatIsKeptIsMade() throws {
        let end = try Probe.run(["keep:inside/made/deep"], "look_at_secret") { folder in
            var status = stat()
            #expect(stat(folder + "/inside/made/deep", &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o700)
        }
        #expect(end == .errno(0))
        // What can't be made is told by whoever needs it.
        #expect(try Probe.run(["keep:input/made"], "look_at_secret") == .errno(0))
    }
}
