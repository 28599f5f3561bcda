import Foundation

/// A validated value for a field, which has the field's type and which the model allows.
enum FixedCell {
    /// A text, which a plan adds to its pool.
    case text(String)
    /// Bytes, which a plan adds to its pool too.
    case bytes([UInt8])
    case cell(FixtureCell)

    /// Creates a cell after validating a value.
    ///
    /// - Throws: ``FixtureError`` with the code `invalidDescription` if the value is invalid.
    init(_ value: FixtureValue, _ field: FixtureField) throws(FixtureError) {
        switch (field.type, value) {
        case (_, .null):
            guard field.isOptional else { throw Self.wrong("the attribute is mandatory in the model") }
            self = .cell(.null)
        case (.text, .text(let text)):
            guard !text.utf8.contains(0) else { throw Self.wrong("a text must not contain U+0000") }
            self = .text(text)
        case (.color, .text(let text)):
            guard let color = Self.color(text) else {
                throw Self.wrong("\"\(text)\" is not a color; use #RGB or #RRGGBB")
            }
            self = .cell(.color(color))
        case (.integer, .integer(let number)):
            self = .cell(.integer(try Self.allowed(number, scale: 0, field: field)))
        case (.decimal(let scale), .decimal(let number)):
            guard let units = number.units(scale: scale) else {
                throw Self.wrong("\(number) is not a decimal of at most \(scale) digits after the point")
            }
            self = .cell(.integer(try Self.allowed(units, scale: scale, field: field)))
        case (.double(let scale), .decimal(let number)):
            guard let units = number.units(scale: scale) else {
                throw Self.wrong("\(number) is not a number of at most \(scale) digits after the point")
            }
            self = .cell(.integer(try Self.allowed(units, scale: scale, field: field)))
        case (.double, .double(let number)):
            // The shortest text that converts back to the number contains the intended digits.
            guard let decimal = Decimal(string: "\(number)") else {
                throw Self.wrong("\(number) is too large or too small")
            }
            self = try FixedCell(.decimal(decimal), field)
        case (.double, .integer(let number)): self = try FixedCell(.decimal(Decimal(number)), field)
        case (.binary, .binary(let data)): self = .bytes(Array(data))
        case (.decimal, .integer(let number)): self = try FixedCell(.decimal(Decimal(number)), field)
        case (.reference, .integer(let number)):
            guard number > 0 else { throw Self.wrong("\(number) is not an identifier; identifiers begin with 1") }
            self = .cell(.integer(number))
        case (.boolean, .boolean(let value)): self = .cell(.boolean(value))
        case (.uuid, .uuid(let uuid)):
            let bytes = uuid.uuid
            func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            self = .cell(
                .uuid(
                    word(bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7),
                    word(bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15)))
        default:
            guard let cell = try FixtureCell(value, as: field.type) else {
                throw Self.wrong("the value must be \(field.type.indefinite)")
            }
            self = .cell(cell)
        }
    }

    /// Returns the 24 bits of a color of the form `#RGB`, `RGB`, `#RRGGBB` or `RRGGBB`, or `nil` for other texts.
    private static func color(_ text: String) -> UInt32? {
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.count == 3 || digits.count == 6 else { return nil }
        var color: UInt32 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt32.init) else { return nil }
            color = color << 4 | value
            // A digit of the short form represents two equal digits.
            if digits.count == 3 { color = color << 4 | value }
        }
        return color
    }

    private static func allowed(_ units: Int64, scale: Int, field: FixtureField) throws(FixtureError) -> Int64 {
        if let least = field.least, units < field.leastUnits(scale: scale) {
            throw wrong("the value is less than \(least), the minimum that the model allows")
        }
        return units
    }

    private static func wrong(_ message: String) -> FixtureError { FixtureError(.invalidDescription, message) }
}
