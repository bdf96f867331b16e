import CDeeds
import Glibc
import Sandbox

/// `SandboxProbe STEP… DEED`, in a folder as deeds.h has it: gives away what the steps say, then
/// does the deed. The exit status is its errno, 0 when it was done, and 200 when the sandbox could
/// not be begun.
///
/// - `begin`: as a command would, which reads `input`, changes files in `inside`, makes one in
///   `out`, and asks at the terminal
/// - `begin:N:S`: on a kernel that has version N of Landlock (0: none), and seccomp if S is 1
/// - `narrow`: to `inside` alone
/// - `keep:FOLDER`: begins with that folder, which is made
@main
enum SandboxProbe {
    static let access =
        FileAccess.reading("input") + .changing(in: "inside") + .making(in: "out") + .terminal + .reading("missing")
        + .readingBeneath("nowhere")

    static func main() {
        // A deed that waits for ever fails its test.
        alarm(600)
        var support = SandboxSupport.ofThisKernel()
        do {
            for step in CommandLine.arguments.dropFirst().dropLast() { try take(step, &support) }
        } catch {
            exit(200)
        }
        exit(deed_do(CommandLine.arguments.last ?? ""))
    }

    private static func take(_ step: String, _ support: inout SandboxSupport) throws {
        let words = step.split(separator: ":")
        switch words[0] {
        case "begin" where words.count == 3:
            let version = Int(words[1]) ?? 0
            support = SandboxSupport(landlockVersion: version > 0 ? version : nil, hasSeccomp: words[2] == "1")
            try Confinement.begin(access, support: support)
        case "begin": try Confinement.begin(access)
        case "narrow": try Confinement.narrow(to: .changing(in: "inside"), support: support)
        case "keep": try Confinement.begin(.keeping(in: String(words[1])))
        default: exit(201)
        }
    }
}
