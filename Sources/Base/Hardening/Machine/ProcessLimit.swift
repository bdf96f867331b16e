import Glibc

/// A limit that the process inherits and may change for itself.
package struct ProcessLimit {
    package static let lockedMemory = ProcessLimit(8)
    package static let core = ProcessLimit(4)
    package static let stack = ProcessLimit(3)

    /// The type is an enum in C.
    private let resource: __rlimit_resource_t

    private init(_ number: UInt32) { resource = __rlimit_resource_t(number) }

    /// In bytes; nil for no limit.
    package struct Value: Equatable {
        package var soft: Int?
        package var hard: Int?
    }

    /// The current limits; zero if they can't be read.
    package var current: Value {
        let limits = limits
        return Value(soft: Self.bytes(limits.rlim_cur), hard: Self.bytes(limits.rlim_max))
    }

    /// Sets both limits to zero.
    package func forbid() { set(rlimit(rlim_cur: 0, rlim_max: 0)) }

    /// Raises the soft limit to the hard limit.
    package func raise() { set(rlimit(rlim_cur: limits.rlim_max, rlim_max: limits.rlim_max)) }

    /// Raises the soft limit to `wanted` bytes, or to the hard limit if that is lower.
    package func raise(to wanted: Int) {
        var limits = limits
        limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, rlim_t(wanted)))
        set(limits)
    }

    private var limits: rlimit {
        var limits = rlimit()
        unsafe getrlimit(resource, &limits)
        return limits
    }

    private func set(_ limits: rlimit) {
        var limits = limits
        _ = unsafe setrlimit(resource, &limits)
    }

    private static func bytes(_ limit: rlim_t) -> Int? { Int(exactly: limit) }
}
