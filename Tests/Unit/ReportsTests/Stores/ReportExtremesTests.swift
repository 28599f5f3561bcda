import Foundation
import PersistenceTestSupport
import StrataPersistence
import Testing

@testable import StrataReports

@Suite("Report figures of extreme values")
struct ReportExtremesTests {
    private func summary(
        _ column: SampleModel.Column, _ values: [StoredValue], _ kind: StoreKind
    ) throws -> ColumnFigure {
        let sample = try SampleStore(kind, things: values.map { [column: $0] })
        let report = try sample.report()
        _ = report.page
        return try #require(report.entities.first).columns[column.rawValue].figure
    }

    @Test("figures of the least and the greatest whole number do not overflow", arguments: StoreKind.allCases)
    func wholeNumbers(kind: StoreKind) throws {
        let values: [StoredValue] = [.integer(.min), .integer(.max), .integer(.max), .integer(.min)]
        guard case .numbers(let summary) = try summary(.whole, values, kind) else {
            Issue.record("not drawn")
            return
        }
        #expect(summary.counts.first == 2 && summary.counts.last == 2)
        #expect(NumberText.number(summary.median) == "\u{2212}0.5")
        #expect(NumberText.number(summary.mean) == "\u{2212}0.5")
        #expect(NumberText.number(summary.least) == "\u{2212}9,223,372,036,854,775,808")
    }

    @Test("figures of the least and the greatest decimal do not overflow", arguments: StoreKind.allCases)
    func decimals(kind: StoreKind) throws {
        let values = [Int64.min, 0, .max].map { StoredValue.decimal(ScaledDecimal(unscaled: $0, scale: 2)) }
        guard case .numbers(let summary) = try summary(.price, values, kind) else {
            Issue.record("not drawn")
            return
        }
        #expect(NumberText.number(summary.greatest, fractionDigits: 2) == "92,233,720,368,547,758.07")
        #expect(NumberText.number(summary.median, fractionDigits: 2) == "0.00")
    }

    private static let reals: [[Double]] = [
        [-.greatestFiniteMagnitude, .greatestFiniteMagnitude], [.leastNonzeroMagnitude, -.leastNonzeroMagnitude],
        [0, .leastNonzeroMagnitude], [1e15 + 0.125, 1e15 + 0.25], [1e300, 1e300.nextUp], [0.1, 0.2, 0.3],
        [-0.0, 0], [.greatestFiniteMagnitude, .greatestFiniteMagnitude.nextDown], [1e-300, 1e300],
    ]

    @Test(
        "each floating-point number is counted in a bin, for numbers far apart and close together", arguments: reals,
        StoreKind.allCases)
    func floatingPoint(numbers: [Double], kind: StoreKind) throws {
        guard case .numbers(let summary) = try summary(.real, numbers.map(StoredValue.double), kind) else {
            Issue.record("not drawn")
            return
        }
        #expect(summary.counts.reduce(0, +) == numbers.count)
        #expect(summary.counts.count <= NumberBins.most)
        #expect(summary.least == DecimalNumber(try #require(numbers.min())))
        #expect(summary.greatest == DecimalNumber(try #require(numbers.max())))
    }

    @Test("dates outside the drawn range of years are counted but not drawn", arguments: StoreKind.allCases)
    func dates(kind: StoreKind) throws {
        let seconds: [Double] = [0, 1e14, -1e14, .greatestFiniteMagnitude, 86_400]
        let values = seconds.map { StoredValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
        guard case .dates(let summary) = try summary(.day, values, kind) else {
            Issue.record("not drawn")
            return
        }
        #expect(summary.count == 2 && summary.beyondCount == 3)
        #expect(summary.least.text == "2001-01-01" && summary.greatest.text == "2001-01-02")
        #expect(summary.counts == [1, 1])
    }

    @Test("a page reports the count of dates that are outside the drawn range of years", arguments: StoreKind.allCases)
    func datesBeyond(kind: StoreKind) throws {
        let things: [[SampleModel.Column: StoredValue]] = [
            [.day: .date(Date(timeIntervalSinceReferenceDate: 1e14))],
            [.day: .date(Date(timeIntervalSinceReferenceDate: -1e300))], [:],
        ]
        let page = try SampleStore(kind, things: things).report().page
        #expect(
            page.contains(
                "2 dates lie beyond the years −999,999 to 999,999 and are not drawn. 1 row is null (33.3 %) and not drawn."
            ))
    }

    @Test("the mean of the greatest floating-point numbers does not overflow", arguments: StoreKind.allCases)
    func meanOfLargest(kind: StoreKind) throws {
        let greatest = Double.greatestFiniteMagnitude
        for count in 3...9 {
            let numbers = [Double](repeating: greatest, count: count) + [greatest.nextDown]
            for sign in [1.0, -1] {
                let figure = try summary(.real, numbers.map { .double(sign * $0) }, kind)
                guard case .numbers(let summary) = figure else {
                    Issue.record("not drawn")
                    return
                }
                #expect(NumberText.number(summary.mean).hasSuffix("1.79769313486 × 10³⁰⁸"))
            }
        }
    }

    @Test(
        "the page of a store with one row shows one value, one date, one color and one child row",
        arguments: StoreKind.allCases)
    func oneRow(kind: StoreKind) throws {
        let thing: [SampleModel.Column: StoredValue] = [
            .whole: .integer(7), .real: .double(1.5), .flag: .boolean(true),
            .day: .date(Date(timeIntervalSince1970: 0)),
            .paint: .string("#ABCDEF"), .name: .string("only"), .owner: .integer(1),
        ]
        let page = try SampleStore(kind, owners: ["me"], things: [thing]).report().page
        for text in ["1 value, 7.", "1 value, 1.5.", "1 date, on 1970-01-01.", "#ABCDEF", "1 of 1 Thing row leads"] {
            #expect(page.contains(text), "\(text)")
        }
    }

    /// A low limit, because 65,536 parents take long.
    private static let fewParents: ReportOptions = {
        var options = ReportOptions()
        options.exactParents = 1 << 12
        return options
    }()

    @Test("the parent with the most children is found even if its estimated count is the lowest")
    func undercountedParent() throws {
        let most = Self.fewParents.exactParents
        // Parents beyond the capacity of the table lower the estimated count of the first parent twice.
        var parents = [Int](repeating: 1, count: 6)
        for _ in 0..<2 { parents += 2...(most + 1) }
        let late = (most + 2)...(most + 600)
        for parent in late { parents += [Int](repeating: parent, count: 5) }
        let sample = try SampleStore(
            .inMemory, owners: [String?](repeating: nil, count: most + 600),
            things: parents.map { [.owner: .integer(Int64($0))] })
        let report = try sample.report(Self.fewParents)
        guard case .tree(let tree)? = report.entities.first?.columns[SampleModel.Column.owner.rawValue].figure else {
            Issue.record("not drawn")
            return
        }
        #expect(!tree.isExact)
        #expect(tree.top.first?.id == 1 && tree.top.first?.count == 6)
        #expect(tree.top.first?.children == (1...6).map { "Thing \($0)" })
        let others = tree.top.dropFirst()
        #expect(others.allSatisfy { $0.count == 5 })
    }

    @Test("the parents with the most children are counted exactly even with more parents than the limit")
    func manyParents() throws {
        let owners = Self.fewParents.exactParents + 1000
        var parents = Array(1...owners)
        for index in 0..<50 { parents.insert(owners - index % 2, at: index * 100) }
        let sample = try SampleStore(
            .inMemory, owners: [String?](repeating: nil, count: owners),
            things: parents.map { [.owner: .integer(Int64($0))] })
        let report = try sample.report(Self.fewParents)
        guard case .tree(let tree)? = report.entities.first?.columns[SampleModel.Column.owner.rawValue].figure else {
            Issue.record("not drawn")
            return
        }
        #expect(!tree.isExact)
        #expect(tree.top.map(\.count) == [26, 26])
        #expect(tree.top.map(\.label) == ["Owner \(owners - 1)", "Owner \(owners)"])
        #expect(abs(Double(tree.parentsWithChildren) / Double(owners) - 1) < 0.03)
        #expect(report.page.contains("That is an estimate"))
    }

    @Test(
        "the most frequent texts are counted exactly even with more distinct texts than the limit",
        arguments: StoreKind.allCases)
    func manyTexts(kind: StoreKind) throws {
        let count = 3 * TextGatherer.exactTexts
        var values = (0..<count).map { StoredValue.string("text \($0)") }
        for index in 0..<500 { values.insert(.string("often"), at: index * 20) }
        for index in 0..<300 { values.append(.string("late \(index % 2)")) }
        guard case .texts(let summary) = try summary(.name, values, kind) else {
            Issue.record("not drawn")
            return
        }
        #expect(!summary.isExact)
        #expect(summary.top.map(\.text) == ["often", "late 0", "late 1"])
        #expect(summary.top.map(\.count) == [500, 150, 150])
        #expect(abs(Double(summary.distinctCount) / Double(count + 3) - 1) < 0.03)
    }
}
