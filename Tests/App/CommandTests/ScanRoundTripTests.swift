import Codecs
import Glibc
import JSON
import TestSupport
import Testing

@testable import Scanning

/// A transaction goes as QR codes from the online machine to the vault, and signed back: with the
/// real programs, and with codes that are lost, repeated and in another order.
struct ScanRoundTripTests {
    private let folder: TemporaryFolder
    private let programs: String

    init() throws {
        folder = try TemporaryFolder()
        programs = try BuiltProgram.folder
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        try Files.write(repositoryFile("Vectors/examples/throwaway-key.txt"), to: folder.path + "/key.txt")
        try run("eosvault", "init --pin-file pin --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf")
        try run("eosvault", "import key.txt --pin-file pin --label one")
    }

    private func run(_ program: String, _ arguments: String) throws {
        let child = Child(
            path: programs + "/" + program, arguments: arguments.split(separator: " ").map(String.init),
            environment: ["HOME": folder.path, "LANG": "C.UTF-8"], directory: folder.path)
        let result = try child.run()
        try #require(
            result.status == 0, "\(program) \(arguments): \(String(decoding: result.error, as: UTF8.self))")
    }

    /// Shows three times the least number of codes that a reader needs. 30 % of them are lost; the
    /// others are in another order, and some are there twice. Then reads them.
    private func carry(_ animation: String, to output: String, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let file = try Files.read(folder.path + "/" + animation)
        var codes: [[UInt8]] = []
        try PNGChunks.frames(of: file) { codes.append($0) }
        // The animation has twice the least number of codes, and repeats.
        let shown = codes + codes.prefix(codes.count / 2)
        let lost = shown.count * 3 / 10
        let received = shown.shuffled(using: &random).dropFirst(lost)
        let frames = output + ".frames"
        try #require(mkdir(folder.path + "/" + frames, 0o700) == 0)
        for (index, code) in (Array(received) + received.prefix(5)).shuffled(using: &random).enumerated() {
            try Files.write(code, to: folder.path + "/\(frames)/\(index).png")
        }
        try run("eosvault-scan", "\(frames) -o \(output)")
    }

    private func carried(_ transaction: [UInt8], _ options: String, fragment: Int, seed: UInt64) throws
        -> JSONValue
    {
        try Files.write(transaction, to: folder.path + "/made.json")
        let fragments = "--qr-fragment \(fragment)"
        try run("eosvault", "transaction pack made.json --chain eos --qr-file made.png \(fragments)")
        try carry("made.png", to: "read.json", seed: seed)
        let sign = "sign read.json --chain eos --pin-file pin --key one --yes \(options)"
        try run("eosvault", "\(sign) --qr-file signed.png \(fragments) -o signed.json")
        try carry("signed.png", to: "sent.json", seed: seed + 1)
        return try JSONValue.parse(Files.read(folder.path + "/sent.json"))
    }

    @Test(arguments: Search.pick(short: [1], long: [1, 2, 3, 4]) as [UInt64])
    func transferIsCarried(seed: UInt64) throws {
        let transfer = try repositoryFile("Vectors/examples/transfer.json")
        let sent = try carried(transfer, "", fragment: 20, seed: seed * 10)
        let cleos = try JSONValue.parse(repositoryFile("Vectors/examples/transfer.packed.json"))
        for member in ["signatures", "compression", "packed_context_free_data", "packed_trx"] {
            #expect(sent[member]?.text(.compact) == cleos[member]?.text(.compact), "\(member)")
        }
        #expect(
            sent["chain_id"]?.string == "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906")
    }

    /// An ABI of 200 KB crosses the gap to a new file, byte for byte.
    @Test func largeABIIsCarried() throws {
        let structures = (0..<2_000).map { index in
            let name = Hex.encode(HashFunction.sha256.hash([UInt8(index >> 8), UInt8(index & 0xff)])).prefix(
                12)
            return #"{"name":"s\#(name)","base":"","fields":[{"name":"quantity","type":"asset"}]}"#
        }
        let abi =
            #"{"version":"eosio::abi/1.2","structs":[\#(structures.joined(separator: ",\n"))],"actions":[]}"#
        let padded = Array((abi + String(repeating: " ", count: max(0, 200_000 - abi.utf8.count))).utf8)
        try Files.write(padded, to: folder.path + "/abi.json")
        try run("eosvault", "qr abi.json --qr-file abi.png --qr-fragment 500")
        try carry("abi.png", to: "carried.json", seed: 11)
        #expect(try Files.read(folder.path + "/carried.json") == padded)
    }

    /// New code of a contract, 200 KB that can't be compressed.
    @Test func largeTransactionIsCarried() throws {
        var code: [UInt8] = []
        for index in 0..<6250 { code += HashFunction.sha256.hash([UInt8(index >> 8), UInt8(index & 0xff)]) }
        // Account, type and version of the VM, the length as a varuint32.
        let data = Hex.encode([0, 0, 0, 0, 0, 0x85, 0x5c, 0x34, 0, 0, 0xc0, 0x9a, 0x0c] + code)
        let made = """
            {"expiration": "2026-12-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896,
            "max_net_usage_words": 0, "max_cpu_usage_ms": 0, "delay_sec": 0, "context_free_actions": [],
            "actions": [{"account": "eosio", "name": "setcode",
            "authorization": [{"actor": "alice", "permission": "active"}], "data": "\(data)"}],
            "transaction_extensions": [], "signatures": [], "context_free_data": []}
            """
        let sent = try carried(Array(made.utf8), "--allow code-change=alice", fragment: 1000, seed: 7)
        // eosio, setcode, alice@active and the length of the data, as nodeos packs them.
        let packed =
            "000e0e6be803785634120000000001" + "0000000000ea3055" + "00000040258ab2c2" + "01"
            + "0000000000855c34"
            + "00000000a8ed3232" + "cd9a0c" + data + "00"
        #expect(sent["packed_trx"]?.string == packed)
        #expect(sent["signatures"]?.array?.count == 1)
    }
}
