import Glibc
import TestSupport
import Testing

struct ChildTests {
    /// `nohup make test`, a background job and some CI systems start the tests with signals
    /// ignored.
    @Test func ignoredSignalsAreNotInherited() throws {
        let number = __libc_current_sigrtmin() + 7
        signal(number, SIG_IGN)
        defer { signal(number, SIG_DFL) }
        let child = Child(
            path: "/bin/sh", arguments: ["-c", "kill -\(number) $$; echo survived"], environment: [:],
            directory: "/")
        let result = try child.run()
        #expect(result.status == 128 + number)
        #expect(result.output.isEmpty)
    }
}
