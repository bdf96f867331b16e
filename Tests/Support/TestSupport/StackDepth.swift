import CProbe

/// The number of bytes that `body` writes to on the stack below this call.
public func stackDepth(_ body: () -> Void) -> Int {
    withoutActuallyEscaping(body) { body in
        var body = body
        return withUnsafeMutablePointer(to: &body) { pointer in
            probe_stack_depth({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
        }
    }
}
