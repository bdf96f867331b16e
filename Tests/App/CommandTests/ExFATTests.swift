import Glibc
import TestSupport
import Testing

/// Files on exFAT through FUSE, as on a USB stick: without O_TMPFILE, RENAME_NOREPLACE, hard links
/// and modes. The script output-files.txt makes these calls fail on every machine. This test uses
/// the real file system if it can be mounted.
struct ExFATTests {
    @Test func everyCommandWritesToAStick() throws {
        let folder = try TemporaryFolder()
        try Files.write(Array(Self.script.utf8), to: folder.path + "/script")
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        try Files.write(
            Array("5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J".utf8), to: folder.path + "/wif")
        try Files.write(Array(Self.transfer.utf8), to: folder.path + "/transfer.json")
        let environment = [
            "HOME": folder.path, "PATH": try BuiltProgram.folder + ":/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
        ]
        let run = try Child(
            path: "/bin/sh", arguments: ["script"], environment: environment, directory: folder.path
        )
        .run()
        let output = String(decoding: run.output, as: UTF8.self)
        #expect(run.status == 0, "\(output)\(String(decoding: run.error, as: UTF8.self))")
        #expect(output == "done\n" || output.hasPrefix("not run: "))
        if output.hasPrefix("not run: ") {
            // Part of the test's report, so that a skipped test is visible.
            let line = Array("ExFATTests: exFAT by FUSE: \(output)".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        }
    }

    private static let transfer = """
        {"expiration": "2026-12-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896, \
        "actions": [{"account": "eosio.token", \
        "name": "transfer", "authorization": [{"actor": "alice", "permission": "active"}], \
        "data": "0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f"}]}
        """

    private static let script = #"""
        not_run() { echo "not run: $*"; exit 0; }
        test -r /dev/fuse && test -w /dev/fuse || not_run "/dev/fuse can't be opened"
        command -v mount.exfat-fuse >calls && command -v mkfs.exfat >calls ||
            not_run "exfat-fuse and exfatprogs are not installed"
        mkdir stick
        truncate -s 8M image && mkfs.exfat image >messages 2>&1 || not_run "mkfs.exfat fails"
        loop=$(losetup -f --show image 2>messages) || not_run "there is no loop device"
        trap 'cd "$HOME"; umount stick 2>messages; losetup -d "$loop"' EXIT
        mount.exfat-fuse "$loop" stick >messages 2>&1 || not_run "the file system can't be mounted"
        fail() { echo "failed: $*"; cat messages; exit 1; }
        cost="--kdf-passes 1 --kdf-memory 8KiB --insecure-kdf"

        eosvault init --pin-file pin $cost 2>messages || fail init
        eosvault import wif --pin-file pin --label one >messages 2>&1 || fail import
        eosvault backup stick/copy.db --pin-file pin 2>messages || fail backup
        eosvault export one --pin-file pin -o stick/key 2>messages || fail export
        grep -q 'warning: stick/key has mode 777: its file system does not support modes' messages ||
            fail "warning of modes"
        printf '%s\n' "$(cat wif)" | cmp - stick/key || fail "exported key"
        eosvault sign transfer.json --chain eos --pin-file pin --yes -o stick/signed.json 2>messages || fail sign
        grep -q SIG_K1_ stick/signed.json || fail "signed transaction"
        eosvault sign transfer.json --chain eos --pin-file pin --yes -o stick/signed.json 2>messages &&
            fail "nothing is overwritten"
        grep -q 'stick/signed.json: already exists' messages || fail "message of a file that exists"
        eosvault init --vault keyed/vault.db --pin-file pin --keyfile stick/vault.key $cost 2>messages ||
            fail "init --keyfile"
        eosvault create --vault keyed/vault.db --pin-file pin --keyfile stick/vault.key >messages 2>&1 ||
            fail "the key file"
        eosvault restore stick/copy.db --vault restored/vault.db --pin-file pin 2>messages || fail restore
        # the backup is older than the vault, so the exit status is 1
        eosvault rescue stick/copy.db --output rescued/vault.db --pin-file pin >messages 2>&1 && fail rescue
        grep -q '^EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC one' messages || fail "rescued key"
        # a vault is refused there: any user could read and change it
        eosvault rescue stick/copy.db --output stick/vault.db --pin-file pin >messages 2>&1 && fail "a vault on a stick"
        grep -q 'folder has mode 777: other users can write it' messages || fail "message of the folder's mode"
        # a full stick: no incomplete file is left
        dd if=/dev/zero of=stick/full bs=4k >messages 2>&1
        eosvault backup stick/second.db --pin-file pin 2>messages && fail "backup to a full stick"
        grep -q "the incomplete file was removed" messages || fail "message of a full stick"
        test "$(ls -A stick | tr '\n' ' ')" = "copy.db full key signed.json vault.key " || fail "$(ls -A stick)"
        echo done
        """#
}
