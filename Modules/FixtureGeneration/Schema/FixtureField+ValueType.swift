extension FixtureField {
    /// The types of values.
    public enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// A whole number of 64 bits.
        case integer
        /// A decimal with so many digits behind the point, 0 to 18.
        case decimal(scale: Int)
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
        case (.text, .kind(let kind)): kind != .uuid && kind != .hexColor
        case (.text, .oneOf), (.text, .code): true
        case (.integer, .uniform), (.integer, .normal), (.integer, .logNormal), (.integer, .markup): true
        case (.decimal, .uniform), (.decimal, .normal), (.decimal, .logNormal), (.decimal, .markup): true
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
        case .boolean: "truth value"
        case .date: "date"
        case .day: "day"
        case .timeOfDay: "time of day"
        case .uuid: "UUID"
        case .color: "colour"
        case .reference(let entity): "reference to \(entity)"
        }
    }

    /// The same with its article.
    var indefinite: String { "a " + noun }

    /// What of the values that break programs is of this type.
    var hostileValues: HostileValues {
        switch self {
        case .text: .texts
        case .integer, .decimal: .numbers
        case .date: .dates
        case .boolean, .day, .timeOfDay, .uuid, .color, .reference: .none
        }
    }

    /// The longest text that is put together of nothing but numbers: a UUID.
    static let longestWord = 36

    /// How many bytes of text a value takes at most, where the longest text of the entity takes so many.
    func longestText(_ longest: Int) -> Int {
        switch self {
        case .text: longest
        case .color, .uuid: Self.longestWord
        case .day, .timeOfDay: Self.longestWord
        case .integer, .decimal, .boolean, .date, .reference: 0
        }
    }

    /// The digits behind the point of a number; 0 for what is none.
    var scale: Int { if case .decimal(let scale) = self { scale } else { 0 } }
}
