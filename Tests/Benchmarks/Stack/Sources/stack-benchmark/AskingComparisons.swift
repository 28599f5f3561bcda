import Foundation
import GRDB
import StrataPersistence

/// Monthly sums, compared with the same SQL by hand, and a page far into a list, compared with the first page.
struct AskingComparisons {
    static let names = ["group", "deep-page"]

    private static let invoiceCount: Int64 = 50_000
    private static let listCount: Int64 = 150_000
    /// The count of records before the page that is compared with the first one.
    private static let depth = 100_000
    private static let pageSize = 50

    let folder: URL

    private struct Invoice: PersistentRecord {
        let id: RecordID<Invoice>
        var number: Int
        var due: Day
        var total: Decimal

        static let entity = RecordEntity<Invoice>(
            "Invoice", id: \.id,
            [
                .attribute("number", \.number, isIndexed: true), .attribute("due", \.due),
                .attribute("total", \.total, scale: 2),
            ]
        ) { row in
            Invoice(id: try row.id(), number: try row.next(), due: try row.next(), total: try row.next())
        }
    }

    /// Prints a line `ratio NAME VALUE` for each name.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result = try name == "group" ? group(rounds) : deepPage(rounds)
            print(
                "\(name): \(result.strata.median.text(2)) ms (least \(result.strata.least.text(2))),", terminator: " ")
            print("compared with \(result.grdb.median.text(2)) ms (least \(result.grdb.least.text(2)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
    }

    private func container(_ count: Int64) throws -> (PersistentContainer, URL) {
        let url = folder.appendingPathComponent("invoices-\(count).sqlite")
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Invoice.self]), .sqlite(at: url), mainQueue: .private)
        try container.batchWrite { writer in
            var invoices: [Invoice] = []
            for id in 1...count {
                // Numbers are in another order than identifiers, and some are equal.
                let number = Int(id * 7_919 % count / 2)
                let due =
                    Day(daysSinceReferenceDay: 9_000 + Int(id * 31 % 1_095)) ?? Day(utc: Date(timeIntervalSince1970: 0))
                guard let key = RecordID<Invoice>(rawValue: id), let due else { continue }
                invoices.append(Invoice(id: key, number: number, due: due, total: Decimal(id % 1_000) / 4))
            }
            try writer.insert(invoices)
        }
        return (container, url)
    }

    private func group(_ rounds: Int) throws -> Comparison.Result {
        let (container, url) = try container(Self.invoiceCount)
        let context = container.newBackgroundContext()
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        let comparison = Comparison(
            name: "group",
            strata: {
                try timed {
                    let rows = try context.performAndWait { context in
                        let sums = try context.aggregate(
                            FetchRequest<Invoice>(), by: .yearMonth(\.due), select: .count(), .sum(\.total))
                        return sums.map { ($0.key, $0.values.0, $0.values.1 ?? 0) }
                    }
                    return Self.checksum(rows)
                }
            },
            grdb: {
                try timed {
                    let rows = try queue.read { db in
                        try Row.fetchAll(
                            db,
                            sql: """
                                SELECT substr(due, 1, 7) AS month, count(*) AS number, sum(total) AS total \
                                FROM Invoice GROUP BY 1 ORDER BY 1
                                """
                        ).map { row -> (String, Int, Decimal) in
                            (row["month"], row["number"], Decimal(row["total"] as Int64) / 100)
                        }
                    }
                    return Self.checksum(rows)
                }
            }, repetition: 5)
        let result = try comparison.run(rounds: rounds)
        try queue.close()
        try container.destroyPersistentStore()
        return result
    }

    private static func checksum(_ rows: [(month: String, count: Int, total: Decimal)]) -> Checksum {
        var checksum = Checksum()
        for row in rows {
            checksum.add(
                id: Int64(row.count), name: "\(row.month) \(row.total)", salary: 0,
                dateHired: Date(timeIntervalSinceReferenceDate: 0), boss: nil)
        }
        return checksum
    }

    private func deepPage(_ rounds: Int) throws -> Comparison.Result {
        let (container, _) = try container(Self.listCount)
        let request = FetchRequest<Invoice>(sort: [SortKey(\.number)])
        let context = container.newBackgroundContext()
        let deep = try context.performAndWait { try $0.page(request, size: Self.depth).next }
        @Sendable func page(after token: PageToken?) throws -> (Duration, Checksum) {
            try timed {
                let count = try context.performAndWait { context in
                    try context.page(request, size: Self.pageSize, after: token).records.count
                }
                return Self.checksum([("", count, 0)])
            }
        }
        let comparison = Comparison(
            name: "deep-page", strata: { try page(after: deep) }, grdb: { try page(after: nil) }, repetition: 20)
        let result = try comparison.run(rounds: rounds)
        try container.destroyPersistentStore()
        return result
    }
}
