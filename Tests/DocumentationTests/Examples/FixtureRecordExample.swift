import Foundation
import StrataFixtures

/// What the documentation of fixtures of one's own shows, line by line.
enum FixtureRecordExample {
    struct Invoice: FixtureRecord {
        let number: String
        let total: Decimal

        static let fixtureEntity = FixtureEntity(
            "Invoice",
            [
                FixtureField("number", type: .text, generator: .code(prefix: "INV-", digits: 6), isUnique: true),
                FixtureField(
                    "total", type: .decimal(scale: 2), generator: .logNormal(median: 80, sigma: 1, .init(1...5_000))),
            ])

        init(fixture row: FixtureRow) throws {
            number = try row["number"]
            total = try row["total"]
        }
    }

    static func invoices() throws -> ([Invoice], Invoice) {
        let invoices = try Fixtures(seed: 7, for: Invoice.self)
        let paid = try invoices.records(Invoice.self, count: 100)
        let known = try invoices.record(Invoice.self, with: ["number": "INV-000001"])
        return (paid, known)
    }
}
