import ABICodec
import Testing
import Transactions

@Test(arguments: [
    (Name.eosio, "eosio"), (.coreVaulta, "core.vaulta"), (.token, "eosio.token"), (.multisig, "eosio.msig"),
    (.wrap, "eosio.wrap"), (.transfer, "transfer"), (.approve, "approve"), (.propose, "propose"),
    (.exec, "exec"),
    (.owner, "owner"), (.code, "eosio.code"),
])
func namesAreThoseOfTheirText(name: Name, text: String) {
    #expect(name.text == text)
    #expect(name.count == text.utf8.count)
}
