import CProbe

/// How many bytes of the stack below here `body` writes to.
package func stackDepth(_ body: () -> Void) -> Int {
    withoutActuallyEscaping(body) { body in
        var body = body
        return withUnsafeMutablePointer(to: &body) { pointer in
            probe_stack_depth({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
        }
    }
}
