import Files
import Glibc
import Hardening
import Messages

// The program is started by eosvault and eosvault-agent: it speaks the protocol of the module
// `Tokens` on its standard streams.
func print(_ text: String, to file: FileDescriptor, status: Int32) -> Never {
    unsafe try? file.write(Array((text + "\n").utf8).span.bytes)
    exit(status)
}

if CommandLine.arguments.dropFirst() == ["--version"] {
    print(Release.version, to: .standardOutput, status: 0)
}
guard CommandLine.arguments.count == 1, isatty(STDIN_FILENO) != 1 else {
    print(
        "eosvault-token: error: only eosvault starts this program\n"
            + "eosvault-token: hint: see `eosvault help token`", to: .standardError, status: 64)
}
signal(SIGPIPE, SIG_IGN)
guard ThisProcess.protectMemory(), let router = try? Router() else { exit(1) }
router.run()
