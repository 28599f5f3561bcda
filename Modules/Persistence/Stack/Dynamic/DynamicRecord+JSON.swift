import Foundation
import StrataCore

extension DynamicRecord {
    /// The record as a JSON object: `id` and then every property by its name, in the order of the columns.
    ///
    /// Values are written as exported datasets have them: decimals with all digits of their scale, dates by ISO 8601, bytes in base 64, null as `null`.
    ///
    /// - Returns: The object, on one line.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the attribute whose value has no text, as a number that is not
    ///   finite.
    public func json() throws -> String {
        var buffer = ByteBuffer()
        buffer.append("{\"id\":\(id)")
        for (column, value) in zip(entity.description.columns, values) where !column.isHidden {
            buffer.append(UInt8(ascii: ","))
            JSONStringText.write(column.name, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
            do throws(InvalidText) { try value.writeJSON(as: column.type, to: &buffer) } catch {
                throw PersistenceError(
                    .invalidRequest, "its value has no text: \(error.reason)", entity: entity.name,
                    attribute: column.name)
            }
        }
        buffer.append(UInt8(ascii: "}"))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Reads a record from a JSON object, as ``json()`` writes it.
    ///
    /// What the object does not name is the attribute's default, or null. A number may stand in a string.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - json: The object.
    ///   - id: The identifier of a record that is about to be inserted; `nil` where the object says it.
    /// - Throws: `DecodingError` that names entity and attribute: for text that is no JSON object, a name that is none, with the nearest one, a value that does
    ///   not fit, one that is missing and has to be there, no identifier, or another than is given.
    public init(_ entity: DynamicEntity, json: String, id: ID? = nil) throws {
        let source = DynamicRecordSource(entity: entity, id: id)
        self = try JSONDecoder().decode(DecodedRecord.self, from: Data(json.utf8), configuration: source).record
    }
}

extension StoredValue {
    /// Writes a value as JSON documents have it.
    fileprivate func writeJSON(as type: AttributeType, to buffer: inout ByteBuffer) throws(InvalidText) {
        if isNull { return buffer.append("null" as StaticString) }
        let coding = type.coding
        guard coding.json == .string else { return try coding.write(self, to: &buffer) }
        if case .string(let text) = self { return JSONStringText.write(text, to: &buffer) }
        // No other type's text has a character that JSON escapes.
        buffer.append(UInt8(ascii: "\""))
        try coding.write(self, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }
}
