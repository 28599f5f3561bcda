import StrataCore

/// Values as texts of a dataset, by the attribute's type: one form for reading and writing in every format.
enum AttributeText {
    /// Reads a text that is not null.
    ///
    /// - Throws: ``InvalidText`` with the rule that is broken.
    static func parse(_ bytes: Span<UInt8>, as type: AttributeType) throws(InvalidText) -> StoredValue {
        switch type {
        case .string: .string(String(decoding: bytes))
        case .integer16, .integer32, .integer64: .integer(try IntegerText.parse(bytes))
        case .double: .double(try DoubleText.parse(bytes))
        case .decimal(let scale): .decimal(try decimal(bytes, scale))
        case .boolean: .boolean(try BooleanText.parse(bytes))
        case .date: .date(try DateText.parse(bytes))
        case .uuid: .uuid(try UUIDText.parse(bytes))
        case .binary: .binary(try BinaryText.parse(bytes))
        }
    }

    private static func decimal(_ bytes: Span<UInt8>, _ scale: UInt8) throws(InvalidText) -> ScaledDecimal {
        guard let value = ScaledDecimal(utf8: bytes) else { throw refusal(bytes, scale) }
        guard let scaled = value.rescaled(to: scale) else {
            guard value.scale > scale else { throw outOfRange(scale) }
            throw InvalidText("a decimal with more than \(scale) digits after the point")
        }
        return scaled
    }

    /// Why a text is no decimal: no number at all, too large, or with too many digits behind the point.
    private static func refusal(_ bytes: Span<UInt8>, _ scale: UInt8) -> InvalidText {
        do throws(InvalidText) {
            let bound = (0..<scale).reduce(Double(Int64.max)) { bound, _ in bound / 10 }
            guard try DoubleText.parse(bytes).magnitude < bound else { return outOfRange(scale) }
            return InvalidText("a decimal with more than \(scale) digits after the point")
        } catch {
            return error.reason == "not a number" ? InvalidText("not a decimal number") : outOfRange(scale)
        }
    }

    private static func outOfRange(_ scale: UInt8) -> InvalidText {
        var most: [UInt8] = []
        ScaledDecimal(unscaled: .max, scale: scale).append(to: &most)
        let text = String(decoding: most, as: UTF8.self)
        return InvalidText("out of range for a decimal of \(scale) digits after the point (at most \(text))")
    }

    /// Reads a number of a JSON document, whose text may have a fraction or an exponent where its value has none.
    static func parseNumber(_ bytes: Span<UInt8>, as type: AttributeType) throws(InvalidText) -> StoredValue {
        guard type.integerRange != nil else { return try parse(bytes, as: type) }
        if let whole = IntegerText.plain(bytes) { return .integer(whole) }
        if let whole = ScaledDecimal(utf8: bytes)?.rescaled(to: 0) { return .integer(whole.unscaled) }
        return .integer(try IntegerText.parse(bytes))
    }

    /// What is wrong with a text, for the person whose file it is: `"abc" is not a whole number`.
    static func message(_ bytes: Span<UInt8>, _ error: InvalidText) -> String {
        let text = PrintableText.quoted(String(decoding: bytes))
        let isPredicate = ["not ", "out of ", "a decimal "].contains { error.reason.hasPrefix($0) }
        return isPredicate ? "\(text) is \(error.reason)" : "\(text): \(error.reason)"
    }
}

extension String {
    init(decoding bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
