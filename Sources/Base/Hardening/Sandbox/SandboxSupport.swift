import CSandbox
import Glibc

/// The restrictions that the kernel offers.
package struct SandboxSupport: Equatable, Sendable {
    /// The version of Landlock's ABI, from 1; nil where the kernel has no Landlock or has it
    /// disabled.
    package let landlockVersion: Int?

    /// True if system calls can be filtered.
    package let hasSeccomp: Bool

    /// Why support could not be determined: a filter on this process or lack of memory. Such a
    /// failure does not mean that the kernel offers less.
    let refusal: SandboxError?

    /// True if the kernel offers both Landlock and seccomp.
    package var isWhole: Bool { hasSeccomp && landlockVersion != nil }

    /// Simulates a kernel that offers less than this one, for tests.
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

    /// The support of this kernel at the first call. The result is stored because a confined
    /// process can't query it any more.
    package static func ofThisKernel() -> SandboxSupport { asked }

    private static let asked = SandboxSupport(asking: ())
}
