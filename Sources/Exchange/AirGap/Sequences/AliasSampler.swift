/// Chooses indexes with given weights: Walker's alias method, as in Vose 1991 (BCR-2024-001). The
/// order of the steps is part of the format, because rounding depends on it.
package struct AliasSampler {
    private var probabilities: [Double]
    private var aliases: [Int]

    /// - Parameter weights: at least one. They are positive.
    package init(weights: [Double]) {
        let count = weights.count
        let sum = weights.reduce(0, +)
        var scaled = weights.map { $0 * Double(count) / sum }
        var small = (0..<count).reversed().filter { scaled[$0] < 1 }
        var large = (0..<count).reversed().filter { scaled[$0] >= 1 }
        // An index that is left has probability 1. Rounding can leave small ones.
        probabilities = Array(repeating: 1, count: count)
        aliases = Array(repeating: 0, count: count)
        while let less = small.last, let more = large.last {
            small.removeLast()
            large.removeLast()
            probabilities[less] = scaled[less]
            aliases[less] = more
            scaled[more] += scaled[less] - 1
            if scaled[more] < 1 { small.append(more) } else { large.append(more) }
        }
    }

    package func next(_ random: inout Xoshiro256) -> Int {
        let (first, second) = (random.nextDouble(), random.nextDouble())
        let index = min(Int(Double(probabilities.count) * first), probabilities.count - 1)
        return second < probabilities[index] ? index : aliases[index]
    }
}
