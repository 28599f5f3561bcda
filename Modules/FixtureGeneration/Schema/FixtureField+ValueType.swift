extension FixtureField {
    /// The types of values.
    public enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// A whole number of 64 bits.
        case integer
        /// A decimal with so many digits behind the point, 0 to 18.
        case decimal(scale: Int)
        /// The floating-point number that is nearest to a decimal with so many digits behind the point, 0 to 18.
        case double(scale: Int)
        /// True or false.
        case boolean
        /// An instant.
        case date
        /// A day of the calendar.
        case day
        /// A time of day.
        case timeOfDay
        /// A UUID.
        case uuid
        /// A colour, as the text `#RRGGBB`.
        case color
        /// Bytes.
        case binary
        /// The identifier of a row of another entity.
        case reference(to: String)
    }
}

/// The values that break programs.
enum HostileValues {
    case none, texts, numbers, dates
}

extension FixtureField.ValueType {
    /// Whether a generator's values are of this type.
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

    /// What the type is called.
    var noun: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .decimal(let scale): "decimal of at most \(scale) digits behind the point"
        case .double(let scale): "number of at most \(scale) digits behind the point"
        case .boolean: "truth value"
        case .date: "date"
        case .day: "day"
        case .timeOfDay: "time of day"
        case .uuid: "UUID"
        case .color: "colour"
        case .binary: "string of bytes"
        case .reference(let entity): "reference to \(entity)"
        }
    }

    /// The same with its article.
    var indefinite: String { "a " + noun }

    /// What of the values that break programs is of this type.
    var hostileValues: HostileValues {
        switch self {
        case .text: .texts
        case .integer, .decimal, .double: .numbers
        case .date: .dates
        case .boolean, .day, .timeOfDay, .uuid, .color, .binary, .reference: .none
        }
    }

    /// The longest text that is put together of nothing but numbers: a UUID.
    static let longestWord = 36

    /// How many bytes of text a value takes at most, where the longest text of the entity takes so many.
    func longestText(_ longest: Int) -> Int {
        switch self {
        case .text, .binary: longest
        case .color, .uuid: Self.longestWord
        case .day, .timeOfDay: Self.longestWord
        case .integer, .decimal, .double, .boolean, .date, .reference: 0
        }
    }

    /// The digits behind the point of a number; 0 for what is none.
    package var scale: Int {
        switch self {
        case .decimal(let scale), .double(let scale): scale
        default: 0
        }
    }
}
