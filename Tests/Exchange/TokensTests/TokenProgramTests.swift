import Codecs
import Files
import Glibc
import Testing

@testable import Tokens

@Suite struct TokenProgramTests {
    /// Up to eight requests are sent before the first answer, and each gets its own answer.
    @Test func sendsRequestsBeforeAnswers() throws {
        var (requests, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe(&requests) == 0 && pipe(&answers) == 0)
        let program = TokenProgram(
            request: FileDescriptor(requests[1]), answer: FileDescriptor(answers[0]), milliseconds: 1_000,
            isOffered: false)
        let tickets = try (1...8).map { try program.send(.object($0), on: 7) }
        for number in 1...9 as ClosedRange<UInt8> {
            var writer = ByteWriter()
            let answer = TokenAnswer.done([number]).bytes
            writer.write(integer: UInt32(answer.count))
            writer.write(bytes: answer)
            try #require(write(answers[1], writer.bytes, writer.count) == writer.count)
        }
        // The ninth one first takes the answer to the first one.
        let ninth = try program.send(.object(9), on: 7)
        #expect(try program.answer(to: ninth) == [9])
        for (index, ticket) in tickets.enumerated() {
            #expect(try program.answer(to: ticket) == [UInt8(index + 1)])
        }
        close(answers[1])
        #expect(throws: TokenError.programFailed) { try program.perform(.list, on: 7) }
        close(requests[0])
    }
}
