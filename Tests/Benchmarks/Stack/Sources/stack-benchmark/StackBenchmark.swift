import CMalloc
import Foundation
import GRDB
import StrataPersistence

/// A program that compares Strata's stack with GRDB, its store in memory with its SQLite store, and incremental with
/// bulk work.
///
/// Usage: `stack-benchmark [--rounds N | --memory SIDE] [NAME …]`. Prints one line `ratio NAME VALUE` per comparison:
/// Strata's median time divided by GRDB's, or that of the store in memory divided by SQLite's. With `--memory`, prints
/// the memory growth of the process while `strata` or `grdb` performs the work once.
@main
struct StackBenchmark {
    static func main() throws {
        var names = Array(CommandLine.arguments.dropFirst())
        var rounds = 9
        var side: String?
        if let option = names.first, option.hasPrefix("--") {
            guard names.count > 1 else { throw BenchmarkError("\(option) takes a value") }
            switch option {
            case "--rounds": rounds = try number(names[1])
            case "--memory": side = names[1]
            default: throw BenchmarkError("\(option) is no option")
            }
            names.removeFirst(2)
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("strata-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { remove(folder) }
        if let side {
            if names.count == 2, BatchComparisons.names.contains(names[0]) {
                return try BatchComparisons.reportMemory(names[0], side, at: URL(fileURLWithPath: names[1]))
            }
            return try withComparisons(names, isSavedOften: true, in: folder) { try reportMemory($0, side) }
        }
        // By default the memory that one side frees determines the page faults of the other in every round: alone in a
        // process, GRDB takes a quarter longer for 100,000 records then, and Strata sometimes too.
        if keep_freed_memory() == 0 { print("note: memory is given back, and figures may depend on their order") }
        let stores = StoreComparisons.names.filter { names.isEmpty || names.contains($0) }
        try StoreComparisons(folder: folder).report(stores, rounds: rounds)
        let works = WorkComparisons.names.filter { names.isEmpty || names.contains($0) }
        try WorkComparisons(folder: folder).report(works, rounds: rounds)
        let batches = BatchComparisons.names.filter { names.isEmpty || names.contains($0) }
        try BatchComparisons(folder: folder).report(batches, rounds: rounds)
        let services = ServiceComparisons.names.filter { names.isEmpty || names.contains($0) }
        if !services.isEmpty { try ServiceComparisons(folder: folder).report(services, rounds: rounds) }
        let related = RelatedComparison.names.filter { names.isEmpty || names.contains($0) }
        if !related.isEmpty { try RelatedComparison(folder: folder).report(related, rounds: rounds) }
        let asking = AskingComparisons.names.filter { names.isEmpty || names.contains($0) }
        try AskingComparisons(folder: folder).report(asking, rounds: rounds)
        let observing = ObservingComparisons.names.filter { names.isEmpty || names.contains($0) }
        try ObservingComparisons(folder: folder).report(observing, rounds: rounds)
        let reported = stores + works + batches + services + related + asking + observing
        if !names.isEmpty, names.allSatisfy(reported.contains) { return }
        try withComparisons(names, in: folder) { comparison in
            report(try comparison.run(rounds: rounds))
            let growth = try ["strata", "grdb"].map { try PeakMemory.report(comparison.name, $0) }
            if comparison.name == "insert", let strata = growth[0], let grdb = growth[1] {
                print("ratio insert-memory \((strata / grdb).text(3))")
                try PeakMemory.report("insert-saved", "strata")
            }
        }
        if names.isEmpty || names.contains("stack") { try reportLoading(in: folder) }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw BenchmarkError("--rounds takes a number of at least 1") }
        return number
    }

    private static func withComparisons(
        _ names: [String], isSavedOften: Bool = false, in folder: URL, _ body: (Comparison) throws -> Void
    ) throws {
        let dataset = Dataset()
        let strata = try StrataSide(dataset, folder: folder)
        let grdb = GRDBSide(dataset, folder: folder)
        let container = try strata.makeStack()
        let database = try grdb.makeDatabase()
        try container.batchInsert(into: "Employee") { try strata.insertRows($0) }
        try grdb.insertAll(database)
        // Only its memory is relevant: its time is that of the other comparison plus more commits.
        let saved = Comparison(name: "insert-saved", strata: strata.insertSavingOften, grdb: grdb.insert)
        for comparison in comparisons(strata, container, grdb, database) + (isSavedOften ? [saved] : [])
        where names.isEmpty || names.contains(comparison.name) {
            try body(comparison)
        }
        try container.close()
        try database.close()
    }

    private static func comparisons(
        _ strata: StrataSide, _ container: PersistentContainer, _ grdb: GRDBSide, _ database: DatabaseQueue
    ) -> [Comparison] {
        [
            Comparison(name: "insert", strata: strata.insert, grdb: grdb.insert),
            Comparison(
                name: "fetch-structs", strata: { try strata.fetchStructs(container) },
                grdb: { try grdb.fetch(HandWrittenEmployee.self, database) }, repetition: 5),
            Comparison(
                name: "fetch-managed", strata: { try strata.fetchManaged(container) },
                grdb: { try grdb.fetch(HandWrittenEmployee.self, database) }, repetition: 5),
            Comparison(
                name: "fetch-managed-codable", strata: { try strata.fetchManaged(container) },
                grdb: { try grdb.fetch(CodableEmployee.self, database) }),
            Comparison(name: "lookup", strata: { try strata.lookUp(container) }, grdb: { try grdb.lookUp(database) }),
            Comparison(name: "update", strata: { try strata.update(container) }, grdb: { try grdb.update(database) }),
        ]
    }

    private static func report(_ result: Comparison.Result) {
        let (strata, grdb) = (result.strata, result.grdb)
        print("\(result.name): Strata \(strata.median.text(1)) ms (least \(strata.least.text(1))),", terminator: " ")
        print("GRDB \(grdb.median.text(1)) ms (least \(grdb.least.text(1)))")
        print("ratio \(result.name) \(result.ratio.text(3))")
    }

    private static func reportMemory(_ comparison: Comparison, _ side: String) throws {
        guard let memory = PeakMemory() else { return }
        _ = try side == "strata" ? comparison.strata() : comparison.grdb()
        guard let growth = memory.growth else { return }
        print("\(comparison.name): \(side) takes at most \(growth.text(1)) MiB more")
    }

    private static func reportLoading(in folder: URL) throws {
        let (inMemory, sqlite) = try StackLoading(folder: folder).measure(rounds: 51)
        print("microseconds in-memory-stack \(inMemory.text(1))")
        print("microseconds sqlite-stack \(sqlite.text(1))")
        print("ratio in-memory-stack \((inMemory / sqlite).text(4))")
        let copy = try StackLoading(folder: folder).measureCopies(rounds: 51)
        print("microseconds prepared-copy \(copy.inMemory.text(1))")
        print("microseconds prepared-read \(copy.read.text(1))")
        print("microseconds prepared-sqlite-copy \(copy.sqlite.text(1))")
    }

    private static func remove(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("note: \(folder.path) could not be removed: \(error)")
        }
    }
}
