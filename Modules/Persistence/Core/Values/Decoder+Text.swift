extension Decoder {
    /// Returns the value of a text in a single-value container.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - refusal: The end of the message “… is” for an invalid text.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` if the text is not a value of the type.
    func value<Value: LosslessStringConvertible>(_ type: Value.Type, refusal: String) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Value(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is \(refusal)")
        }
        return value
    }
}
