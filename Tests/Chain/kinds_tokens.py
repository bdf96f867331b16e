"""Transfers in every form: memos, inputs, outputs, compressed, context-free, delayed."""

from boot import action
from node import amount

MEMOS = [
    "",
    "hello",
    "Grüße aus Köln",
    "支付 薪水",
    "Зарплата за май",
    "🙂👩‍👩‍👧 paid",
    "a \"quoted\" \\ back\\slash",
    "two\nlines and a\ttab",
    "مرحبا",
    "x" * 256,
    "é" * 128,
    "{\"json\": [1, 2]}",
    "\u00a0no-break",
    "100 % of it; drop table",
]
AMOUNTS = [1, 9, 10, 9999, 10000, 10001, 123456, 99999999, 1234567890]


def asset(units, symbol="EOS"):
    """The text of an amount with four decimals."""
    return f"{units // 10000}.{units % 10000:04d} {symbol}"


def transfers(desk, people):
    """60 transfers: all amounts, memos, inputs and outputs; checks balances and memos."""
    names = ["alice", "bob", "rosa", "vera"]
    before = {name: desk.node.balance(name) for name in names}
    for number in range(60):
        payer, payee = names[number % 4], names[(number + 1 + number // 4 % 3) % 4]
        units, memo = AMOUNTS[number % len(AMOUNTS)], MEMOS[number % len(MEMOS)]
        words = ["transfer", payer, payee, asset(units), memo]
        signed = desk.send(desk.prepare(*words), people[payer])
        if signed:
            before[payer] -= units
            before[payee] += units
            data = {"from": payer, "to": payee, "quantity": asset(units), "memo": memo}
            desk.equal(signed.act(), data, "the transfer on the chain")
    desk.settle()
    for name in names:
        desk.equal(desk.node.balance(name), before[name], f"the balance of {name}")


def review(desk, people):
    """10 transfers; eosvault's review and the chain must show the same data."""
    for number, memo in enumerate(MEMOS[:10]):
        units = 5 + number
        transaction = desk.prepare("transfer", "bob", "alice", asset(units), memo)
        seen = desk.inspect(desk.file(transaction))
        signed = desk.send(transaction, people["bob"])
        if signed:
            desk.equal(seen["actions"][0]["data"], signed.act(), "the review")
    desk.settle()


def compressed(desk, people):
    """10 transactions that cleos packed with zlib."""
    before = desk.node.balance("carol")
    for number in range(10):
        words = ["transfer", "bob", "carol", asset(100 + number), "z" * (20 * number)]
        transaction = desk.prepare(*words, "--return-packed", "--compression", "zlib")
        desk.equal(transaction["compression"], "zlib", "the compression")
        desk.send(transaction, people["bob"], output=("packed", "signatures", "json")[number % 3])
    desk.settle()
    desk.equal(desk.node.balance("carol") - before, 1045, "the amount that carol received")


def several_actions(desk, people):
    """5 transactions with 2 to 100 actions, and 5 with two actors whose keys sign at once."""
    before = desk.node.balance("dave")
    total = 0
    for count in (2, 3, 10, 40, 100):
        actions = [_transfer("bob", "dave", 10 + each, f"{each}") for each in range(count)]
        total += sum(10 + each for each in range(count))
        signed = desk.send(desk.build(actions), people["bob"])
        if signed:
            desk.equal(len(signed.trace["action_traces"]), 3 * count, "the actions on the chain")
    for each in range(5):
        actions = [_transfer(name, "dave", 7, f"{each}") for name in ("alice", "rosa")]
        total += 14
        desk.send(desk.build(actions), people["alice"], people["rosa"])
    desk.settle()
    desk.equal(desk.node.balance("dave") - before, total, "the amount that dave received")


def context_free_actions(desk, people):
    """6 transactions with the nonce that `cleos -f` adds."""
    before = desk.node.balance("dave")
    for number in range(6):
        transaction = desk.prepare("transfer", "alice", "dave", "0.0001 EOS", "the same", "-f")
        desk.equal(len(transaction["context_free_actions"]), 1, "the context-free actions")
        given = ("json", "packed", "hex")[number % 3]
        desk.send(transaction, people["alice"], given=given)
    desk.settle()
    desk.equal(desk.node.balance("dave") - before, 6, "the amount that dave received")


def context_free_data(desk, people):
    """6 transactions with context-free data, which the signature covers by its hash."""
    before = desk.node.balance("dave")
    cases = ["00"], ["deadbeef"], [""], ["01", "02"], ["ff" * 300], ["00", ""]
    for number, data in enumerate(cases):
        transaction = desk.prepare("transfer", "bob", "dave", "0.0001 EOS", f"{number}", "-f")
        transaction["context_free_data"] = data
        packed = desk.pack(transaction)
        desk.check(packed["packed_context_free_data"], "cleos packs the context-free data")
        given = ("json", "packed")[number % 2]
        desk.send(transaction, people["bob"], given=given)
    desk.settle()
    desk.equal(desk.node.balance("dave") - before, 6, "the amount that dave received")


def delayed(desk, people):
    """5 delayed transactions: the chain holds them, then executes them."""
    before = desk.node.balance("dave")
    for number in range(5):
        words = ["transfer", "bob", "dave", "0.0010 EOS", f"later {number}", "--delay-sec", 2]
        signed = desk.send(desk.prepare(*words), people["bob"])
        if signed:
            desk.equal(signed.trace["receipt"]["status"], "delayed", "the status at first")
    desk.settle()
    desk.received("dave", before, 50)


def own_token(desk, people):
    """A token of another account, signed with its ABI from the chain, or blindly without it."""
    answer = desk.node.call("chain/get_raw_abi", {"account_name": "coin"})
    abi = ["--abi", f"coin={desk.file(answer)}"]
    create = {"issuer": "coin", "maximum_supply": "1000.00 COIN"}
    issue = {"to": "coin", "quantity": "500.00 COIN", "memo": "all"}
    for name, data in (("create", create), ("issue", issue)):
        desk.send(desk.build([action("coin", name, "coin", data)]), people["vera"], more=abi)
    for number in range(6):
        data = {"from": "coin", "to": "bob", "quantity": "1.25 COIN", "memo": f"{number}"}
        options = {"more": abi} if number % 2 else {"blind": ["coin::transfer"], "given": "json"}
        transaction = desk.build([action("coin", "transfer", "coin", data)])
        desk.send(transaction, people["vera"], **options)
    desk.settle()
    desk.equal(desk.node.balance("bob", "coin", "COIN"), 750, "bob's own tokens")
    stat = desk.node.rows("coin", "COIN", "stat")[0]
    desk.equal(amount(stat["supply"]), 50000, "the supply")


def _transfer(payer, payee, units, memo):
    data = {"from": payer, "to": payee, "quantity": asset(units), "memo": memo}
    return action("eosio.token", "transfer", payer, data)
