/// A process that could not be confined, where the kernel offers it.
package enum SandboxError: Error, Equatable {
    /// What the system refused.
    package enum Step: Equatable, Sendable {
        case privileges, ruleset, rule, enforcing, filter
    }

    case system(Step, errno: Int32)
}
