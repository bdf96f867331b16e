import CChild
import Glibc
import JSON
import Keys
import Signing
import TestSupport
import Testing
import Transactions

@testable import App

/// A program that is asked instead of a person: it reads the review and prints its answer.
struct ConsentProgramTests {
    struct Failure: Error {}

    /// Accepts transactions that pay bob, and changes of the authorities of alice.
    private static let program = """
        import json, sys
        review = json.load(sys.stdin)
        if not all(action["data"].get("to", "bob") == "bob" for action in review["actions"]):
            sys.exit(3)
        print(review["transaction_id"])
        for warning in review["warnings"]:
            if warning.get("allow", "").endswith("=alice"):
                print("alice")
        """

    private static func request(_ actions: [String]) throws -> (AuthorizedRequest, review: JSONValue) {
        let text = try SampleReview.text(actions)
        let keys = try SampleReview.own().map { ChosenKey($0, choice: .publicKey) }
        let request = try SigningRequest(text.review, keys: keys, own: OwnKeys(SampleReview.own()))
        return (try request.authorize(.empty, consent: ProgramConsent()), text.json)
    }

    private static func ask(_ review: JSONValue) throws -> (status: Int32?, output: [UInt8]) {
        let files = [child_temporary_file(), child_temporary_file()]
        defer { files.forEach { close($0) } }
        let text = Array(review.text().utf8)
        guard write(files[0], text, text.count) == text.count, lseek(files[0], 0, SEEK_SET) == 0 else {
            throw Failure()
        }
        let arguments = (["env", "python3", "-c", program] as [String]).map { strdup($0) } + [nil]
        let environment = [strdup("PATH=/usr/local/bin:/usr/bin:/bin"), nil]
        defer { (arguments + environment).forEach { free($0) } }
        let process = child_start(
            "/usr/bin/env", arguments, environment, "/", files[0], files[1], 2, nil, nil, 0)
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, 0) == process else { throw Failure() }
        return (status & 0x7f == 0 ? status >> 8 : nil, Files.contents(of: files[1]))
    }

    @Test(arguments: [("bob", true), ("mallory", false)])
    func decidesByTheReview(recipient: String, isAccepted: Bool) throws {
        let (request, review) = try Self.request([SampleReview.transfer(recipient, "1.0000 EOS")])
        let (status, output) = try Self.ask(review)
        #expect(status == (isAccepted ? 0 : 3))
        #expect(ProgramConsent().isAccepted(request, status: status, output: output) == isAccepted)
    }

    private static func update(_ account: String) -> String {
        let data =
            #"{"account":"\#(account)","permission":"active","parent":"owner","auth":{"threshold":1,"keys":"#
            + #"[{"key":"\#(SampleReview.key)","weight":1}],"accounts":[],"waits":[]}}"#
        return SampleReview.action("eosio", "updateauth", data, by: ["\(account)@owner"])
    }

    /// A danger needs its word, which the program prints for alice only.
    @Test(arguments: [("alice", true), ("mallory", false)])
    func aDangerNeedsItsWord(account: String, isAccepted: Bool) throws {
        let (request, review) = try Self.request([Self.update(account)])
        let (status, output) = try Self.ask(review)
        #expect(status == 0)
        #expect(ProgramConsent().isAccepted(request, status: status, output: output) == isAccepted)
    }

    @Test func everyOtherAnswerRefuses() throws {
        let (request, _) = try Self.request([Self.update("alice")])
        let id = request.request.review.transaction.id
        let right = Array("\(id)\nalice".utf8)
        #expect(ProgramConsent().isAccepted(request, status: 0, output: right))
        #expect(ProgramConsent().isAccepted(request, status: 0, output: right + [0x0a]))
        #expect(ProgramConsent.maximumSize(for: request) == right.count + 1)
        for status in [1, 2, 77, nil] as [Int32?] {
            #expect(!ProgramConsent().isAccepted(request, status: status, output: right))
        }
        let zeros = String(repeating: "0", count: 64)
        for output in [
            "", "\(id)", "alice\n\(id)", "\(zeros)\nalice", "\(id)\nbob", "\(id)\nalice\nalice",
            "\(id)\r\nalice",
            "\(id)\nalice\n\n", " \(id)\nalice", "\(id.uppercased())\nalice", "yes", "\(id)\nalice\0",
        ] {
            #expect(!ProgramConsent().isAccepted(request, status: 0, output: Array(output.utf8)), "\(output)")
        }
    }
}
