import Glibc
import Messages

/// The kernel offers a restriction, but the process could not be confined.
package enum SandboxError: Error, Equatable {
    package enum Step: Equatable, Sendable {
        case privileges, ruleset, rule, enforcing, filter
    }

    case system(Step, errno: Int32)
}

extension SandboxError: WordedError {
    package var words: Words {
        let (step, number) =
            switch self {
            case .system(let step, let number): (step, number)
            }
        let part =
            switch step {
            case .privileges: "no_new_privs"
            case .ruleset, .rule, .enforcing: "Landlock, which limits file access"
            case .filter: "seccomp, which limits system calls"
            }
        // landlock_restrict_self(2) fails with E2BIG after 16 rulesets. A process inherits the
        // rulesets of its parent.
        let isFull = step == .enforcing && number == E2BIG
        return Words(
            .sandbox,
            "can't set up the sandbox (\(part)): "
                + (isFull ? "the process is in 16 sandboxes already, the maximum" : systemMessage(number)),
            hint: isFull
                ? "start eosvault from a process that is in fewer sandboxes"
                : "the kernel or a container may forbid it; for debugging, --no-sandbox runs without the sandbox"
        )
    }
}
