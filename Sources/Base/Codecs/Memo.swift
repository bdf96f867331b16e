import Synchronization

/// A value that is made at its first use. Threads may make it at the same time; all get the one
/// that is stored first. There is no lock: it would call `syscall`, which few targets may call.
///
/// A memo is not a part of the value that has it, so two memos are always equal.
package final class Memo<Value: Sendable>: Sendable, Hashable {
    private final class Made: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let made = AtomicLazyReference<Made>()

    package init() {}

    package func value(_ make: () -> Value) -> Value {
        (made.load() ?? made.storeIfNil(Made(make()))).value
    }

    package static func == (left: Memo, right: Memo) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
