import Foundation
import Persistence

/// Gathers the values of one record, and hands the whole row over.
///
/// What both formats share: defaults, the identifier, and errors that name file, line, record and column.
struct RowBuilder {
    let entity: EntityDescription
    private let inserter: BatchInserter
    private let defaults: [StoredValue?]
    private let isRequired: [Bool]
    /// The columns' types, at hand for every field of every row.
    let types: [AttributeType]
    private var values: [StoredValue]
    private var isSet: [Bool]
    private var id: Int64?

    init(_ inserter: BatchInserter) {
        entity = inserter.entity
        self.inserter = inserter
        values = Array(repeating: .null, count: inserter.entity.columns.count)
        isSet = Array(repeating: false, count: values.count)
        types = inserter.entity.columns.map(\.type)
        isRequired = inserter.entity.columns.map { !$0.isOptional && $0.attribute?.defaultValue == nil }
        // One instant for all rows of an import, to the millisecond: a finer one would only be noise in every file.
        let now = Date(
            timeIntervalSinceReferenceDate: (Date.now.timeIntervalSinceReferenceDate * 1000).rounded(.down) / 1000)
        defaults = inserter.entity.columns.map { column in
            switch column.attribute?.defaultValue {
            case .constant(let value): value
            case .now: .date(now)
            case .newUUID, nil: nil
            }
        }
    }

    mutating func begin() {
        id = nil
        for index in isSet.indices { isSet[index] = false }
    }

    mutating func set(_ value: StoredValue, _ column: Int) {
        values[column] = value
        isSet[column] = true
    }

    /// Takes the identifier's value.
    ///
    /// - Throws: ``InvalidText`` when it is out of range.
    mutating func setID(_ value: StoredValue) throws(InvalidText) {
        guard case .integer(let number) = value, identifierRange.contains(number) else {
            throw InvalidText("not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
        }
        id = number
    }

    /// Whether a mandatory column has neither a value nor a default.
    var isIncomplete: Bool {
        isSet.indices.contains { isRequired[$0] && !isSet[$0] }
    }

    /// Stores the row.
    mutating func insert(_ place: RowPlace) throws {
        for index in isSet.indices where !isSet[index] {
            if case .newUUID = entity.columns[index].attribute?.defaultValue {
                values[index] = .uuid(UUID())
            } else {
                values[index] = defaults[index] ?? .null
            }
        }
        try inserter.insert(id: id, values: values, place: place)
    }
}
