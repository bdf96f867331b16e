import CShim
import Glibc

/// What the kernel offers to confine a process with.
package struct SandboxSupport: Equatable, Sendable {
    /// The version of Landlock's ABI, from 1; nil where there is none, or it is turned off.
    package let landlockVersion: Int?

    /// Whether system calls can be filtered.
    package let hasSeccomp: Bool

    /// What kept it from telling: a filter around this process, or want of memory. That is no
    /// kernel that offers less.
    let refusal: SandboxError?

    /// Whether both are there.
    package var isWhole: Bool { hasSeccomp && landlockVersion != nil }

    /// For a test of a kernel that offers less than this one.
    package init(landlockVersion: Int?, hasSeccomp: Bool) {
        self.landlockVersion = landlockVersion
        self.hasSeccomp = hasSeccomp
        refusal = nil
    }

    private init(asking: ()) {
        let version = Int(sandbox_landlock_version())
        var refusal = version < 0 ? SandboxError.system(.ruleset, errno: errno) : nil
        let filters = sandbox_has_seccomp()
        if filters < 0 { refusal = .system(.filter, errno: errno) }
        (landlockVersion, hasSeccomp, self.refusal) = (version > 0 ? version : nil, filters == 1, refusal)
    }

    /// What this kernel offered when it was first asked: a process that is confined can't ask any
    /// more.
    package static func ofThisKernel() -> SandboxSupport { asked }

    private static let asked = SandboxSupport(asking: ())
}
