import Foundation
import StrataCore

/// The rules of a field's attribute, and what its files have room for, ready to be asked of some values.
struct RuleCheck {
    private let validator: RowValidator?
    private let form: FileForm

    /// The rules of a field.
    init(_ field: FixtureField) {
        form = field.origin?.form ?? FileForm()
        guard field.origin != nil || !field.rules.isEmpty else {
            validator = nil
            return
        }
        validator = Self.validator(
            field.origin?.attribute
                ?? AttributeDescription("value", field.type.attributeType, rules: field.rules))
    }

    /// The rules of an attribute and of its Swift type.
    init(_ attribute: AttributeDescription, _ form: FileForm) {
        self.form = form
        validator = Self.validator(attribute)
    }

    private static func validator(_ attribute: AttributeDescription) -> RowValidator {
        RowValidator(EntityDescription("Rules", [.attribute(attribute)]))
    }

    /// Whether a value obeys them.
    func allows(_ value: @autoclosure () -> StoredValue) -> Bool {
        guard let validator else { return true }
        var value = value()
        guard form.room?.holds(value) ?? true, value.fixtureText.map(form.allows) ?? true else { return false }
        return validator.validate(&value, column: 0).isEmpty
    }
}

extension FixtureField.ValueType {
    /// The type of attributes that take the values.
    var attributeType: AttributeType {
        switch self {
        case .text, .color: .string
        case .integer, .reference: .integer64
        case .decimal(let scale): .decimal(scale: UInt8(clamping: scale))
        case .double: .double
        case .boolean: .boolean
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .uuid: .uuid
        case .binary: .binary
        }
    }

    /// A number that was made in units, as a store takes it.
    func stored(units: Int64) -> StoredValue {
        switch self {
        case .decimal(let scale): .decimal(ScaledDecimal(unscaled: units, scale: UInt8(clamping: scale)))
        case .double(let scale): .double(FixtureCell.double(units, scale: scale))
        default: .integer(units)
        }
    }
}

extension FixtureField {
    /// How many characters a text may have by the rules, at most as many as patterns are made of; `nil` where they exclude each other.
    var lengths: ClosedRange<Int>? {
        var least = 0
        var most = RegularExpression.longest
        for rule in rules {
            switch rule {
            case .minimumLength(let length): least = max(least, length)
            case .maximumLength(let length): most = min(most, length)
            default: break
            }
        }
        return least <= most ? least...most : nil
    }
}
