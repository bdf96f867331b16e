import Messages

/// Faults of a file with payments.
extension BuildError.Fault {
    private static let columnsHint =
        "a line has the account, the amount and the memo, separated by commas; the memo can be empty: "
        + "bob,1.0000 EOS,"
    private static let quotesHint =
        "write a field with a comma or a quote in quotes, and each quote in it twice: \"one, \"\"two\"\"\""

    static func columns(_ count: Int, of expected: Int) -> Self {
        Self("\(Words.count(count, "column")) instead of \(expected)", code: .invalidValue, hint: columnsHint)
    }
    static func moreColumns(than expected: Int) -> Self {
        Self("more than \(expected) columns", code: .invalidValue, hint: quotesHint)
    }
    static let emptyLine = Self("the line is empty", code: .invalidValue, hint: columnsHint)
    static let carriageReturn = Self(
        "a carriage return without a line feed", code: .invalidValue,
        hint: "save the file with line ends of Unix or Windows")
    static let quote = Self(
        "a quote inside a field or after a quoted field", code: .invalidValue, hint: quotesHint)
    static let openQuote = Self("a quoted field has no last quote", code: .invalidValue, hint: quotesHint)
    static let notUTF8 = Self(
        "the text is not UTF-8", code: .invalidEncoding, hint: "save the file as CSV in UTF-8")
    static func formula(_ character: Unicode.Scalar) -> Self {
        Self(
            "a field starts with \(Printable.excerpt(String(character))), like a formula of a spreadsheet",
            code: .invalidValue,
            hint: "save the values instead of the formulas; begin a memo with another character")
    }
    static func samePayment(asLine line: Int) -> Self {
        Self(
            "the same payment as in line \(line)", code: .duplicate,
            hint: "remove one of them, or give each payment its own memo")
    }
    static func tooManyPayments(limit: Int) -> Self {
        Self("more than \(limit) payments", code: .tooLarge, hint: "split the file")
    }
    static let noPayments = Self("the file has no payment", code: .invalidValue, hint: columnsHint)
    /// - Parameter limit: the most payments in one transaction.
    package static func severalTransactions(_ count: Int, limit: Int) -> Self {
        Self(
            "\(count) payments, but one transaction makes at most \(limit)", code: .tooLarge,
            hint: "give --per-transaction \(limit), and sign the output with --lines")
    }
}
