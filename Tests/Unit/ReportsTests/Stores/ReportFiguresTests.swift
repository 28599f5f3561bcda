import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import Testing

@testable import StrataReports

extension StoreReport {
    /// Returns the figure of a column of `Thing`.
    fileprivate func figure(_ column: SampleModel.Column) throws -> ColumnFigure {
        try #require(entities.first { $0.name == "Thing" }).columns[column.rawValue].figure
    }

    fileprivate func numbers(_ column: SampleModel.Column) throws -> NumberSummary {
        guard case .numbers(let summary) = try figure(column) else { throw NotDrawn(column: column) }
        return summary
    }
}

private struct NotDrawn: Error {
    let column: SampleModel.Column
}

@Suite("Report figures compared with figures of arrays")
struct ReportFiguresTests {
    private static let seeds: [UInt64] = [1, 2, 3]

    /// Returns pseudorandom rows in which one of seven values is null.
    private static func things(_ count: Int, seed: UInt64) -> [[SampleModel.Column: StoredValue]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var thing: [SampleModel.Column: StoredValue] = [
                .whole: .integer(.random(in: -5_000_000...70_000_000, using: &generator)),
                .price: .decimal(ScaledDecimal(unscaled: .random(in: 0...50_000, using: &generator), scale: 2)),
                .real: .double(.random(in: -1...3, using: &generator)),
                .flag: .boolean(.random(using: &generator)),
                .day: .date(Date(timeIntervalSinceReferenceDate: .random(in: -1e8...2e8, using: &generator))),
                .paint: .string("#00FF0\(Int.random(in: 0...9, using: &generator))"),
                .name: .string("n\(Int.random(in: 0...20, using: &generator))"),
                .owner: .integer(.random(in: 1...5, using: &generator)),
            ]
            for column in thing.keys.sorted(by: { $0.rawValue < $1.rawValue })
            where Int.random(in: 0..<7, using: &generator) == 0 {
                thing[column] = nil
            }
            return thing
        }
    }

    private static let owners: [String?] = ["a", "b", nil, "d", "e", "f"]

    @Test(
        "the least, median, mean and greatest number and all bins equal the values computed from an array",
        arguments: StoreKind.allCases, seeds)
    func wholeNumbers(kind: StoreKind, seed: UInt64) throws {
        let things = Self.things(999 + Int(seed), seed: seed)
        let sample = try SampleStore(kind, owners: Self.owners, things: things)
        let summary = try sample.report().numbers(.whole)
        let numbers = things.compactMap { thing -> Int64? in
            if case .integer(let number)? = thing[.whole] { number } else { nil }
        }.sorted()
        #expect(summary.count == numbers.count)
        #expect(summary.least == DecimalNumber(Int128(numbers[0]), exponent: 0))
        #expect(summary.greatest == DecimalNumber(Int128(numbers[numbers.count - 1]), exponent: 0))
        let middle = numbers[(numbers.count - 1) / 2] + numbers[numbers.count / 2]
        #expect(summary.median.normalized == DecimalNumber(Int128(middle) * 5, exponent: -1).normalized)
        let mean = Double(numbers.reduce(0, +)) / Double(numbers.count)
        #expect(abs(Double(summary.mean.coefficient) / 100 - mean) < 0.011)
        for index in 0..<summary.bins.count {
            let lower = Int64(summary.bins.edge(index).scaled)
            let upper = Int64(summary.bins.edge(index + 1).scaled)
            #expect(summary.counts[index] == numbers.count { lower <= $0 && $0 < upper })
        }
    }

    @Test(
        "figures of decimals and floating-point numbers equal the figures computed from arrays",
        arguments: StoreKind.allCases, seeds)
    func otherNumbers(kind: StoreKind, seed: UInt64) throws {
        let things = Self.things(500 + Int(seed), seed: seed)
        let report = try SampleStore(kind, owners: Self.owners, things: things).report()
        let reals = things.compactMap { thing -> Double? in
            if case .double(let number)? = thing[.real] { number } else { nil }
        }.sorted()
        let real = try report.numbers(.real)
        #expect(real.median == DecimalNumber(reals[(reals.count - 1) / 2] / 2 + reals[reals.count / 2] / 2))
        #expect(real.counts.reduce(0, +) == reals.count)
        let prices = things.compactMap { thing -> Int64? in
            if case .decimal(let number)? = thing[.price] { number.unscaled } else { nil }
        }.sorted()
        let price = try report.numbers(.price)
        #expect(price.least == DecimalNumber(Int128(prices[0]), exponent: -2))
        #expect(price.counts.reduce(0, +) == prices.count)
        #expect(price.count == prices.count)
    }

    @Test(
        "figures of Boolean values, dates, texts, colors, trees and nulls equal the figures computed from arrays",
        arguments: StoreKind.allCases, seeds)
    func others(kind: StoreKind, seed: UInt64) throws {
        let things = Self.things(700, seed: seed)
        let report = try SampleStore(kind, owners: Self.owners, things: things).report()
        let entity = try #require(report.entities.first)
        #expect(entity.rowCount == 700)
        for column in SampleModel.Column.allCases {
            #expect(entity.columns[column.rawValue].nullCount == things.count { $0[column] == nil })
        }
        guard case .booleans(let trueCount, let falseCount) = try report.figure(.flag),
            case .dates(let dates) = try report.figure(.day), case .texts(let texts) = try report.figure(.name),
            case .palette(let palette) = try report.figure(.paint), case .tree(let tree) = try report.figure(.owner)
        else {
            Issue.record("a figure is missing")
            return
        }
        #expect(trueCount == things.count { $0[.flag] == .boolean(true) })
        #expect(falseCount == things.count { $0[.flag] == .boolean(false) })
        #expect(dates.counts.reduce(0, +) == things.count { $0[.day] != nil })
        #expect(dates.bins.unit == .month)
        let names = Dictionary(grouping: things.compactMap { $0[.name] }) { $0 }.mapValues(\.count)
        #expect(texts.isExact && texts.distinctCount == names.count)
        #expect(texts.top.map(\.count) == Array(names.values.sorted(by: >).prefix(10)))
        for value in texts.top { #expect(names[.string(value.text)] == value.count) }
        for swatch in palette.swatches {
            #expect(swatch.count == things.count { $0[.paint] == .string(swatch.color.hex) })
        }
        #expect(palette.distinctCount == Set(things.compactMap { $0[.paint] }).count)
        let children = Dictionary(grouping: things.compactMap { $0[.owner] }) { $0 }.mapValues(\.count)
        #expect(tree.top.map(\.count) == children.values.sorted(by: >))
        for parent in tree.top { #expect(children[.integer(parent.id)] == parent.count) }
        #expect(tree.allParents == 6 && tree.parentsWithChildren == 5)
        #expect(tree.orphanCount == things.count { $0[.owner] == nil })
        #expect(tree.top.first { $0.id == 3 }?.label == "Owner 3")
        #expect(tree.top.allSatisfy { $0.children.count == 10 })
    }

    @Test("in-memory and SQLite stores with the same rows always produce the same page")
    func determinism() throws {
        let things = Self.things(300, seed: 9)
        let pages = try StoreKind.allCases.flatMap { kind in
            let sample = try SampleStore(kind, owners: Self.owners, things: things)
            return [try sample.report().page, try sample.report().page]
        }
        #expect(Set(pages).count == 1)
    }

    @Test("all figures of a report show the same state of the store despite concurrent writes")
    func oneState() throws {
        let sample = try SampleStore(
            .sqlite, owners: ["a"],
            things: Self.things(10, seed: 1).map { thing in
                thing.merging([.owner: .integer(1)]) { $1 }
            })
        let store = sample.store
        let written = Counter()
        let report = try StoreReport(
            reading: store,
            ReportOptions(isCancelled: {
                guard written.countUp() == 1 else { return false }
                // The first read has begun, so rows inserted from now on must not be visible.
                do {
                    try store.insertRows(of: "Owner") { rows in
                        try rows.insert(id: nil, values: [.string("late")], location: RowLocation(line: 1, record: 1))
                    }
                } catch {
                    Issue.record(error)
                }
                return false
            }))
        #expect(try store.count(StoreRequest("Owner")) == 2)
        #expect(report.entities.map(\.rowCount) == [10, 1])
    }

    @Test("a canceled report ends with CancellationError", arguments: StoreKind.allCases)
    func cancellation(kind: StoreKind) throws {
        let sample = try SampleStore(kind, owners: ["a"])
        #expect(throws: CancellationError.self) {
            try sample.report(ReportOptions(isCancelled: { true }))
        }
    }

    @Test("a store without rows, and a store with only null values, have no figures", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) throws {
        let empty = try SampleStore(kind).report()
        #expect(empty.entities.map(\.rowCount) == [0, 0])
        #expect(empty.page.contains("The store is empty."))
        let nulls = try SampleStore(kind, things: [[:], [:]]).report()
        for column in SampleModel.Column.allCases where column != .owner {
            guard case .none = try nulls.figure(column) else {
                Issue.record("\(column) is drawn")
                continue
            }
        }
        #expect(nulls.page.contains("Every value is null."))
    }
}

extension DecimalNumber {
    /// The number without its exponent, which must not be negative.
    var scaled: Int128 { (0..<max(0, exponent)).reduce(coefficient) { number, _ in number * 10 } }
}
