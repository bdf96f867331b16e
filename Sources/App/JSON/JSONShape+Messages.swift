import Signing

extension JSONShape {
    /// `Words.json` makes it.
    static let error: JSONShape = [
        "code": .text("its code, which never changes"), "message": .text("for people"),
        "hint": .text("what to do"),
        "policy?": .object(
            PolicyRefusal.shape, "which policy refused the signature, and why; the code begins with `policy-`"
        ),
    ]

    /// An error of `policy test`, which has all reasons.
    private static let errorWithOthers = error.adding([
        "also?": .list(
            of: (["code": .text("the code"), "message": .text("for people")] as JSONShape).adding(
                PolicyRefusal.shape), "of `policy test`: the other reasons to refuse")
    ])

    /// The messages that commands print on standard error, one object on each line (`Messages`).
    static let messages: JSONShape = [
        "error?": .object(errorWithOthers, "why the command failed"), "warning?": .text("a warning"),
        "code?": .text("the code of a warning about an ABI"), "note?": .text("a note"),
        "review?": .any("with --yes: what `inspect` prints, or the review of `sign --lines`"),
        "review_line?": .any(
            "with --lines and --yes, before the review: what `inspect --lines` prints for a line"),
    ]
}
