/// The penalty of a masked symbol. The mask with the lowest one is used (ISO/IEC 18004:2015,
/// 7.8.3).
///
/// Encoders read rule 3 differently. Here the pattern has at least four light units on one side and
/// one on the other, and the quiet zone is light, as in qrcodegen 1.8.0. Readers accept every mask.
struct QRPenalty {
    private let modules: [Bool]
    private let size: Int

    init(_ matrix: QRMatrix) {
        modules = matrix.modules
        size = matrix.size
    }

    var sum: Int {
        let lines = (0..<size).flatMap { [runs(first: $0 * size, step: 1), runs(first: $0, step: size)] }
        return lines.reduce(blocks + balance) { $0 + longRuns($1) + finderPatterns($1) }
    }

    /// The lengths of the runs in a row or column, light and dark in turn. The first one is light
    /// and may be empty.
    private func runs(first: Int, step: Int) -> [Int] {
        var runs = [0]
        for index in 0..<size {
            let isDark = modules[first + index * step]
            if isDark == runs.count.isMultiple(of: 2) { runs[runs.count - 1] += 1 } else { runs.append(1) }
        }
        return runs
    }

    /// Rule 1: runs of five or more modules.
    private func longRuns(_ runs: [Int]) -> Int {
        runs.reduce(0) { $1 >= 5 ? $0 + $1 - 2 : $0 }
    }

    /// Rule 3: dark and light runs of 1:1:3:1:1 units, as in a finder pattern.
    private func finderPatterns(_ runs: [Int]) -> Int {
        var runs = runs
        runs[0] += size
        if runs.count.isMultiple(of: 2) { runs.append(0) }
        runs[runs.count - 1] += size
        var count = 0
        for start in stride(from: 1, to: runs.count - 5, by: 2) {
            let unit = runs[start]
            guard runs[start..<(start + 5)].elementsEqual([unit, unit, unit * 3, unit, unit]) else {
                continue
            }
            let (before, after) = (runs[start - 1], runs[start + 5])
            if before >= unit * 4, after >= unit { count += 1 }
            if after >= unit * 4, before >= unit { count += 1 }
        }
        return count * 40
    }

    /// Rule 2: squares of two by two modules of one colour.
    private var blocks: Int {
        var count = 0
        for row in 0..<(size - 1) {
            for index in (row * size)..<(row * size + size - 1) {
                let module = modules[index]
                if module == modules[index + 1], module == modules[index + size],
                    module == modules[index + size + 1]
                {
                    count += 1
                }
            }
        }
        return count * 3
    }

    /// Rule 4: each started 5 % by which the dark modules differ from 45 to 55 %.
    private var balance: Int {
        let dark = modules.count(where: \.self)
        let difference = abs(dark * 20 - modules.count * 10)
        return ((difference + modules.count - 1) / modules.count - 1) * 10
    }
}

extension QRMatrix {
    /// The mask with the lowest penalty. Of equal ones, the first.
    func bestMask(_ level: QRLevel) -> QRMask {
        var best = (mask: QRMask.first, penalty: QRPenalty(masked(.first, level)).sum)
        for mask in QRMask.all.dropFirst() {
            let penalty = QRPenalty(masked(mask, level)).sum
            if penalty < best.penalty { best = (mask, penalty) }
        }
        return best.mask
    }
}
