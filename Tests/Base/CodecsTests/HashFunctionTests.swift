import Testing

@testable import Codecs

struct HashFunctionTests {
    /// From FIPS 180-2, B.1, and the RIPEMD-160 page of its authors.
    @Test func knownValues() {
        let abc = Array("abc".utf8)
        #expect(
            Hex.encode(HashFunction.sha256.hash(abc))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Hex.encode(HashFunction.ripemd160.hash(abc)) == "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc")
        #expect(Hex.encode(HashFunction.ripemd160.hash([])) == "9c1185a5c5e9fc54612808977ee8f548b2258d31")
    }
}
