import Transactions

/// A program reads the review and answers instead of a person.
///
/// The caller starts the program, gives it the review as JSON, and limits its time. To sign, the
/// program ends with status 0 and prints the transaction id. For each danger it prints one more
/// line: the subject, which a person would type. Anything else refuses the request.
package struct ProgramConsent: Consent {
    package init() {}

    package var isAsked: Bool { true }
    package func refused(_ dangers: [Danger]) -> [Danger] { [] }
    package func refusedActions(of review: Review, byPolicies: Bool) -> [ActionPattern] { [] }

    /// The output that accepts a request, without a line ending after the last line.
    private static func acceptance(of request: SigningRequest) -> String {
        let dangers = request.review.dangers(own: request.own).map(\.subject)
        return ([request.review.transaction.id] + dangers).joined(separator: "\n")
    }

    /// The most bytes of an answer to read: a longer one refuses.
    package static func maximumSize(for request: AuthorizedRequest) -> Int {
        acceptance(of: request.request).utf8.count + 1
    }

    /// True if the program accepted the request.
    /// - Parameters:
    ///   - status: the exit status; nil for a program that a signal ended.
    ///   - output: all that it printed on standard output.
    package func isAccepted(_ request: AuthorizedRequest, status: Int32?, output: [UInt8]) -> Bool {
        let expected = Array(Self.acceptance(of: request.request).utf8)
        return status == 0 && (output == expected || output == expected + [UInt8(ascii: "\n")])
    }
}
