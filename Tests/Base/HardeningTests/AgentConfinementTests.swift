import Glibc
import Testing

/// What an agent and its clients can do in their sandboxes. Each operation that is refused also
/// runs without a sandbox, so that the refusal comes from the sandbox.
struct AgentConfinementTests {
    typealias Row = ConfinementTests.Row

    /// The operations that only an agent has a use for, and what it must not do with its
    /// descriptors.
    static let ofAgent = Set(served + refusedToAgent.map(\.operation)).subtracting(shared)

    private static let served = [
        "accept_client", "send_and_receive", "receive_descriptor", "use_event", "see_a_removal",
        "name_of_parent", "remove_named_socket",
    ]

    /// Operations that `ConfinementTests` lists for a signer.
    private static let shared: Set = [
        "start_thread", "read_inside", "replace_inside", "use_memory", "use_time_and_randomness",
        "use_signals",
        "read_limits", "hide_typing", "socket_inet", "socket_unix", "socket_netlink", "socket_pair",
        "exec_program",
        "exec_descriptor", "fork_process", "clone_process", "clone3_process", "vfork_process", "kill_parent",
        "tgkill_parent", "ptrace_me", "process_read", "pidfd", "anonymous_file", "dumpable", "raise_limit",
        "map_executable", "make_executable", "make_fifo", "make_symbolic_link", "use_other_socket",
        "make_socket",
        "read_secret", "write_secret", "read_input", "parent_memory", "create_out", "rename_out",
        "use_unnamed_descriptor", "use_unnamed_listener",
    ]

    private static let refusedToAgent: [Row] =
        [
            "socket_inet", "socket_unix", "socket_netlink", "socket_pair", "exec_program", "exec_descriptor",
            "fork_process", "clone_process", "vfork_process", "kill_parent", "tgkill_parent", "ptrace_me",
            "process_read", "pidfd", "anonymous_file", "dumpable", "raise_limit", "map_executable",
            "make_executable", "make_fifo", "make_symbolic_link", "use_other_socket", "make_socket",
            "send_a_descriptor", "bind_datagrams", "listen_again", "set_socket_option", "watch_more",
            "make_timer", "set_timer",
            "make_event",
        ].map { Row($0, EPERM) }
        // Without a sandbox, nobody has this address.
        + ["send_to_address", "connect_datagrams"].map { Row($0, EPERM, free: .errno(ENOENT)) }
        // A filter can't read the arguments of clone3. glibc then uses clone.
        + [Row("clone3_process", ENOSYS)]
        + [
            "read_secret", "write_secret", "read_input", "parent_memory", "create_out",
            "create_by_socket", "rename_out",
        ].map { Row($0, EACCES) } + ["use_unnamed_descriptor", "use_unnamed_listener"].map { Row($0, EBADF) }

    @Test(arguments: refusedToAgent)
    func isRefusedToAgent(_ row: Row) throws {
        #expect(try Probe.run(["agent"], row.operation) == row.end)
        if let free = row.free { #expect(try Probe.run([], row.operation) == free) }
    }

    /// A thread starts after the sandbox, and one of each other operation that the agent needs.
    @Test(
        arguments: served + [
            "start_thread", "read_inside", "replace_inside", "use_memory", "use_time_and_randomness",
            "use_signals", "read_limits", "hide_typing",
        ])
    func isAllowedToAgent(_ operation: String) throws {
        #expect(try Probe.run(["agent"], operation) == .errno(0))
        #expect(try Probe.run([], operation) == .errno(0))
    }

    @Test(
        arguments: [
            "accept_client", "send_to_address", "send_a_descriptor", "set_timer", "receive_descriptor",
            "name_of_parent", "start_thread", "clone3_process", "fork_process", "exec_program", "socket_unix",
            "use_other_socket", "use_named_socket_again", "read_inside", "replace_inside", "create_out",
            "remove_named_socket", "kill_parent",
        ])
    func isRefusedToClient(_ operation: String) throws {
        let end = try Probe.run(["client"], operation)
        #expect([.errno(EPERM), .errno(EACCES), .errno(EBADF)].contains(end), "\(end)")
    }

    @Test(arguments: [
        "use_named_socket", "read_input", "hide_typing", "use_memory", "use_time_and_randomness",
        "use_signals",
    ])
    func isAllowedToClient(_ operation: String) throws {
        #expect(try Probe.run(["client"], operation) == .errno(0))
    }
}
