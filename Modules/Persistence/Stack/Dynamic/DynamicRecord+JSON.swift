import Foundation
import StrataCore

extension DynamicRecord {
    /// Returns the record as a JSON object: `id`, then every property under its name, in the order of the columns.
    ///
    /// Values have the same form as in exported datasets: decimals with all digits of their scale, dates in the format
    /// of ISO 8601, bytes in Base64, and null as `null`.
    ///
    /// - Returns: The JSON object, on one line.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a value has no text form,
    ///   for example a number that is not finite. The error names the attribute.
    public func json() throws -> String {
        var buffer = ByteBuffer()
        buffer.append("{\"id\":\(id)")
        for (column, value) in zip(entity.description.columns, values) where !column.isHidden {
            buffer.append(UInt8(ascii: ","))
            JSONStringText.write(column.name, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
            do throws(InvalidText) { try value.writeJSON(as: column.type, to: &buffer) } catch {
                throw PersistenceError(
                    .invalidRequest, "the value cannot be written as text: \(error.reason)", entity: entity.name,
                    attribute: column.name)
            }
        }
        buffer.append(UInt8(ascii: "}"))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Creates a record from a JSON object in the format of ``json()``.
    ///
    /// If the object omits a property, the property has the attribute's default, or null if there is no default. A
    /// number may be in a string.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - json: The JSON object.
    ///   - id: The identifier of a record to be inserted, or `nil` if the object contains the identifier.
    /// - Throws: `DecodingError` that names the entity and attribute. The reasons are a text that is not a JSON object,
    ///   an unknown name, a value that does not fit its column, a missing mandatory value, and an identifier that is
    ///   missing or differs from `id`. For an unknown name, the error contains the nearest name.
    public init(_ entity: DynamicEntity, json: String, id: ID? = nil) throws {
        let source = DynamicRecordSource(entity: entity, id: id)
        self = try JSONDecoder().decode(DecodedRecord.self, from: Data(json.utf8), configuration: source).record
    }
}

extension StoredValue {
    /// Writes a value in the JSON form for an attribute type.
    fileprivate func writeJSON(as type: AttributeType, to buffer: inout ByteBuffer) throws(InvalidText) {
        if isNull { return buffer.append("null" as StaticString) }
        let coding = type.coding
        guard coding.json == .string else { return try coding.write(self, to: &buffer) }
        if case .string(let text) = self { return JSONStringText.write(text, to: &buffer) }
        // The texts of all other types have no characters that JSON escapes.
        buffer.append(UInt8(ascii: "\""))
        try coding.write(self, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }
}
