/// The kernel offers a restriction, but the process could not be confined.
public enum SandboxError: Error, Equatable {
    /// The operation that the kernel refused.
    public enum Step: Equatable, Sendable {
        case privileges, ruleset, rule, enforcing, filter
    }

    case system(Step, errno: Int32)
}
