import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// Without free disk space, the program reports it and the vault is unchanged. The tests use a
/// limit on the size of files, and a small file system where the system can mount one.
struct FullDiskTests {
    @Test(arguments: KillTests.commands)
    func withAFileSizeLimit(_ command: Command) throws {
        let bench = try Workbench()
        try bench.make(keys: 1...3)
        try bench.addCredential()
        try bench.save()
        let before = try bench.readState()
        let size = try Files.read(bench.vault).count / 512
        var (refused, done) = (0, 0)
        // Limits in blocks of 512 bytes. They leave room for a part of the journal, for the whole
        // journal, or for everything.
        let limits =
            Torture.isLong
            ? Array(16...(size + 24)) : Array(stride(from: 16, through: 64, by: 5)) + [size / 2, size + 24]
        for limit in limits {
            try bench.restore()
            let run = try bench.program.run(
                path: "/bin/sh",
                ["-c", "ulimit -f \(limit); exec \"$@\"", "sh", try Program.path]
                    + command.arguments(pin: "old") + [
                        "--vault", "data/vault.db",
                    ])
            refused += run.status == 1 ? 1 : 0
            done += run.status == 0 ? 1 : 0
            try expectConsistent(command, run, bench, before)
        }
        #expect(refused > 0 && done > 0)
        Torture.report("full disk, \(command.name), with a file size limit: \(refused) refused, \(done) done")
    }

    private func expectConsistent(
        _ command: Command, _ run: Program.Run, _ bench: Workbench, _ before: Workbench.State
    )
        throws
    {
        let isConsistent = try bench.readState() == (run.status == 0 ? command.applied(to: before) : before)
        #expect(isConsistent, "\(run.error)")
        #expect(
            run.status == 0
                || run.status == 1 && run.error.contains("the disk is full; the vault was not changed"),
            "\(run.error)")
        #expect(Files.names(in: bench.folder.path + "/data") == ["vault.db"])
    }

    /// Mounts a file system that is a few pages larger than the vault in separate namespaces, and
    /// imports keys until it is full.
    @Test func onASmallFileSystem() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...3)
        let script = """
            mount -t tmpfs -o size=176k,mode=700 tmpfs small && cp -p data/vault.db small/ && df small >&2 || exit 99
            done=0
            for key in $(seq 4 200); do
                "$0" import key-$key --label "key $key" --pin-file old --vault small/vault.db >out 2>error &&
                    done=$((done + 1)) && continue
                grep -q 'the disk is full; the vault was not changed' error || { cat error >&2; exit 98; }
                test "$("$0" list --vault small/vault.db | wc -l)" = $((done + 3)) || exit 97
                test "$(ls -A small)" = vault.db || exit 96
                "$0" sign transfer.json --chain eos --key 'key 3' --yes --pin-file old \
                    --vault small/vault.db >out 2>error
                echo "$done"
                cp -p small/vault.db data/full.db
                exit 0
            done
            exit 95
            """
        mkdir(bench.folder.path + "/small", 0o700)
        let run = try Self.runInNamespace(script, bench)
        guard let run else {
            Torture.report("full disk: no file system can be mounted here; tested with a file size limit")
            return try withAFileSizeLimit(.importing(9))
        }
        #expect(run.status == 0, "\(run.error)")
        let count = Int(run.output.dropLast()) ?? 0
        #expect(count > 0)
        #expect(try TrialVault.snapshot(at: bench.folder.path + "/data/full.db").entries.count == count + 3)
        Torture.report(
            "full disk, a file system of 176 KiB: \(count) imports, then a refusal and an unchanged vault")
    }

    /// - Returns: nil where no file system can be mounted.
    private static func runInNamespace(_ script: String, _ bench: Workbench) throws -> Program.Run? {
        for unshare in [["--user", "--map-root-user", "--mount"], ["--mount"]] {
            let able = try bench.program.run(
                path: "/usr/bin/env", ["unshare"] + unshare + ["mount", "-t", "tmpfs", "tmpfs", "small"])
            guard able.status == 0 else { continue }
            return try bench.program.run(
                path: "/usr/bin/env", ["unshare"] + unshare + ["sh", "-c", script, Program.path])
        }
        return nil
    }
}
