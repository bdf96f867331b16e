import Signing

extension PolicyRefusal {
    /// The members of `policy` in an error. The reason decides which members a refusal has.
    static let shape: JSONShape = [
        "key": .text("the public key"), "all_keys": .boolean("whether the policy is for all keys"),
        "member?": .text("the member of the policy that failed, as a JSON pointer"),
        "rule?": .number("the index of the rule"), "limit?": .number("the index of the limit"),
        "amount?": .number("the index of the amount"), "name?": .text("its name"),
        "line?": .number("its line in the text that `policy show` prints, or in the file of --policy"),
        "path?": .text("the action, for example actions[0].inner.actions[2]"),
        "contract?": .text("the contract of the action"), "action?": .text("its name"),
        "pointer?": .text("the field of the action's data, as a JSON pointer"),
        "value?": .any("what the request has: a text or a number"),
        "required?": .any("what the policy requires"),
        "token?": .text("the token of the limit"), "recipient?": .text("the recipient"),
        "per?": .text("the window of the limit"), "maximum?": .any("the limit"),
        "used?": .text("what is used in the window"), "remaining?": .text("what remains"),
        "restored?": .text("when the vault was restored, if the limit is blocked because of it"),
        "resets?": .text(
            "when this check passes, in UTC: the limit fits, `hours` begin, or entries are free"),
    ]
}
