import Foundation
import StrataCore

/// Candidate values of an attribute: those that its rules contain, and their neighbors.
struct CandidateValues {
    private let attribute: AttributeDescription
    /// A Boolean value that indicates whether files can contain empty texts, which may mean null and are not permitted
    /// in lists.
    private let hasEmpty: Bool

    init(of attribute: AttributeDescription, in entity: EntityDescription, of model: ManagedObjectModel) {
        self.attribute = attribute
        let missing = attribute.spelling.missingValues ?? entity.external.missingValues ?? []
        let isListed = model.entities.flatMap(\.relationships).contains { relationship in
            guard case .list(let list)? = relationship.externalLink else { return false }
            return relationship.destination == entity.name && list.property == attribute.name
        }
        hasEmpty = !missing.contains("") && !isListed
    }

    /// The candidates that satisfy all rules.
    var allowed: [StoredValue] {
        let validator = RowValidator(EntityDescription("Thing", [.attribute(attribute)]))
        return (others + named.flatMap(neighbours)).filter { value in
            var value = value
            if !hasEmpty, value == .string("") || value == .binary(Data()) { return false }
            return value != .null && validator.validate(&value, column: 0).isEmpty
        }
    }

    private var named: [StoredValue] {
        attribute.rules.flatMap { rule -> [StoredValue] in
            switch rule {
            case .minimum(let value), .maximum(let value), .greaterThan(let value), .lessThan(let value): [value]
            case .oneOf(let values): values
            case .minimumLength, .maximumLength, .pattern: []
            }
        }
    }

    private func neighbours(_ value: StoredValue) -> [StoredValue] {
        switch value {
        case .integer(let number): [number, number &- 1, number &+ 1].map(StoredValue.integer)
        case .double(let number): [number, number.nextDown, number.nextUp].map(StoredValue.double)
        case .decimal(let number):
            [-1, 0, 1].map { .decimal(ScaledDecimal(unscaled: number.unscaled &+ $0, scale: number.scale)) }
        case .date(let date): [-1, 0, 1].map { .date(date.addingTimeInterval($0)) }
        case .day(let day):
            [-1, 0, 1].compactMap { Day(daysSinceReferenceDay: day.daysSinceReferenceDay + $0).map(StoredValue.day) }
        case .timeOfDay(let time):
            ([-1, 0, 1] as [Int64]).compactMap {
                TimeOfDay(nanosecondsSinceMidnight: time.nanosecondsSinceMidnight + $0).map(StoredValue.timeOfDay)
            }
        case .string(let text): [text, text + "a", text + "aaaaaa", String(text.dropLast())].map(StoredValue.string)
        case .binary(let data):
            [.binary(data), .binary(data + [0]), .binary(data + Data(count: 6)), .binary(data.dropLast())]
        default: [value]
        }
    }

    private var others: [StoredValue] {
        switch attribute.type {
        case .boolean: [.boolean(false), .boolean(true)]
        case .integer16, .integer32, .integer64: [0, 1, -1].map(StoredValue.integer)
        case .double: [0, 1, -1, 0.5, 1e-9].map(StoredValue.double)
        case .string:
            ["a", "b", "A", "z"].flatMap { letter in (0..<10).map { .string(String(repeating: letter, count: $0)) } }
        case .binary: (0..<10).map { .binary(Data(count: $0)) }
        case .uuid:
            [0, 0x0F, 0xFF].map { byte in
                .uuid(UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte)))
            }
        default: []
        }
    }
}
