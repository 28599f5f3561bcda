public import Foundation
import StrataCore

/// A coding key with a column's name.
private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { return nil }
}

/// The entity of a decoded record, and the record's identifier if the decoded data may omit it.
struct DynamicRecordSource {
    let entity: DynamicEntity
    let id: DynamicRecord.ID?
}

extension DynamicRecord: Encodable {
    /// Encodes the identifier under the key `id`, and every property under its name.
    ///
    /// Booleans and numbers are encoded as such, and decimals as `Decimal`. All other values are encoded as their text
    /// in datasets.
    ///
    /// - Throws: `EncodingError` if a value has no text form, and the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        try container.encode(id, forKey: ColumnKey("id"))
        for (column, value) in zip(entity.description.columns, values) where !column.isHidden {
            let key = ColumnKey(column.name)
            switch value {
            case .null: try container.encodeNil(forKey: key)
            case .boolean(let value): try container.encode(value, forKey: key)
            case .integer(let number): try container.encode(number, forKey: key)
            case .double(let number): try container.encode(number, forKey: key)
            case .decimal(let number): try container.encode(number.decimal, forKey: key)
            default: try container.encode(try Self.text(value, column, container.codingPath + [key]), forKey: key)
            }
        }
    }

    private static func text(
        _ value: StoredValue, _ column: ColumnDescription, _ path: [any CodingKey]
    ) throws -> String {
        var buffer = ByteBuffer()
        do throws(InvalidText) { try column.type.coding.write(value, to: &buffer) } catch {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: path, debugDescription: error.reason))
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension DynamicRecord: DecodableWithConfiguration {
    /// Creates a record by decoding data that ``encode(to:)`` encoded.
    ///
    /// ```swift
    /// let order = try JSONDecoder().decode(DynamicRecord.self, from: data, configuration: orders)
    /// ```
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the data.
    ///   - entity: The entity of the record, which the encoded data does not contain.
    /// - Throws: `DecodingError` that names the entity and attribute, in the same cases as ``init(_:json:id:)``.
    public init(from decoder: any Decoder, configuration entity: DynamicEntity) throws {
        try self.init(from: decoder, DynamicRecordSource(entity: entity, id: nil))
    }
}

/// A record that is decoded with an identifier that the data may omit.
struct DecodedRecord: DecodableWithConfiguration {
    let record: DynamicRecord

    init(from decoder: any Decoder, configuration: DynamicRecordSource) throws {
        record = try DynamicRecord(from: decoder, configuration)
    }
}

extension DynamicRecord {
    fileprivate init(from decoder: any Decoder, _ source: DynamicRecordSource) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        let (entity, description) = (source.entity, source.entity.description)
        var given: [Int: StoredValue] = [:]
        for key in container.allKeys where key.stringValue != "id" {
            let index: Int
            do { index = try entity.column(named: key.stringValue) } catch {
                throw Self.wrong("\(error)", key, container)
            }
            let column = description.columns[index]
            do {
                given[index] = try column.fitting(try Self.value(of: column, key, container))
            } catch let error as ValueError {
                throw Self.wrong("\(entity.name).\(column.name): \(error)", key, container)
            } catch let error as InvalidText {
                throw Self.wrong("\(entity.name).\(column.name): \(error)", key, container)
            }
        }
        let id = try Self.id(source, container)
        do { try self.init(entity, id: id, given: given) } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: container.codingPath, debugDescription: "\(error)"))
        }
    }

    private static func id(_ source: DynamicRecordSource, _ container: KeyedDecodingContainer<ColumnKey>) throws -> ID {
        let key = ColumnKey("id")
        let found = try container.decodeIfPresent(ID.self, forKey: key)
        guard let id = found ?? source.id else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "\(source.entity.name): the id is missing; give a new record an id"))
        }
        guard source.id == nil || id == source.id else {
            throw wrong(
                "\(source.entity.name).id: the id differs from the given identifier, \(source.id ?? id)", key, container
            )
        }
        return id
    }

    /// Returns the value of a column under a key of the decoded data.
    ///
    /// The value must have the JSON type of the column, but a number may be in a string.
    private static func value(
        of column: ColumnDescription, _ key: ColumnKey, _ container: KeyedDecodingContainer<ColumnKey>
    ) throws -> StoredValue {
        if try container.decodeNil(forKey: key) { return .null }
        let coding = column.type.coding
        do {
            switch (coding.json, column.type) {
            case (.boolean, _): return .boolean(try container.decode(Bool.self, forKey: key))
            case (.string, _): return try coding.parse(try container.decode(String.self, forKey: key))
            case (.number, .double): return .double(try container.decode(Double.self, forKey: key))
            case (.number, .decimal): return try container.decode(Decimal.self, forKey: key).storedValue()
            case (.number, _): return .integer(try integer(key, container))
            }
        } catch let error as DecodingError {
            guard coding.json == .number else {
                throw ValueError("the value is not \(coding.jsonName): \(error.reason)")
            }
            do { return try coding.parse(try container.decode(String.self, forKey: key)) } catch is DecodingError {
                throw ValueError("the value is not \(coding.jsonName): \(error.reason)")
            }
        }
    }

    /// Returns a whole number.
    ///
    /// Foundation decodes a large number with a fraction as the nearest whole number, so that the decimal is compared.
    private static func integer(_ key: ColumnKey, _ container: KeyedDecodingContainer<ColumnKey>) throws -> Int64 {
        let number = try container.decode(Int64.self, forKey: key)
        let isExactInDouble = number.magnitude <= 1 << 52
        guard try isExactInDouble || container.decode(Decimal.self, forKey: key) == Decimal(number) else {
            throw ValueError("the value is not a whole number")
        }
        return number
    }

    private static func wrong(
        _ what: String, _ key: ColumnKey, _ container: KeyedDecodingContainer<ColumnKey>
    ) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: what)
    }
}

extension DecodingError {
    /// The reason for the decoding error, without the location in the data.
    fileprivate var reason: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.debugDescription
        @unknown default: "\(self)"
        }
    }
}
