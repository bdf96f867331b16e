import Files
import Glibc
import Hardening
import Synchronization
import TestSupport
import Testing

@testable import eosvault_agent

/// Asks shell scripts. Each test runs in a process of its own, because a program is asked through a
/// process that is forked.
struct ConsentProgramTests {
    /// A script in a folder for a test, and the process that asks it.
    private final class Asked: Sendable {
        let folder: TemporaryFolder
        let program: ConsentProgram

        init(_ script: String) throws {
            folder = try TemporaryFolder()
            let path = folder.path + "/program"
            try Files.write(
                Array("#!/bin/sh\n\(script)\n".replacing("$FOLDER", with: folder.path).utf8), to: path)
            chmod(path, 0o700)
            program = try ConsentProgram(path)
        }

        func ask(_ json: String = "{}", limit: Int = 100, timeout: Double = 60) -> ConsentAnswer {
            program.ask(json: Array(json.utf8), limit: limit, timeout: timeout) { false }
        }

        func text(_ name: String) throws -> String {
            String(decoding: try Files.read(folder.path + "/" + name), as: UTF8.self)
        }

        /// Waits for a file that the script makes.
        func wait(for name: String) throws {
            for _ in 0..<6_000 where access(folder.path + "/" + name, F_OK) != 0 { usleep(10_000) }
            try #require(access(folder.path + "/" + name, F_OK) == 0)
        }

        /// Waits until the process whose id is in the file has ended.
        func waitForEnd(_ name: String) throws {
            let process = try #require(Int32(text(name).filter(\.isNumber)))
            for _ in 0..<6_000 where kill(process, 0) == 0 { usleep(10_000) }
            #expect(kill(process, 0) != 0)
        }
    }

    private static func exited(_ status: UInt8, _ output: String = "") -> ConsentAnswer {
        ConsentAnswer(.exited, number: status, output: Array(output.utf8))
    }

    @Test func theReviewIsReadAndAnswered() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("read -r line; echo \"$line\"; cat >&2")
            #expect(asked.ask("abc\n") == Self.exited(0, "abc\n"))
            #expect(asked.ask("def\n") == Self.exited(0, "def\n"))
            // The longest answer, and one byte more.
            #expect(asked.ask("abc\n", limit: 4) == Self.exited(0, "abc\n"))
            #expect(asked.ask("abc\n", limit: 3) == ConsentAnswer(.tooLong))
        }
    }

    /// More than a pipe holds.
    @Test func aLongReviewIsRead() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("wc -c")
            #expect(asked.ask(String(repeating: "x", count: 3 << 20)) == Self.exited(0, "3145728\n"))
            let longest = ConsentQuestion.maximumInput
            #expect(asked.ask(String(repeating: "x", count: longest)) == Self.exited(0, "16777216\n"))
            #expect(asked.ask(String(repeating: "x", count: longest + 1)) == ConsentAnswer(.unavailable))
        }
    }

    @Test func theProgramHasNothingElse() async {
        await #expect(processExitsWith: .success) {
            setenv("SECRET", "in the environment", 1)
            let kept = open("/dev/null", O_RDWR)
            #expect(kept > 2)
            let asked = try Asked(
                """
                echo "$0 $#" $(pwd) > $FOLDER/start
                tr '\\0' '\\n' < /proc/$$/environ > $FOLDER/environment
                ls /proc/$$/fd > $FOLDER/descriptors
                cut -d' ' -f1,5,6 /proc/$$/stat > $FOLDER/group
                echo $$ $$ $$ > $FOLDER/process
                grep -E 'SigBlk|SigIgn|NoNewPrivs' /proc/$$/status | tr -d '\\t' > $FOLDER/status
                """)
            #expect(asked.ask() == Self.exited(0))
            #expect(try asked.text("start") == "/dev/fd/3 0 /\n")
            #expect(try asked.text("environment") == "PATH=/usr/local/bin:/usr/bin:/bin\n")
            // Descriptor 3 is the script. A shell also opens it under a number from 10 on.
            let descriptors = try asked.text("descriptors").split(separator: "\n").filter {
                $0.utf8.count == 1
            }
            #expect(descriptors == ["0", "1", "2", "3"])
            #expect(try asked.text("group") == asked.text("process"))
            let states = try asked.text("status").split { $0 == "\n" || $0 == ":" }
            try #require(states.count == 6)
            #expect(Int(states[1], radix: 16) == 0)
            // 32 and 33 are glibc's own. A program can't change them.
            #expect(Int(states[3], radix: 16).map { $0 & ~0x1_8000_0000 } == 0)
            #expect(states[5] == "1")
        }
    }

    /// A program that is no script has no further descriptor.
    @Test func aBinaryIsRun() async {
        await #expect(processExitsWith: .success) {
            let program = try ConsentProgram("/usr/bin/cat")
            let answer = program.ask(json: Array("abc".utf8), limit: 3, timeout: 60) { false }
            #expect(answer == Self.exited(0, "abc"))
        }
    }

    @Test func otherEndsAreReported() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("read -r line; echo yes; eval \"$line\"")
            #expect(asked.ask("exit 3\n") == Self.exited(3, "yes\n"))
            #expect(asked.ask("kill -TERM $$\n") == ConsentAnswer(.killed, number: UInt8(SIGTERM)))
            #expect(asked.ask("kill -KILL $$\n").status == nil)
            // Without a line, the script reads nothing and succeeds.
            #expect(asked.ask("") == Self.exited(0, "yes\n"))
            // It reads a part of a long review, or nothing of it.
            #expect(asked.ask("exit 0\n" + String(repeating: "x", count: 1 << 20)) == Self.exited(0, "yes\n"))
            #expect(try Asked("exit 0").ask(String(repeating: "x", count: 1 << 20)) == Self.exited(0))
        }
    }

    @Test func writingWithoutEndIsRefused() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("echo $$ > $FOLDER/process; exec cat /dev/zero")
            #expect(asked.ask() == ConsentAnswer(.tooLong))
            try asked.waitForEnd("process")
        }
    }

    /// It does not read, and holds its output open.
    @Test func theTimeIsLimited() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("echo $$ > $FOLDER/process; exec sleep 600")
            #expect(
                asked.ask(String(repeating: "x", count: 1 << 20), timeout: 0.2) == ConsentAnswer(.timedOut))
            try asked.waitForEnd("process")
            #expect(asked.ask(timeout: 0) == ConsentAnswer(.timedOut))
        }
    }

    /// A process that the program started could add to the output later.
    @Test func aGrandchildIsEnded() async {
        await #expect(processExitsWith: .success) {
            let holding = try Asked("sleep 600 & echo $! > $FOLDER/process; echo yes")
            #expect(holding.ask(timeout: 0.5) == ConsentAnswer(.timedOut))
            try holding.waitForEnd("process")
            // Once the program has failed, nothing is awaited.
            let failing = try Asked("sleep 600 & echo $! > $FOLDER/process; exit 4")
            #expect(failing.ask() == Self.exited(4))
            try failing.waitForEnd("process")
            let closing = try Asked("sleep 600 > /dev/null 2>&1 & echo $! > $FOLDER/process; echo yes")
            #expect(closing.ask() == Self.exited(0, "yes\n"))
            try closing.waitForEnd("process")
        }
    }

    @Test func aWithdrawnQuestionEndsTheProgram() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("sleep 600 & echo $! > $FOLDER/second; echo $$ > $FOLDER/process; wait")
            let path = asked.folder.path + "/process"
            let answer = asked.program.ask(json: [], limit: 9, timeout: 60) { access(path, F_OK) == 0 }
            #expect(answer == ConsentAnswer(.withdrawn))
            try asked.waitForEnd("process")
            try asked.waitForEnd("second")
        }
    }

    @Test func theProgramEndsWithTheAgent() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let program = path + "/program"
            try Files.write(
                Array(
                    "#!/bin/sh\nsleep 600 & echo $! > \(path)/second; echo $$ > \(path)/first; wait\n".utf8),
                to: program)
            chmod(program, 0o700)
            _ = try ConsentProgram(program).ask(json: [], limit: 9, timeout: 60) {
                if access(path + "/first", F_OK) == 0 { kill(getpid(), SIGKILL) }
                return false
            }
        }
        for name in ["first", "second"] {
            let text = String(decoding: try Files.read(path + "/" + name), as: UTF8.self)
            let process = try #require(Int32(text.filter(\.isNumber)))
            for _ in 0..<6_000 where kill(process, 0) == 0 { usleep(10_000) }
            #expect(kill(process, 0) != 0)
        }
    }

    @Test func aChangedProgramIsNotRun() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("echo yes")
            chmod(asked.folder.path + "/program", 0o722)
            #expect(asked.ask() == ConsentAnswer(.notStarted))
            chmod(asked.folder.path + "/program", 0o700)
            #expect(asked.ask() == Self.exited(0, "yes\n"))
            unlink(asked.folder.path + "/program")
            #expect(asked.ask() == ConsentAnswer(.notStarted))
        }
    }

    /// Five questions at once, of which four run.
    @Test func questionsRunAtOnce() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked(
                """
                read -r name; echo started > "$FOLDER/$name"
                while [ ! -e $FOLDER/go ]; do sleep 0.01; done; echo "$name"
                """)
            let program = asked.program
            let answers = Mutex<[[UInt8]]>([])
            let names = (0..<5).map { "q\($0)" }
            let threads = names.map { name in
                TestThread {
                    let answer = program.ask(json: Array((name + "\n").utf8), limit: 9, timeout: 60) { false }
                    answers.withLock { $0.append(answer.output) }
                }
            }
            func started() -> Int { names.count { access(asked.folder.path + "/" + $0, F_OK) == 0 } }
            for _ in 0..<6_000 where started() < 4 { usleep(10_000) }
            usleep(100_000)
            #expect(started() == 4)
            // A further question can be withdrawn while it waits.
            #expect(program.ask(json: [], limit: 9, timeout: 60) { true } == ConsentAnswer(.withdrawn))
            close(open(asked.folder.path + "/go", O_WRONLY | O_CREAT, 0o600))
            for thread in threads { thread.join() }
            let outputs = answers.withLock { $0.map { String(decoding: $0, as: UTF8.self) }.sorted() }
            #expect(outputs == names.map { $0 + "\n" })
        }
    }

    /// As the agent does: the sandbox begins between the fork and the questions.
    @Test func aConfinedProcessAsks() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("read -r line; echo \"$line\"")
            try Confinement.begin(asked.program.access + .readingBeneath(asked.folder.path), .agent)
            #expect(asked.ask("abc\n") == Self.exited(0, "abc\n"))
            #expect(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) < 0)
        }
    }

    /// The program kills the process that waits for it.
    @Test func withoutTheWaitingProcessNothingIsAccepted() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("echo $$ > $FOLDER/process; echo yes; kill -KILL $PPID; exec sleep 600")
            #expect(asked.ask() == ConsentAnswer(.unavailable))
            try asked.waitForEnd("process")
            #expect(asked.ask() == ConsentAnswer(.unavailable))
        }
    }

    @Test func withoutTheStarterNothingIsAccepted() async {
        await #expect(processExitsWith: .success) {
            let asked = try Asked("kill -KILL $(cut -d' ' -f4 /proc/$PPID/stat); echo yes")
            // The process of this question goes on; the next question finds no starter.
            #expect(asked.ask() == Self.exited(0, "yes\n"))
            #expect(asked.ask() == ConsentAnswer(.unavailable))
        }
    }
}
