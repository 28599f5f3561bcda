/// A lossless conversion of values from one attribute type to another.
///
/// It converts between integers of different widths, between numbers and their texts, between Booleans and 0 and 1, and
/// between other values and texts that represent them.
package struct ValueConversion: Sendable, Hashable {
    package let source: AttributeType
    package let target: AttributeType

    private enum Family: Hashable {
        case boolean, integer, decimal, double, string, other

        init(_ type: AttributeType) {
            switch type {
            case .boolean: self = .boolean
            case .integer16, .integer32, .integer64: self = .integer
            case .decimal: self = .decimal
            case .double: self = .double
            case .string: self = .string
            default: self = .other
            }
        }
    }

    private var forms: (Family, Family) { (Family(source), Family(target)) }

    /// Creates a conversion between two types; `nil` if no rule converts between them, as from a date to a UUID.
    package init?(from source: AttributeType, to target: AttributeType) {
        (self.source, self.target) = (source, target)
        if source == target { return }
        switch forms {
        case (.string, _), (_, .string): return
        case (.other, _), (_, .other), (.double, .boolean), (.decimal, .boolean): return nil
        default: return
        }
    }

    /// A Boolean value that indicates whether the conversion changes the stored form of no value that it can convert.
    package var keepsStoredForm: Bool {
        if source == target { return true }
        switch (source, target) {
        case (.integer16, _), (.integer32, _), (.integer64, _), (.boolean, _), (.decimal(scale: 0), _):
            return forms.1 == .integer || forms.1 == .boolean || target == .decimal(scale: 0)
        case (.day, .string), (.timeOfDay, .string): return true
        default: return false
        }
    }

    /// A Boolean value that indicates whether every value of the source type can be converted.
    package var isTotal: Bool {
        if source == target || target == .string { return true }
        switch forms {
        case (.boolean, .integer), (.boolean, .double): return true
        case (.integer, .integer), (.integer, .double):
            guard let range = source.integerRange else { return false }
            return target.integerRange.map { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
                ?? (source != .integer64)
        case (.boolean, .decimal): return true
        case (.integer, .decimal):
            guard let range = source.integerRange else { return false }
            return [range.lowerBound, range.upperBound].allSatisfy {
                StoredValue.integer($0).converted(to: target) != nil
            }
        default: return false
        }
    }

    /// A description of the values that cannot be converted, for messages: `a number too large for decimal(2)`.
    package var exceptions: String {
        switch forms {
        case (_, .boolean): "a value other than 0 and 1"
        case (.integer, .integer), (.integer, .decimal): "a number too large for \(target)"
        case (.decimal, .integer), (.double, .integer): "a fraction, or a number too large for \(target),"
        case (.decimal, .decimal), (.double, .decimal): "more digits than \(target) has"
        case (_, .double): "a number that a double cannot represent exactly"
        default: "a text that is not a value of type \(target)"
        }
    }

    /// Returns the equivalent value of the target type.
    ///
    /// - Parameter value: A value of the source type, or null.
    /// - Returns: The converted value; `nil` if the target type has no equivalent value.
    package func convert(_ value: StoredValue) -> StoredValue? {
        if value.isNull || source == target { return value }
        switch (forms.0, forms.1, value) {
        case (_, .string, _): return Self.text(of: value, source).map(StoredValue.string)
        case (.string, _, .string(let text)): return read(text)
        case (.boolean, .double, .boolean(let isTrue)): return .double(isTrue ? 1 : 0)
        case (.boolean, _, .boolean(let isTrue)): return StoredValue.integer(isTrue ? 1 : 0).converted(to: target)
        case (.integer, .boolean, .integer(let number)):
            return number == 0 || number == 1 ? .boolean(number == 1) : nil
        case (.integer, .double, .integer(let number)): return Double(exactly: number).map(StoredValue.double)
        case (.decimal, .integer, .decimal(let number)):
            return number.rescaled(to: 0).flatMap { StoredValue.integer($0.unscaled).converted(to: target) }
        case (.double, .integer, .double(let number)):
            return Int64(exactly: number).flatMap { StoredValue.integer($0).converted(to: target) }
        case (.decimal, .double, _), (.double, .decimal, _):
            // The texts represent the same number only if nothing is rounded.
            guard let text = Self.text(of: value, source), let other = Self.parse(text, as: target),
                let back = Self.text(of: other, target), Self.parse(back, as: source) == value
            else { return nil }
            return other
        default: return value.converted(to: target)
        }
    }

    /// Returns the value of the target type that a text represents; `nil` if the conversion would lose a part of the
    /// text.
    ///
    /// `00501` is not converted to a number, and `yes` is not converted to a Boolean value. A decimal may have
    /// additional or missing zeros at its end. A double, an instant or a UUID has many spellings, and all of them are
    /// converted.
    private func read(_ text: String) -> StoredValue? {
        guard let value = Self.parse(text, as: target) else { return nil }
        switch forms.1 {
        case .integer, .boolean: return Self.text(of: value, target) == text ? value : nil
        case .decimal:
            guard let back = Self.text(of: value, target) else { return nil }
            return Self.withoutZeros(back) == Self.withoutZeros(text) ? value : nil
        default: return value
        }
    }

    /// Returns the text of a decimal without the zeros at the end of its fraction.
    private static func withoutZeros(_ text: String) -> Substring {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text[...] }
        var rest = text[...]
        while rest.utf8.last == UInt8(ascii: "0") { rest.removeLast() }
        if rest.utf8.last == UInt8(ascii: ".") { rest.removeLast() }
        return rest
    }

    private static func text(of value: StoredValue, _ type: AttributeType) -> String? {
        var buffer = ByteBuffer()
        do throws(InvalidText) { try type.coding.write(value, to: &buffer) } catch { return nil }
        return String(validating: buffer.bytes, as: UTF8.self)
    }

    private static func parse(_ text: String, as type: AttributeType) -> StoredValue? {
        do throws(InvalidText) { return try type.coding.parse(text) } catch { return nil }
    }
}

extension ValueConversion: CustomStringConvertible {
    /// The source type and the target type as text: `string to integer64`.
    package var description: String { "\(source) to \(target)" }
}
