/// Evaluates `value`, and converts its error. This is in the lowest module that all modules with
/// such errors import.
@inlinable @inline(__always)
package func converting<Value: ~Copyable, Cause: Error, Failure: Error>(
    _ convert: (Cause) -> Failure, _ value: @autoclosure () throws(Cause) -> Value
) throws(Failure) -> Value {
    do { return try value() } catch { throw convert(error) }
}
