extension Decoder {
    /// The value whose text stands alone here.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - refusal: What a text is that is no such value, behind “is”.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` where the text is none.
    func value<Value: LosslessStringConvertible>(_ type: Value.Type, refusal: String) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Value(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is \(refusal)")
        }
        return value
    }
}
