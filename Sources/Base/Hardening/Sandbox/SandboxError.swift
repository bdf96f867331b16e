/// The kernel offers a restriction, but the process could not be confined.
package enum SandboxError: Error, Equatable {
    /// The operation that the kernel refused.
    package enum Step: Equatable, Sendable {
        case privileges, ruleset, rule, enforcing, filter
    }

    case system(Step, errno: Int32)
}
