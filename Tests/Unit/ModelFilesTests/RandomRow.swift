import Foundation
import StrataCore
import StrataTestSupport

/// A generator of rows of an entity, which mostly satisfy its rules.
struct RandomRow {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func values(of entity: EntityDescription) -> [StoredValue] {
        entity.columns.map { value(of: $0) }
    }

    private mutating func value(of column: ColumnDescription) -> StoredValue {
        if column.isOptional, Int.random(in: 0..<3, using: &random) == 0 { return .null }
        if column.destination != nil { return .integer(Int64.random(in: 1...4, using: &random)) }
        let rules = column.attribute?.rules ?? []
        for case .oneOf(let values) in rules { return values.randomElement(using: &random) ?? .null }
        for case .minimum(let value) in rules where Bool.random(using: &random) { return value }
        for case .maximum(let value) in rules where Bool.random(using: &random) { return value }
        return value(of: column.type)
    }

    private mutating func value(of type: AttributeType) -> StoredValue {
        let number = Int64.random(in: -1_000...1_000, using: &random)
        switch type {
        case .string:
            let texts = ["", "a", "ab", "\u{1}\"\\/\n", "naïve 日本", "x\(number)"]
            return .string(texts.randomElement(using: &random) ?? "")
        case .integer16, .integer32: return .integer(number)
        case .integer64:
            return .integer([Int64.min, .max, 9_007_199_254_740_993, number].randomElement(using: &random) ?? 0)
        case .double: return .double([0.1, 1e300, -2.5, Double(number)].randomElement(using: &random) ?? 0)
        case .decimal(let scale):
            return .decimal(
                ScaledDecimal(unscaled: [.max, .min + 1, number].randomElement(using: &random) ?? 0, scale: scale))
        case .boolean: return .boolean(number > 0)
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1000.5))
        case .day: return Day("2024-02-2\(abs(number) % 10)").map(StoredValue.day) ?? .null
        case .timeOfDay: return TimeOfDay("0\(abs(number) % 10):30:00.25").map(StoredValue.timeOfDay) ?? .null
        case .uuid: return .uuid(UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-05040302010\(abs(number) % 10)") ?? UUID())
        case .binary: return .binary(Data([UInt8(truncatingIfNeeded: number)]))
        }
    }
}
