import Foundation
import StrataPersistence
import StrataStoreKit
import Synchronization

extension BrokenStore {
    func count(_ request: ResolvedRequest) throws -> Int {
        let request = request.asked
        switch fault {
        case .countIgnoresWindow:
            var request = request
            (request.limit, request.offset) = (nil, 0)
            return try base.count(request)
        case .countsEverything: return try base.count(StoreRequest(request.entity))
        default: return try selected(request).count
        }
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        guard fault == .cursorSeesLaterWrites else { return try base.openCursor(request) }
        return ForgetfulCursor(self, request.asked)
    }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        let rows = try selected(request.asked).map(damaged)
        for row in rows {
            let source = RowCopy(row)
            do {
                if case .stop = try body(RowReader(source)), fault != .neverStops { return }
            } catch {
                if fault != .swallowsErrors { throw error }
            }
        }
    }

    /// Returns the rows of a request, selected and ordered with the fault.
    func selected(_ request: StoreRequest) throws -> [StoredRow] {
        var all = StoreRequest(request.entity)
        if fault == .windowsBeforeFiltering { (all.limit, all.offset) = (request.limit, request.offset) }
        var rows = try base.rows(all)
        if let condition = request.condition { rows = try rows.filter { try matches($0, condition, request.entity) } }
        rows = try sorted(rows, request)
        if fault == .windowsBeforeFiltering { return rows }
        let offset = fault == .windowOffByOne && request.offset > 0 ? request.offset - 1 : request.offset
        return Array(rows.dropFirst(offset).prefix(request.limit ?? .max))
    }

    private func matches(_ row: StoredRow, _ condition: FetchCondition, _ entity: String) throws -> Bool {
        if condition.traversesRelationships { return try matchesRelated(row, condition, entity) }
        let entity = try model.entity(named: entity)
        func evaluate(_ condition: FetchCondition, _ values: [StoredValue]) throws -> Bool {
            try ConditionEvaluator(condition, entity: entity).matches(id: row.id, values: values)
        }
        switch fault {
        case .likeIsContains:
            if case .like(let text, let pattern, let ignoring) = condition {
                let part = pattern.filter { $0 != "*" }
                return try evaluate(.contains(text, .constant(.string(part)), ignoringCase: ignoring), row.values)
            }
            return try evaluate(condition, row.values)
        case .findsByFirstOfTogether:
            if case .all(let parts) = condition, let first = parts.first { return try evaluate(first, row.values) }
            return try evaluate(condition, row.values)
        case .canonicalStrings:
            return try evaluate(condition.mappingTexts(\.precomposed), row.values.map { $0.mappingText(\.precomposed) })
        case .foldsUnicode:
            guard condition.ignoresCase else { return try evaluate(condition, row.values) }
            return try evaluate(
                condition.mappingTexts { $0.lowercased() }, row.values.map { $0.mappingText { $0.lowercased() } })
        case .forgetsFunctions:
            guard case .compare(.function(_, let operand), let comparison, let value) = condition else {
                return try evaluate(condition, row.values)
            }
            // A length has no other value with which it could be confused.
            do { return try evaluate(.compare(operand, comparison, value), row.values) } catch { return false }
        case .comparesLetters:
            return try ConditionEvaluator(condition, entity: entity.withoutForms).matches(
                id: row.id, values: row.values)
        case .swallowsOverflow:
            guard case .compare(.function, _, _) = condition else { return try evaluate(condition, row.values) }
            do { return try evaluate(condition, row.values) } catch { return false }
        case .roundsToEven:
            guard case .compare(.function(.rounded(digits: 0), .property("ratio")), .equal, let value) = condition,
                let index = entity.columnIndex("ratio"), case .double(let ratio) = row.values[index]
            else { return try evaluate(condition, row.values) }
            return .constant(.double(ratio.rounded(.toNearestOrEven))) == value
        case .unknownTruth:
            if case .not(.compare(.property(let name), let comparison, _)) = condition, comparison == .less,
                let index = entity.columnIndex(name), row.values[index].isNull
            {
                return false
            }
            return try evaluate(condition, row.values)
        case .wrappingArithmetic:
            do { return try evaluate(condition, row.values) } catch { return false }
        case .evaluatesEverything:
            if case .all(let parts) = condition {
                return try parts.map { try evaluate($0, row.values) }.allSatisfy(\.self)
            }
            if case .any(let parts) = condition { return try parts.map { try evaluate($0, row.values) }.contains(true) }
            return try evaluate(condition, row.values)
        default: return try evaluate(condition, row.values)
        }
    }

    private func sorted(_ rows: [StoredRow], _ request: StoreRequest) throws -> [StoredRow] {
        let entity = try model.entity(named: request.entity)
        let inserted = order.withLock { $0 }
        if fault == .insertionOrder, request.sort.isEmpty {
            return rows.sorted { (inserted.firstIndex(of: $0.id) ?? 0) < (inserted.firstIndex(of: $1.id) ?? 0) }
        }
        var keys = fault == .ignoresSecondSortKey ? Array(request.sort.prefix(1)) : request.sort
        if fault == .sortsByPropertiesOnly { keys = keys.filter { $0.property != nil } }
        if keys.contains(where: { $0.property?.contains(".") ?? true }) {
            if fault == .sortsByFirstStep {
                keys = keys.map { key in
                    key.property.map { .init(String($0.prefix { $0 != "." }), descending: key.isDescending) } ?? key
                }
            }
            let ids = Set(rows.map(\.id))
            return try base.rows(StoreRequest(request.entity, sort: keys)).filter { ids.contains($0.id) }
        }
        return rows.sorted { left, right in
            for key in keys {
                let index = key.property.flatMap { entity.columnIndex($0) }
                let first = index.map { left.values[$0] } ?? .integer(left.id)
                let second = index.map { right.values[$0] } ?? .integer(right.id)
                if first == second { continue }
                if fault == .nullsLast, first.isNull || second.isNull { return second.isNull != key.isDescending }
                return (first < second) != key.isDescending
            }
            return fault == .dropsTiebreak && !keys.isEmpty ? left.id > right.id : left.id < right.id
        }
    }

    private func damaged(_ row: StoredRow) -> StoredRow {
        var row = row
        row.values = row.values.map { value in
            switch (fault, value) {
            case (.roundsDoubles, .double(let number)): .double(Double(Float(number)))
            case (.cutsText, .string(let text)): .string(text.trimmingCharacters(in: .whitespaces))
            case (.losesEmptyBinary, .binary(let data)) where data.isEmpty: .null
            case (.shiftsDays, .day(let day)):
                // This stores midnights of one time zone and reads them in another.
                Day(daysSinceReferenceDay: day.daysSinceReferenceDay - 1).map(StoredValue.day) ?? value
            case (.cutsTimes, .timeOfDay(let time)):
                TimeOfDay(nanosecondsSinceMidnight: time.nanosecondsSinceMidnight / 1000 * 1000)
                    .map(StoredValue.timeOfDay) ?? value
            default: value
            }
        }
        return row
    }
}

/// A row held by value, as a row source.
private final class RowCopy: RowSource {
    private let row: StoredRow

    init(_ row: StoredRow) { self.row = row }

    var id: Int64 { row.id }
    var version: Int64 { row.version }
    func value(at index: Int) -> StoredValue { row.values[index] }
}

/// A cursor that reads the store again for every row.
private final class ForgetfulCursor: RowCursor {
    private let store: BrokenStore
    private let request: StoreRequest
    private var place = 0

    init(_ store: BrokenStore, _ request: StoreRequest) {
        self.store = store
        self.request = request
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        let rows = try store.selected(request)
        guard place < rows.count else { return false }
        try body(RowReader(RowCopy(rows[place])))
        place += 1
        return true
    }
}

extension String {
    fileprivate var precomposed: String { precomposedStringWithCanonicalMapping }
}

extension StoredValue {
    fileprivate func mappingText(_ change: (String) -> String) -> StoredValue {
        if case .string(let text) = self { .string(change(text)) } else { self }
    }
}

extension FetchCondition {
    /// Returns the condition with its constant texts changed, as deep as the contract's checks need.
    fileprivate func mappingTexts(_ change: (String) -> String) -> FetchCondition {
        func operand(_ operand: FetchOperand) -> FetchOperand {
            if case .constant(let value) = operand { .constant(value.mappingText(change)) } else { operand }
        }
        return switch self {
        case .compare(let left, let comparison, let right): .compare(operand(left), comparison, operand(right))
        case .contains(let text, let part, let ignoring): .contains(text, operand(part), ignoringCase: ignoring)
        case .startsWith(let text, let part, let ignoring): .startsWith(text, operand(part), ignoringCase: ignoring)
        case .endsWith(let text, let part, let ignoring): .endsWith(text, operand(part), ignoringCase: ignoring)
        case .isIn(let value, let list): .isIn(value, list.map { $0.mappingText(change) })
        case .not(let condition): .not(condition.mappingTexts(change))
        default: self
        }
    }

    fileprivate var ignoresCase: Bool {
        switch self {
        case .contains(_, _, let ignoring), .startsWith(_, _, let ignoring): ignoring
        default: false
        }
    }
}

extension ResolvedRequest {
    /// The request with unresolved names, in which faults are easier to express.
    fileprivate var asked: StoreRequest {
        StoreRequest(
            entity.name, where: condition?.source,
            sort: sort.map { .init($0.operand.path(in: entity), descending: $0.isDescending) }, limit: limit,
            offset: offset)
    }
}

extension EntityDescription {
    /// The entity without formats for its texts.
    fileprivate var withoutForms: EntityDescription {
        EntityDescription(
            name,
            properties.map { property in
                guard case .attribute(var attribute) = property else { return property }
                attribute.domain = nil
                return .attribute(attribute)
            })
    }
}

extension ResolvedOperand {
    fileprivate func path(in entity: EntityDescription) -> String {
        switch form {
        case .column(let index): entity.columns[index].name
        case .function(.inOrder, let operand): operand.path(in: entity)
        case .related(let relationship, let operand):
            "\(relationship.description.name).\(operand.path(in: relationship.destination))"
        default: "id"
        }
    }
}
