import Testing

@testable import Codecs

@Suite struct MemoTests {
    @Test func keepsFirstValue() {
        let memo = Memo<Int>()
        #expect(memo.value { 1 } == 1)
        #expect(memo.value { 2 } == 1)
    }

    @Test func allThreadsGetOneValue() async {
        for _ in 0..<200 {
            let memo = Memo<Int>()
            let values = await withTaskGroup(of: Int.self) { group in
                for number in 0..<8 { group.addTask { memo.value { number } } }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(values == [memo.value { -1 }])
        }
    }

    @Test func isAlwaysEqual() {
        let (one, other) = (Memo<Int>(), Memo<Int>())
        _ = one.value { 1 }
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }
}
