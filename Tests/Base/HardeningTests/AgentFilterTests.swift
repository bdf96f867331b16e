import COperations
import CSandbox
import Glibc
import Testing

/// Interprets the filters of an agent and of its clients for every system call.
struct AgentFilterTests {
    private static let agent = Int32(SANDBOX_AGENT.rawValue)
    private static let client = Int32(SANDBOX_AGENT_CLIENT.rawValue)

    private static let allow = FilterTests.allow
    private static let refused = FilterTests.refused
    private static let unknown = FilterTests.error | UInt32(ENOSYS)

    /// The calls that an agent may make in addition to a signer, with any arguments.
    private static let serving: [String: (x86: UInt32, arm: UInt32)] = [
        "accept4": (288, 242), "getsockopt": (55, 209), "recvfrom": (45, 207), "recvmsg": (47, 212),
        "shutdown": (48, 210), "set_robust_list": (273, 99), "rseq": (334, 293),
    ]
    private static let receiving: Set = ["recvfrom", "shutdown"]

    private static let clone = FilterTests.native((x86: 56, arm: 220))
    private static let sendto = FilterTests.native((x86: 44, arm: 206))
    private static let clone3: UInt32 = 435

    /// With all bits set in all arguments.
    @Test func everyCallIsAllowedOrRefused() {
        let more = Set(Self.serving.values.map(FilterTests.native))
        let few = Set(Self.serving.filter { Self.receiving.contains($0.key) }.values.map(FilterTests.native))
        for call in 0...469 as ClosedRange<UInt32> {
            let isOpen = FilterTests.openCalls.contains(call)
            #expect(
                filter_verdict(Self.agent, call, .max, 0)
                    == (call == Self.clone3
                        ? Self.unknown : isOpen || more.contains(call) ? Self.allow : Self.refused),
                "call \(call)")
            #expect(
                filter_verdict(Self.client, call, .max, 0)
                    == (isOpen || few.contains(call) ? Self.allow : Self.refused), "call \(call)")
        }
    }

    /// The flags of pthread_create, and flags that make a process or a namespace.
    @Test func onlyThreadsAreMade() {
        let thread: UInt = 0x3d_0f00
        #expect(filter_verdict_of_one(Self.agent, Self.clone, 0, thread) == Self.allow)
        #expect(filter_verdict_of_one(Self.client, Self.clone, 0, thread) == Self.refused)
        for bit in 0..<32 {
            let isNamespace = [17, 25, 26, 27, 28, 29, 30].contains(bit)
            #expect(
                filter_verdict_of_one(Self.agent, Self.clone, 0, thread | 1 << bit)
                    == (isNamespace ? Self.refused : Self.allow), "bit \(bit)")
        }
        // CLONE_VM and CLONE_THREAD; fork and vfork.
        for flags in [thread & ~0x100, thread & ~0x1_0000, 0x0120_0011, 0x4111, 0] as [UInt] {
            #expect(filter_verdict_of_one(Self.agent, Self.clone, 0, flags) == Self.refused, "\(flags)")
        }
    }

    /// A message goes to the other end of a connection, and to no address.
    @Test func nothingIsSentToAnAddress() {
        for profile in [Self.agent, Self.client] {
            for argument in [0, 1, 2, 3, 5] as [Int32] {
                #expect(filter_verdict_of_one(profile, Self.sendto, argument, .max) == Self.allow)
            }
            for bit in 0..<64 {
                #expect(
                    filter_verdict_of_one(profile, Self.sendto, 4, 1 << bit) == Self.refused, "bit \(bit)")
            }
        }
    }

    @Test func memoryIsNeverExecutable() {
        let (map, protect) = (
            FilterTests.native((x86: 9, arm: 222)), FilterTests.native((x86: 10, arm: 226))
        )
        for profile in [Self.agent, Self.client] {
            for call in [map, protect] {
                #expect(filter_verdict_of_one(profile, call, 2, 4) == Self.refused)
                #expect(filter_verdict_of_one(profile, call, 2, 3) == Self.allow)
            }
            for call in 0...500 { #expect(filter_verdict(profile, UInt32(call), 0, 1) == 0x8000_0000) }
        }
    }
}
