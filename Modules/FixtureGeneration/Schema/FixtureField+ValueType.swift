extension FixtureField {
    /// The types of values.
    public enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// A 64-bit integer.
        case integer
        /// A decimal number with a number of fraction digits, from 0 to 18.
        case decimal(scale: Int)
        /// The floating-point number nearest to a decimal with a number of fraction digits, from 0 to 18.
        case double(scale: Int)
        /// True or false.
        case boolean
        /// An instant.
        case date
        /// A calendar day.
        case day
        /// A time of day.
        case timeOfDay
        /// A UUID.
        case uuid
        /// A color, as the text `#RRGGBB`.
        case color
        /// Bytes.
        case binary
        /// The identifier of a row of an entity.
        case reference(to: String)
    }
}

/// The kinds of values that often cause errors in programs.
enum HostileValues {
    case none, texts, numbers, dates
}

extension FixtureField.ValueType {
    /// Returns a Boolean value that indicates whether a generator produces values of this type.
    func takes(_ generator: FixtureGenerator) -> Bool {
        switch (self, generator) {
        case (.reference, .oneOf), (.color, .oneOf): false
        case (_, .oneOf): true
        case (.text, .kind(let kind)): kind != .uuid && kind != .hexColor
        case (.text, .code), (.text, .pattern), (.binary, .bytes): true
        case (.integer, .uniform), (.integer, .normal), (.integer, .logNormal), (.integer, .markup): true
        case (.decimal, .uniform), (.decimal, .normal), (.decimal, .logNormal), (.decimal, .markup): true
        case (.double, .uniform), (.double, .normal), (.double, .logNormal), (.double, .markup): true
        case (.date, .later), (.day, .later), (.reference, .earlier): true
        case (.boolean, .chance), (.date, .dates), (.day, .dates), (.timeOfDay, .times), (.reference, .reference): true
        case (.uuid, .kind(.uuid)), (.color, .kind(.hexColor)): true
        default: false
        }
    }

    /// The name of the type in messages.
    var noun: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .decimal(let scale): "decimal of at most \(scale) digits after the point"
        case .double(let scale): "number of at most \(scale) digits after the point"
        case .boolean: "truth value"
        case .date: "date"
        case .day: "day"
        case .timeOfDay: "time of day"
        case .uuid: "UUID"
        case .color: "color"
        case .binary: "string of bytes"
        case .reference(let entity): "reference to \(entity)"
        }
    }

    /// The name of the type with its article.
    var indefinite: String { "a " + noun }

    /// The kind of hostile values of this type.
    var hostileValues: HostileValues {
        switch self {
        case .text: .texts
        case .integer, .decimal, .double: .numbers
        case .date: .dates
        case .boolean, .day, .timeOfDay, .uuid, .color, .binary, .reference: .none
        }
    }

    /// The maximum length of a text that is composed only from numbers, which is that of a UUID.
    static let longestWord = 36

    /// Returns the maximum length of a value's text in bytes, if the longest text of the entity has a given length.
    func longestText(_ longest: Int) -> Int {
        switch self {
        case .text, .binary: longest
        case .color, .uuid: Self.longestWord
        case .day, .timeOfDay: Self.longestWord
        case .integer, .decimal, .double, .boolean, .date, .reference: 0
        }
    }

    /// The number of fraction digits, or 0 for types that are not numbers.
    package var scale: Int {
        switch self {
        case .decimal(let scale), .double(let scale): scale
        default: 0
        }
    }
}
