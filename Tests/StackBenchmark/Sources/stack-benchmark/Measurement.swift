/// One thing that both sides do.
struct Comparison {
    /// A round: prepares untimed, does the work once, and gives the time with what it saw.
    typealias Round = () throws -> (time: Duration, checksum: Checksum)

    let name: String
    let strata: Round
    let grdb: Round
    /// How many times as many rounds it takes as was asked for: what is over soon is easily disturbed, and costs little.
    var repetition = 1

    /// Runs both sides in turn, so that a machine that grows slower or faster meets both alike.
    func run(rounds: Int) throws -> Result {
        var times: (strata: [Duration], grdb: [Duration]) = ([], [])
        for round in 0...(rounds * repetition) {
            let strataFirst = round.isMultiple(of: 2)
            let first = try strataFirst ? strata() : grdb()
            let second = try strataFirst ? grdb() : strata()
            guard first.checksum == second.checksum else { throw BenchmarkError("\(name): the two sides differ") }
            // The first round fills caches and is not counted.
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

/// Why a benchmark has no result.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
