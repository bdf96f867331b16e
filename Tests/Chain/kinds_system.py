"""The system contract: RAM, bandwidth, producers and votes."""

from boot import action
from node import PRODUCERS, amount


def ram(desk, people):
    """12 purchases and sales of RAM, by amount and by bytes; checks the quota."""
    quota = desk.node.account("carol")["ram_quota"]
    for number in range(5):
        words = ["system", "buyram", "alice", "carol", f"{number + 1}.0000 EOS"]
        desk.send(desk.prepare(*words), people["alice"])
    desk.settle()
    grown = desk.node.account("carol")["ram_quota"]
    desk.check(grown > quota, f"carol's RAM quota did not grow: {quota} to {grown}")
    for number in range(4):
        size = [["--kbytes", 4], ["--bytes", 1000 + number]][number % 2]
        words = ["system", "buyram", "alice", "carol", size[1], size[0]]
        desk.send(desk.prepare(*words), people["alice"])
    desk.settle()
    # The contract converts bytes to money and back. Each purchase loses up to two units of 0.0001
    # EOS, and a unit buys about ten bytes; the price depends on what was bought before.
    more = desk.node.account("carol")["ram_quota"] - grown
    wanted = 2 * 4096 + 1001 + 1003
    desk.check(wanted - 100 <= more <= wanted + 100, f"carol's RAM grows by {more}, not {wanted}")
    grown += more
    for number in range(3):
        desk.send(desk.prepare("system", "sellram", "carol", 1000 + number), people["carol"])
    desk.settle()
    desk.equal(desk.node.account("carol")["ram_quota"], grown - 3003, "carol's RAM after the sales")


def bandwidth(desk, people):
    """14 delegations of bandwidth to other accounts and to the own account, and undelegations."""
    before = _weights(desk, "carol")
    for number in range(8):
        words = ["system", "delegatebw", "bob", "carol", f"{number + 1}.0000 EOS", "0.5000 EOS"]
        desk.send(desk.prepare(*words), people["bob"])
    desk.settle()
    after = _weights(desk, "carol")
    desk.equal((after[0] - before[0], after[1] - before[1]), (360000, 40000), "carol's stake")
    rows = desk.node.rows("eosio", "bob", "delband")
    row = next((row for row in rows if row["to"] == "carol"), {"net_weight": "0 EOS"})
    desk.equal(row["net_weight"], "36.0000 EOS", "what bob delegated")
    for _ in range(4):
        words = ["system", "undelegatebw", "bob", "carol", "1.0000 EOS", "0.2500 EOS"]
        desk.send(desk.prepare(*words), people["bob"])
    for _ in range(2):
        words = ["system", "delegatebw", "rosa", "rosa", "2.0000 EOS", "2.0000 EOS"]
        desk.send(desk.prepare(*words), people["rosa"])
    desk.settle()
    after = _weights(desk, "carol")
    desk.equal((after[0] - before[0], after[1] - before[1]), (320000, 30000), "carol's stake left")
    refund = desk.node.rows("eosio", "bob", "refunds")[0]
    desk.equal(refund["net_amount"], "4.0000 EOS", "bob's refund")


def _weights(desk, account):
    """(NET, CPU) staked for an account, in the smallest unit."""
    total = desk.node.account(account)["total_resources"]
    return amount(total["net_weight"]), amount(total["cpu_weight"])


def votes(desk, people):
    """14 actions: four producers, a proxy, votes for the producers and by proxy, one withdrawal."""
    producers = sorted(set(PRODUCERS) - {"eosio"})
    for name in producers:
        key = people["system"].public
        words = ["system", "regproducer", name, key, f"https://{name}.example", 276]
        desk.send(desk.prepare(*words), people[name])
    desk.settle()
    rows = {row["owner"]: row for row in desk.node.rows("eosio", "eosio", "producers")}
    desk.equal(sorted(rows), producers, "the producers")
    desk.equal(rows["rosa"]["url"], "https://rosa.example", "a producer's URL")
    ballots = {"alice": ["bob"], "bob": ["bob", "carol", "rosa"], "rosa": producers}
    ballots |= {"ron": ["victor"], "carol": []}
    for voter, chosen in ballots.items():
        data = {"voter": voter, "proxy": "", "producers": chosen}
        desk.send(desk.build([action("eosio", "voteproducer", voter, data)]), people[voter])
    desk.send(desk.prepare("system", "regproxy", "vera"), people["vera"])
    desk.settle()
    for voter, chosen in ballots.items():
        desk.equal(_voter(desk, voter)["producers"], chosen, f"the vote of {voter}")
    desk.equal(_voter(desk, "vera")["is_proxy"], 1, "the proxy")
    desk.send(desk.prepare("system", "voteproducer", "proxy", "alice", "vera"), people["alice"])
    desk.send(desk.prepare("system", "voteproducer", "prods", "vera", "carol"), people["vera"])
    desk.send(desk.prepare("system", "voteproducer", "approve", "ron", "bob"), people["ron"])
    desk.send(desk.prepare("system", "unregprod", "rosa"), people["rosa"])
    desk.settle()
    desk.equal(_voter(desk, "alice")["proxy"], "vera", "alice's proxy")
    desk.equal(_voter(desk, "vera")["producers"], ["carol"], "the proxy's vote")
    desk.equal(_voter(desk, "ron")["producers"], ["bob", "victor"], "ron's longer vote")
    rows = {row["owner"]: row for row in desk.node.rows("eosio", "eosio", "producers")}
    desk.equal(rows["rosa"]["is_active"], 0, "the producer that left")


def _voter(desk, name):
    rows = desk.node.rows("eosio", "eosio", "voters", lower_bound=name, upper_bound=name)
    return rows[0] if rows else {}
