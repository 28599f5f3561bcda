/// A task of both sides.
struct Comparison {
    /// A round, which prepares without measurement, performs the work once, and returns its duration and checksum.
    typealias Round = () throws -> (time: Duration, checksum: Checksum)

    let name: String
    let strata: Round
    let grdb: Round
    /// The factor for the requested count of rounds; short rounds vary more and cost little.
    var repetition = 1

    /// Runs both sides alternately, so that changes in the machine's speed affect both equally.
    func run(rounds: Int) throws -> Result {
        var times: (strata: [Duration], grdb: [Duration]) = ([], [])
        for round in 0...(rounds * repetition) {
            let strataFirst = round.isMultiple(of: 2)
            let first = try strataFirst ? strata() : grdb()
            let second = try strataFirst ? grdb() : strata()
            guard first.checksum == second.checksum else { throw BenchmarkError("\(name): the two sides differ") }
            // The first round fills caches and is not measured.
            if round == 0 { continue }
            times.strata.append(strataFirst ? first.time : second.time)
            times.grdb.append(strataFirst ? second.time : first.time)
        }
        return Result(name: name, strata: Samples(times.strata), grdb: Samples(times.grdb))
    }

    struct Result {
        let name: String
        let strata: Samples
        let grdb: Samples

        var ratio: Double { strata.median / grdb.median }
    }
}

/// The times of one side, in milliseconds.
struct Samples {
    private let sorted: [Double]

    init(_ times: [Duration]) {
        sorted = times.map { $0 / .milliseconds(1) }.sorted()
    }

    var median: Double { sorted[sorted.count / 2] }
    var least: Double { sorted[0] }
}

/// The reason for a benchmark without a result.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
