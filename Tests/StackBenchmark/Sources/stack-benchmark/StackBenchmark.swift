import Foundation
import GRDB
import Persistence

/// Strata's stack against GRDB on the same 100,000 employees.
///
/// Usage: `stack-benchmark [--rounds N] [NAME …]`. Prints one line `ratio NAME VALUE` a comparison: Strata's median time over GRDB's.
@main
struct StackBenchmark {
    static func main() throws {
        var names = Array(CommandLine.arguments.dropFirst())
        var rounds = 9
        if names.first == "--rounds" {
            guard names.count > 1, let number = Int(names[1]), number > 0 else {
                throw BenchmarkError("--rounds takes a number of at least 1")
            }
            rounds = number
            names.removeFirst(2)
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("strata-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { remove(folder) }
        try run(names, rounds: rounds, in: folder)
    }

    private static func run(_ names: [String], rounds: Int, in folder: URL) throws {
        let dataset = Dataset()
        let strata = try StrataSide(dataset, folder: folder)
        let grdb = GRDBSide(dataset, folder: folder)
        let container = try strata.makeStack()
        let database = try grdb.makeDatabase()
        try strata.insertAll(container)
        try grdb.insertAll(database)

        let comparisons = [
            Comparison(name: "insert", strata: strata.insert, grdb: grdb.insert),
            Comparison(
                name: "fetch-structs", strata: { try strata.fetchStructs(container) },
                grdb: { try grdb.fetch(HandWrittenEmployee.self, database) }),
            Comparison(
                name: "fetch-managed", strata: { try strata.fetchManaged(container) },
                grdb: { try grdb.fetch(HandWrittenEmployee.self, database) }),
            Comparison(
                name: "fetch-managed-codable", strata: { try strata.fetchManaged(container) },
                grdb: { try grdb.fetch(CodableEmployee.self, database) }),
            Comparison(name: "lookup", strata: { try strata.lookUp(container) }, grdb: { try grdb.lookUp(database) }),
            Comparison(name: "update", strata: { try strata.update(container) }, grdb: { try grdb.update(database) }),
        ]
        for comparison in comparisons where names.isEmpty || names.contains(comparison.name) {
            report(try comparison.run(rounds: rounds))
            try reportMemory(comparison)
        }
        try container.close()
        try database.close()
        if names.isEmpty || names.contains("stack") { try reportLoading(in: folder) }
    }

    private static func report(_ result: Comparison.Result) {
        let (strata, grdb) = (result.strata, result.grdb)
        print("\(result.name): Strata \(strata.median.text(1)) ms (least \(strata.least.text(1))),", terminator: " ")
        print("GRDB \(grdb.median.text(1)) ms (least \(grdb.least.text(1)))")
        print("ratio \(result.name) \(result.ratio.text(3))")
    }

    private static func reportMemory(_ comparison: Comparison) throws {
        for (side, round) in [("Strata", comparison.strata), ("GRDB", comparison.grdb)] {
            guard let memory = PeakMemory() else { return }
            _ = try round()
            guard let growth = memory.growth else { return }
            print("\(comparison.name): \(side) at most \(growth.text(1)) MiB more")
        }
    }

    private static func reportLoading(in folder: URL) throws {
        let (inMemory, sqlite) = try StackLoading(folder: folder).measure(rounds: 51)
        print("microseconds in-memory-stack \(inMemory.text(1))")
        print("microseconds sqlite-stack \(sqlite.text(1))")
        print("ratio in-memory-stack \((inMemory / sqlite).text(4))")
    }

    private static func remove(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("note: \(folder.path) could not be removed: \(error)")
        }
    }
}
