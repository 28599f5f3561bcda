import Foundation
import StrataCore

extension DynamicRecord {
    /// Returns the record as a JSON object: `id`, then every property by its name, in the order of the columns.
    ///
    /// Values are written as in exported datasets: decimals with all digits of their scale, dates by ISO 8601, bytes in
    /// base 64, and null as `null`.
    ///
    /// - Returns: The object, on one line.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a value has no text, for
    ///   example a number that is not finite. The error names the attribute.
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
    /// A property that the object omits has the attribute's default, or null. A number may be in a string.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - json: The object.
    ///   - id: The identifier of a record to be inserted, or `nil` if the object contains it.
    /// - Throws: `DecodingError` that names the entity and attribute. The causes are a text that is not a JSON object,
    ///   an unknown name (with the nearest name), and a value that does not fit. Others are a missing mandatory value,
    ///   and an identifier that is missing or differs from the given one.
    public init(_ entity: DynamicEntity, json: String, id: ID? = nil) throws {
        let source = DynamicRecordSource(entity: entity, id: id)
        self = try JSONDecoder().decode(DecodedRecord.self, from: Data(json.utf8), configuration: source).record
    }
}

extension StoredValue {
    /// Writes a value in its JSON form.
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
