import Foundation
import StrataPersistence
import StrataTestSupport

/// Generates rows of any model's entities, and requests for them, from a seed.
struct RandomModelRequests {
    private let model: ManagedObjectModel
    private var random: SeededGenerator
    private let values = RandomValues()

    init(_ model: ManagedObjectModel, seed: UInt64) {
        self.model = model
        random = SeededGenerator(seed: seed)
    }

    /// Texts that match some of the formats.
    private static let formed = [
        "2024-01-26T10:00:00+02:00", "2024-01-26T08:00:00Z", "2024-01-26T08:00:00", "2024", "0999", "2024-01",
        "-0044-12", "7", "007", "-1.5", "1e3", "1000",
    ]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: Rows

    /// Returns values of the columns' types.
    ///
    /// They may break rules, which stores do not check.
    mutating func row(of entity: EntityDescription) -> [StoredValue] {
        entity.columns.map { column in
            if column.isOptional, chance(25) { return .null }
            return value(of: column)
        }
    }

    private mutating func value(of column: ColumnDescription) -> StoredValue {
        if column.destination != nil { return .integer(Int64.random(in: 1...12, using: &random)) }
        // Unique values are chosen from many, so that most rows are accepted.
        if column.isUnique, case .string = column.type {
            return .string("\(Int.random(in: 0..<1_000, using: &random))")
        }
        return value(of: column.type)
    }

    private mutating func value(of type: AttributeType) -> StoredValue {
        switch type {
        case .string: return chance(40) ? .string(pick(Self.formed)) : values.value(.string, using: &random)
        case .integer16: return .integer(Int64(Int16.random(in: -3...300, using: &random)))
        case .integer32: return .integer(Int64(Int32.random(in: -3...300, using: &random)))
        case .integer64: return values.value(.integer, using: &random)
        case .double: return values.value(.double, using: &random)
        case .decimal(let scale): return .decimal(ScaledDecimal(unscaled: pick(values.unscaled), scale: scale))
        case .boolean: return values.value(.boolean, using: &random)
        case .date: return values.value(.date, using: &random)
        case .day: return values.value(.day, using: &random)
        case .timeOfDay: return values.value(.timeOfDay, using: &random)
        case .uuid: return values.value(.uuid, using: &random)
        case .binary: return values.value(.binary, using: &random)
        }
    }

    // MARK: Requests

    mutating func condition(of entity: EntityDescription, depth: Int) -> FetchCondition {
        if depth > 0, chance(50) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .not(condition(of: entity, depth: depth - 1))
            case 1: return .any((0..<2).map { _ in condition(of: entity, depth: depth - 1) })
            case 2: return .all((0..<2).map { _ in condition(of: entity, depth: depth - 1) })
            default:
                let relationships = entity.relationships
                guard !relationships.isEmpty else { break }
                let relationship = pick(relationships)
                guard let destination = model[relationship.destination] else { break }
                return .related(relationship.name, condition(of: destination, depth: depth - 1))
            }
        }
        return leaf(entity)
    }

    private mutating func leaf(_ entity: EntityDescription) -> FetchCondition {
        guard !entity.columns.isEmpty, !chance(5) else {
            return .compare(
                .property("id"), comparison(), .constant(.integer(Int64.random(in: 0...13, using: &random))))
        }
        let column = pick(entity.columns)
        let property = FetchOperand.property(column.name)
        if case .string = column.type, column.destination == nil, chance(40) {
            let part = FetchOperand.constant(.string(pick(["", "a", "20", "0", "E", "\u{e9}"])))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .contains(property, part, ignoringCase: chance(50))
            case 1: return .startsWith(property, part, ignoringCase: chance(50))
            case 2: return .endsWith(property, part, ignoringCase: chance(50))
            default: return .like(property, pick(["*", "?", "*0*", "a*"]), ignoringCase: chance(50))
            }
        }
        if chance(20) {
            return .isIn(property, (0..<3).map { _ in chance(20) ? .null : value(of: column) })
        }
        return .compare(property, comparison(), .constant(chance(10) ? .null : value(of: column)))
    }

    private mutating func comparison() -> FetchComparison {
        pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    /// Returns sort keys, some of them across a reference.
    mutating func sort(of entity: EntityDescription) -> [StoreRequest.Sort] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            guard !entity.columns.isEmpty else { return StoreRequest.Sort("id", descending: chance(50)) }
            let column = pick(entity.columns)
            var path = column.name
            if let destination = column.destination.flatMap({ model[$0] }), let other = destination.columns.first {
                path += ".\(other.name)"
            }
            return StoreRequest.Sort(path, descending: chance(50))
        }
    }
}
