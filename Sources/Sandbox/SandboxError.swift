/// A process that could not be confined, where the kernel offers it.
public enum SandboxError: Error, Equatable {
    /// What the system refused.
    public enum Step: Equatable, Sendable {
        case privileges, ruleset, rule, enforcing, filter
    }

    case system(Step, errno: Int32)
}
