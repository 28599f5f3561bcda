import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random selections with groups and aggregates, compared with a simple evaluation of the rows.
@Suite("Random selections")
struct RandomSelectionTests {
    private static let selectionsPerSeed = 100

    @Test(
        "stores return the groups and aggregates of a simple evaluation",
        arguments: StoreKind.allCases, Seeds.first(1, of: UInt64(1)...100))
    func agree(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let store = try kind.open(try StoreContract.model(), in: folder)
        let entity = try store.model.entity(named: "Sample")
        let values = RandomValues()
        var rows: [StoredRow] = []
        for id in Int64(1)...Int64.random(in: 0...40, using: &random) + 1 {
            var row = StoredRow(id: id, values: values.row(using: &random))
            // A sum of very different doubles depends on the order of their addition, which is unspecified.
            let ratio = entity.columnIndex("ratio") ?? 0
            if case .double(let number) = row.values[ratio], number != number.rounded() || abs(number) > 1_000 {
                row.values[ratio] = .double(number.rounded() == number ? 1_000 : 0.25)
            }
            rows.append(row)
        }
        var changes = ChangeSet()
        changes["Sample"].insertions = rows.map { ChangeSet.Insertion(id: $0.id, values: $0.values) }
        _ = try store.save(changes)
        var errors = 0
        for number in 1...Self.selectionsPerSeed {
            let selection = RandomSelection(entity, using: &random)
            guard let (wanted, mayFail) = selection.results(of: rows) else { continue }
            var found: [[StoredValue]]? = []
            do {
                try store.select(selection.selection) { result in
                    found?.append(result)
                    return .next
                }
            } catch let error as PersistenceError where error.code == .arithmetic {
                found = nil
                errors += 1
            }
            #expect(
                Self.isEqual(found, wanted) || found == nil && mayFail,
                "\(kind), seed \(seed), selection \(number): \(selection.selection)\nfound \(found as Any)\nwanted \(wanted as Any)"
            )
        }
        #expect(errors < Self.selectionsPerSeed / 2, "seed \(seed): most selections have results")
        try store.close()
    }

    /// Compares results; doubles may differ in their last digits, because the order of their addition is unspecified.
    private static func isEqual(_ found: [[StoredValue]]?, _ wanted: [[StoredValue]]?) -> Bool {
        guard let found, let wanted else { return found == nil && wanted == nil }
        return found.count == wanted.count
            && zip(found, wanted).allSatisfy { found, wanted in
                zip(found, wanted).allSatisfy { found, wanted in
                    guard case .double(let left) = found, case .double(let right) = wanted else {
                        return found == wanted
                    }
                    return abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
                }
            }
    }
}

/// A random selection of the contract's entity `Sample`, and its evaluation without the code of a store.
private struct RandomSelection {
    private(set) var selection: StoreSelection
    private let keys: [FetchOperand]
    private let aggregates: [FetchAggregate]
    private let entity: EntityDescription
    private let ids: ClosedRange<Int64>

    init(_ entity: EntityDescription, using random: inout SeededGenerator) {
        self.entity = entity
        let date = FetchFunction.yearMonth
        let allKeys: [FetchOperand] = [
            .property("text"), .property("short"), .property("flag"), .property("birthday"), .property("label"),
            .property("price"), .property("opening"), .property("token"), .property("bytes"), .property("ratio"),
            .function(date, .property("instant")), .function(.year, .property("birthday")),
            .function(.uppercased, .property("text")), .coalesce(.property("medium"), .property("short")),
        ]
        keys = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in allKeys.randomElement(using: &random) }
        let numbers = ["short", "medium", "long", "ratio", "price", "weight"].map(FetchOperand.property)
        aggregates = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
            let number = numbers.randomElement(using: &random) ?? .property("short")
            let any = FetchOperand.property(entity.columns.randomElement(using: &random)?.name ?? "label")
            let other = FetchOperand.property(entity.columns.randomElement(using: &random)?.name ?? "label")
            let all: [FetchAggregate] = [
                .count, .sum(number), .total(number), .average(number), .minimum(any), .maximum(any),
                .countValues(any), .countDistinct([any]), .countDistinct([any, other]),
            ]
            return all.randomElement(using: &random)
        }
        let first = Int64.random(in: 0...5, using: &random)
        ids = first...first + Int64.random(in: 0...40, using: &random)
        let isInside = FetchCondition.all([
            .compare(.property("id"), .greaterOrEqual, .constant(.integer(ids.lowerBound))),
            .compare(.property("id"), .lessOrEqual, .constant(.integer(ids.upperBound))),
        ])
        var grouping = StoreSelection.Grouping(by: keys)
        if Bool.random(using: &random) {
            grouping.having = .compare(.aggregate(.count), .greater, .constant(.integer(1)))
        }
        if Bool.random(using: &random), let key = aggregates.first {
            grouping.order = [
                StoreRequest.Sort(key: .value(.aggregate(key)), descending: Bool.random(using: &random))
            ]
        }
        if Int.random(in: 0...3, using: &random) == 0 {
            grouping.limit = Int.random(in: 0...5, using: &random)
            grouping.offset = Int.random(in: 0...2, using: &random)
        }
        selection = StoreSelection(
            StoreRequest("Sample", where: isInside), keys + aggregates.map(FetchOperand.aggregate), grouping: grouping)
    }

    private struct Overflow: Error {}

    /// Returns the results of a simple evaluation, or `nil` if a number of a selected group does not fit in 64 bits;
    /// and whether a number of another group does not fit, which a store may or may not report.
    ///
    /// The result is `nil` if it is unspecified whether a store reports such a number.
    func results(of rows: [StoredRow]) -> (results: [[StoredValue]]?, mayFail: Bool)? {
        var mayFail = false
        do {
            var groups: [(keys: [StoredValue], rows: [StoredRow])] = keys.isEmpty ? [([], [])] : []
            for row in rows where ids.contains(row.id) {
                let values = try keys.map { try value($0, row) }
                if let index = groups.firstIndex(where: { $0.keys == values }) {
                    groups[index].rows.append(row)
                } else {
                    groups.append((values, [row]))
                }
            }
            var results: [(values: [StoredValue], error: (any Error)?)] = []
            for group in groups {
                let isSelected = selection.grouping?.having == nil || group.rows.count > 1
                do {
                    let values = group.keys + (try aggregates.map { try aggregate($0, group.rows) })
                    if isSelected { results.append((values, nil)) }
                } catch {
                    // A store may or may not evaluate a number of a group outside the condition or the window.
                    mayFail = true
                    let isWindow = selection.grouping?.limit != nil || selection.grouping?.order.isEmpty == false
                    if isSelected, isWindow { return nil }
                    if isSelected { results.append((group.keys, error)) }
                }
            }
            results.sort { precedes($0.values, $1.values) }
            let window = results.dropFirst(selection.grouping?.offset ?? 0).prefix(selection.grouping?.limit ?? .max)
            return (
                try window.map { result in
                    if let error = result.error { throw error }
                    return result.values
                }, mayFail
            )
        } catch {
            return (nil, mayFail)
        }
    }

    private func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        if let key = selection.grouping?.order.first, left[keys.count] != right[keys.count] {
            return (left[keys.count] < right[keys.count]) != key.isDescending
        }
        for index in keys.indices where left[index] != right[index] { return left[index] < right[index] }
        return false
    }

    private func value(_ operand: FetchOperand, _ row: StoredRow) throws -> StoredValue {
        switch operand {
        case .property(let name): return row.values[entity.columnIndex(name) ?? 0]
        case .coalesce(let first, let second):
            let value = try value(first, row)
            return value == .null ? try self.value(second, row) : value
        case .function(let function, let operand):
            switch (function, try value(operand, row)) {
            case (.uppercased, .string(let text)): return .string(text.uppercased())
            case (.year, .day(let day)): return .integer(Int64(day.year))
            case (.yearMonth, .date(let date)):
                // The formatter of Foundation has its own calendar.
                let day = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
                return .string(String(day.formatted(.iso8601.year().month()).prefix(7)))
            default: return .null
            }
        default: return .null
        }
    }

    private func aggregate(_ aggregate: FetchAggregate, _ rows: [StoredRow]) throws -> StoredValue {
        func values(_ operand: FetchOperand) throws -> [StoredValue] {
            try rows.map { try value(operand, $0) }.filter { $0 != .null }
        }
        switch aggregate {
        case .count: return .integer(Int64(rows.count))
        case .countValues(let operand): return .integer(Int64(try values(operand).count))
        case .countDistinct(let operands):
            let tuples = try rows.map { row in try operands.map { try value($0, row) } }
            return .integer(Int64(Set(tuples.filter { !$0.contains(.null) }).count))
        case .minimum(let operand): return try values(operand).min() ?? .null
        case .maximum(let operand): return try values(operand).max() ?? .null
        case .sum(let operand):
            let numbers = try values(operand)
            return numbers.isEmpty ? .null : try sum(numbers)
        case .total(let operand):
            let numbers = try values(operand)
            guard numbers.isEmpty else { return try sum(numbers) }
            switch entity.columns[entity.columnIndex(name(operand)) ?? 0].type {
            case .double: return .double(0)
            case .decimal(let scale): return .decimal(ScaledDecimal(unscaled: 0, scale: scale))
            default: return .integer(0)
            }
        case .average(let operand): return try average(try values(operand))
        }
    }

    private func name(_ operand: FetchOperand) -> String {
        if case .property(let name) = operand { name } else { "" }
    }

    private func exact(_ numbers: [StoredValue]) -> (sum: Int128, scale: UInt8?) {
        numbers.reduce(into: (Int128(0), nil)) { result, number in
            switch number {
            case .integer(let value): result.0 += Int128(value)
            case .decimal(let value): result = (result.0 + Int128(value.unscaled), value.scale)
            default: break
            }
        }
    }

    private func sum(_ numbers: [StoredValue]) throws -> StoredValue {
        if case .double = numbers[0] {
            let sum = numbers.reduce(0.0) { if case .double(let value) = $1 { $0 + value } else { $0 } }
            guard sum.isFinite else { throw Overflow() }
            return .double(sum)
        }
        let (sum, scale) = exact(numbers)
        guard let result = Int64(exactly: sum) else { throw Overflow() }
        return scale.map { .decimal(ScaledDecimal(unscaled: result, scale: $0)) } ?? .integer(result)
    }

    private func average(_ numbers: [StoredValue]) throws -> StoredValue {
        guard let first = numbers.first else { return .null }
        if case .double = first {
            guard case .double(let sum) = try sum(numbers) else { return .null }
            return .double(sum / Double(numbers.count))
        }
        let (sum, scale) = exact(numbers)
        guard let scale else { return .double(Double(sum) / Double(numbers.count)) }
        // The digits of the quotient, one by one, as in a division on paper.
        let count = Int128(numbers.count)
        var (digits, rest) = (sum.magnitude / UInt128(count), sum.magnitude % UInt128(count))
        for _ in 0..<(min(scale + 6, 18) - scale) {
            rest *= 10
            digits = digits * 10 + rest / UInt128(count)
            rest %= UInt128(count)
        }
        if 2 * rest >= UInt128(count) { digits += 1 }
        guard let result = Int64(exactly: sum < 0 ? -Int128(digits) : Int128(digits)) else { throw Overflow() }
        return .decimal(ScaledDecimal(unscaled: result, scale: min(scale + 6, 18)))
    }
}
