import Foundation
import StrataPersistence

/// A second implementation of the comparison rules for the tests, which shares nothing with the module.
///
/// It supports no arithmetic, and no comparison of integers with doubles.
struct ReferenceEvaluator {
    /// An error for unsupported conditions.
    struct Unsupported: Error {}

    let row: StoredRow
    let entity: EntityDescription
    private let company: RandomCompany?

    init(_ row: StoredRow, _ entity: EntityDescription, in company: RandomCompany? = nil) {
        self.row = row
        self.entity = entity
        self.company = company
    }

    /// Returns the rows that a request selects, in its order.
    static func select(
        _ rows: [StoredRow], _ entity: EntityDescription, _ request: StoreRequest
    ) throws -> [Int64] {
        let selected = try rows.filter { row in
            try request.condition.map { try ReferenceEvaluator(row, entity).holds($0) } ?? true
        }
        return try selected.sorted { left, right in
            for key in request.sort {
                let property = try key.operand(of: entity)
                let sign = try order(
                    try ReferenceEvaluator(left, entity).value(property),
                    try ReferenceEvaluator(right, entity).value(property))
                if sign != 0 { return (sign < 0) != key.isDescending }
            }
            return left.id < right.id
        }.map(\.id)
    }

    private func relatives(_ name: String) throws -> [ReferenceEvaluator] {
        guard let company else { throw Unsupported() }
        let (entity, rows) = try company.relatives(of: row, entity.name, name)
        return rows.map { ReferenceEvaluator($0, entity, in: company) }
    }

    func holds(_ condition: FetchCondition) throws -> Bool {
        switch condition {
        case .constant(let truth): return truth
        case .compare(let left, let comparison, let right):
            return try Self.holds(comparison, try value(left), try value(right))
        case .isTrue(let operand):
            guard case .boolean(let truth) = try value(operand) else { return false }
            return truth
        case .contains(let text, let part, let ignoringCase):
            guard let (bytes, needle) = try texts(text, part, ignoringCase) else { return false }
            let starts = 0...max(0, bytes.count - needle.count)
            return starts.contains { Array(bytes.dropFirst($0).prefix(needle.count)) == needle }
        case .startsWith(let text, let part, let ignoringCase):
            guard let (bytes, needle) = try texts(text, part, ignoringCase) else { return false }
            return Array(bytes.prefix(needle.count)) == needle
        case .endsWith(let text, let part, let ignoringCase):
            guard let (bytes, needle) = try texts(text, part, ignoringCase) else { return false }
            return Array(bytes.suffix(needle.count)) == needle
        case .like(let text, let pattern, let ignoringCase):
            guard let (bytes, wanted) = try texts(text, .constant(.string(pattern)), ignoringCase) else { return false }
            return Self.isLike(
                Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...],
                Array(String(decoding: wanted, as: UTF8.self).unicodeScalars)[...])
        case .isIn(let operand, let list):
            let value = try value(operand)
            for member in list where try Self.holds(.equal, value, member) { return true }
            return false
        case .all(let conditions):
            for condition in conditions where try !holds(condition) { return false }
            return true
        case .any(let conditions):
            for condition in conditions where try holds(condition) { return true }
            return false
        case .not(let condition): return try !holds(condition)
        case .related(let name, let condition):
            for relative in try relatives(name) where try relative.holds(condition) { return true }
            return false
        }
    }

    private static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        switch first {
        case "*": return isLike(text, pattern.dropFirst()) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
        case "?": return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
        case "\\" where pattern.count > 1:
            let rest = pattern.dropFirst()
            return text.first == rest.first && isLike(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && isLike(text.dropFirst(), pattern.dropFirst())
        }
    }

    func value(_ operand: FetchOperand) throws -> StoredValue {
        switch operand {
        case .property(let name):
            if name == "id" { return .integer(row.id) }
            for (column, value) in zip(entity.columns, row.values) where column.name == name { return value }
            throw Unsupported()
        case .constant(let value): return value
        case .arithmetic, .negated: throw Unsupported()
        case .function(let function, let operand): return try value(of: function, try value(operand))
        case .coalesce(let left, let right):
            guard !mayBeDecimal(left), !mayBeDecimal(right) else { throw Unsupported() }
            let first = try value(left)
            if case .null = first { return try value(right) }
            return first
        case .conditional(let condition, let left, let right):
            guard !mayBeDecimal(left), !mayBeDecimal(right) else { throw Unsupported() }
            return try holds(condition) ? try value(left) : try value(right)
        case .truth(let condition): return .boolean(try holds(condition))
        case .relatedCount(let name, let condition):
            return .integer(Int64(try relatives(name).filter { try $0.holds(condition) }.count))
        case .related(let name, let operand):
            return try relatives(name).first.map { try $0.value(operand) } ?? .null
        case .relatedAggregate, .aggregate: throw Unsupported()
        }
    }

    /// Only functions of texts and binary data are supported: those of numbers may overflow, which is arithmetic.
    private func value(of function: FetchFunction, _ value: StoredValue) throws -> StoredValue {
        switch (function, value) {
        case (.lowercased, .string(let text)): return .string(text.lowercased())
        case (.uppercased, .string(let text)): return .string(text.uppercased())
        case (.trimmed, .string(let text)):
            return .string(
                text.replacing(#/^\p{White_Space}+|\p{White_Space}+$/#.matchingSemantics(.unicodeScalar), with: ""))
        case (.length, .string(let text)): return .integer(Int64(text.utf8.count { $0 & 0xC0 != 0x80 }))
        case (.length, .binary(let data)): return .integer(Int64(data.count))
        case (.absolute, _), (.rounded, _), (.year, _), (.yearMonth, _), (.day, _): throw Unsupported()
        default: return .null
        }
    }

    /// Returns the value at the end of a dotted path.
    func value(path: String) throws -> StoredValue {
        let steps = path.split(separator: ".").map(String.init)
        guard steps.count > 1 else { return try value(.property(path)) }
        guard let next = try relatives(steps[0]).first else { return .null }
        return try next.value(path: steps.dropFirst().joined(separator: "."))
    }

    /// Rescaling a decimal may overflow, which is arithmetic.
    private func mayBeDecimal(_ operand: FetchOperand) -> Bool {
        switch operand {
        case .property(let name): return name == "price" || name == "weight"
        case .constant(.decimal): return true
        case .coalesce(let left, let right), .conditional(_, let left, let right), .arithmetic(let left, _, let right):
            return mayBeDecimal(left) || mayBeDecimal(right)
        case .negated(let operand), .function(_, let operand): return mayBeDecimal(operand)
        default: return false
        }
    }

    private func texts(_ text: FetchOperand, _ part: FetchOperand, _ ignoringCase: Bool) throws -> ([UInt8], [UInt8])? {
        guard case (.string(let text), .string(let part)) = (try value(text), try value(part)) else { return nil }
        func bytes(_ text: String) -> [UInt8] {
            text.utf8.map { ignoringCase && $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
        }
        return (bytes(text), bytes(part))
    }

    static func holds(_ comparison: FetchComparison, _ left: StoredValue, _ right: StoredValue) throws -> Bool {
        switch (left, right) {
        case (.null, .null): return comparison == .equal
        case (.null, _), (_, .null): return comparison == .notEqual
        default: break
        }
        let sign = try order(left, right)
        switch comparison {
        case .equal: return sign == 0
        case .notEqual: return sign != 0
        case .less: return sign < 0
        case .lessOrEqual: return sign <= 0
        case .greater: return sign > 0
        case .greaterOrEqual: return sign >= 0
        }
    }

    /// Returns -1, 0 or 1; null is less than every value.
    static func order(_ left: StoredValue, _ right: StoredValue) throws -> Int {
        func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left == right ? 0 : 1 }
        func sign(bytes left: [UInt8], _ right: [UInt8]) -> Int {
            left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        }
        func exact(_ value: StoredValue) throws -> Decimal {
            switch value {
            case .integer(let number): return Decimal(number)
            case .decimal(let number):
                let sign: FloatingPointSign = number.unscaled < 0 ? .minus : .plus
                return Decimal(
                    sign: sign, exponent: -Int(number.scale), significand: Decimal(number.unscaled.magnitude))
            default: throw Unsupported()
            }
        }
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.boolean(let left), .boolean(let right)): return sign(left ? 1 : 0, right ? 1 : 0)
        case (.double(let left), .double(let right)): return sign(left, right)
        case (.string(let left), .string(let right)): return sign(bytes: Array(left.utf8), Array(right.utf8))
        case (.binary(let left), .binary(let right)): return sign(bytes: Array(left), Array(right))
        case (.uuid(let left), .uuid(let right)): return sign(left.uuidString, right.uuidString)
        case (.day(let left), .day(let right)): return sign(left.daysSinceReferenceDay, right.daysSinceReferenceDay)
        case (.timeOfDay(let left), .timeOfDay(let right)):
            return sign(left.nanosecondsSinceMidnight, right.nanosecondsSinceMidnight)
        case (.date(let left), .date(let right)):
            return sign(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        default: return sign(try exact(left), try exact(right))
        }
    }
}
