/// Why a program can't start.
package enum ProcessError: Error, Equatable {
    /// A command-line argument has the shape of a private key.
    case secretArgument
    /// The argument of this number is not UTF-8.
    case argumentNotUTF8(Int)
    /// The kernel refuses to protect this process's memory from other processes.
    case readableProcess
    /// The stack limit, and the smallest sufficient one, in bytes.
    case smallStack(limit: Int, least: Int)
}
