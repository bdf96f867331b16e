import CShim

/// What the kernel offers to confine a process with.
public struct SandboxSupport: Equatable, Sendable {
    /// The version of Landlock's ABI, from 1; nil where there is none, or it is turned off.
    public let landlockVersion: Int?

    /// Whether system calls can be filtered.
    public let hasSeccomp: Bool

    /// For a test of a kernel that offers less than this one.
    public init(landlockVersion: Int?, hasSeccomp: Bool) {
        self.landlockVersion = landlockVersion
        self.hasSeccomp = hasSeccomp
    }

    /// What this kernel offered when it was first asked: a process that is confined can't ask any more.
    public static func ofThisKernel() -> SandboxSupport { asked }

    private static let asked: SandboxSupport = {
        let version = Int(sandbox_landlock_version())
        return SandboxSupport(landlockVersion: version > 0 ? version : nil, hasSeccomp: sandbox_has_seccomp() == 1)
    }()
}
