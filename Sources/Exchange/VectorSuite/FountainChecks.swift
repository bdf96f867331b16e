import AirGap
import Codecs
import JSON

/// Checks the steps that choose the fragments of a part: random numbers, sampler, shuffle, degree.
enum FountainChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        switch try test.text("kind") {
        case "xoshiro": try xoshiro(test)
        case "sampler": try sampler(test)
        case "shuffle": try shuffle(test)
        case "degree": try degree(test)
        case "fragments": try fragments(test)
        case "fragment-length": try fragmentLength(test)
        default: throw .malformedField("kind")
        }
    }

    private static func random(_ test: VectorTest) throws(VectorFailure) -> Xoshiro256 {
        Xoshiro256(seed: Array(try test.text("seed").utf8))
    }

    /// Each list begins with a fresh generator.
    private static func xoshiro(_ test: VectorTest) throws(VectorFailure) {
        var random = try random(test)
        for number in try test.texts("next") {
            try test.expect("next", UInt64(number, radix: 16) == random.next())
        }
        random = try self.random(test)
        for number in try test.texts("next_double") {
            try test.expect("next_double", UInt64(number, radix: 16) == random.nextDouble().bitPattern)
        }
        random = try self.random(test)
        let (low, high) = (try test.number("low"), try test.number("high"))
        guard low <= high else { throw .malformedField("high") }
        for number in try test.numbers("next_int") {
            try test.expect("next_int", number == random.nextInt(low...high))
        }
        random = try self.random(test)
        for byte in try test.hex("next_data") {
            try test.expect("next_data", Int(byte) == random.nextInt(0...255))
        }
    }

    private static func sampler(_ test: VectorTest) throws(VectorFailure) {
        var random = try random(test)
        let weights = try test.list("probabilities").compactMap { $0.number.flatMap { Double($0) } }
        guard !weights.isEmpty, weights.allSatisfy({ $0 > 0 && $0 < .infinity }) else {
            throw .malformedField("probabilities")
        }
        let sampler = AliasSampler(weights: weights)
        for sample in try test.numbers("samples") {
            try test.expect("samples", sample == sampler.next(&random))
        }
    }

    private static func shuffle(_ test: VectorTest) throws(VectorFailure) {
        var random = try random(test)
        let count = try count(test, "count")
        try test.expect(
            "order", try test.numbers("order") == FragmentChooser.shuffled(count, taking: count, &random))
    }

    private static func degree(_ test: VectorTest) throws(VectorFailure) {
        var random = try random(test)
        let chooser = FragmentChooser(count: try count(test, "seq_len"), checksum: 0)
        for degree in try test.numbers("degrees") {
            try test.expect("degrees", degree == chooser.degree(&random))
        }
    }

    private static func fragments(_ test: VectorTest) throws(VectorFailure) {
        guard let checksum = UInt32(try test.text("checksum"), radix: 16) else {
            throw .malformedField("checksum")
        }
        guard let number = UInt32(exactly: try test.number("seq_num")), number > 0 else {
            throw .malformedField("seq_num")
        }
        let indexes = FragmentChooser(count: try count(test, "seq_len"), checksum: checksum).indexes(number)
        try test.expect("degree", is: indexes.count)
        try test.expect("indexes", try test.numbers("indexes") == indexes.sorted())
    }

    private static func fragmentLength(_ test: VectorTest) throws(VectorFailure) {
        let message = try count(test, "message_length", limit: 1 << 30)
        let minimum = try count(test, "min_fragment_length", limit: 1 << 30)
        let maximum = try count(test, "max_fragment_length", limit: 1 << 30)
        guard minimum <= maximum else { throw .malformedField("max_fragment_length") }
        let length = UREncoder.fragmentLength(message, minimum: minimum, maximum: maximum)
        try test.expect("fragment_length", is: length)
        try test.expect("seq_len", is: (message + length - 1) / length)
    }

    private static func count(
        _ test: VectorTest, _ field: String, limit: Int = 1 << 16
    ) throws(VectorFailure) -> Int {
        let count = try test.number(field)
        guard (1...limit).contains(count) else { throw .malformedField(field) }
        return count
    }
}
