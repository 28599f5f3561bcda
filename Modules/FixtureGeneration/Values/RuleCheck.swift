import Foundation
import StrataCore

/// A validator for the rules of a field's attribute and for the values that its files can represent.
///
/// The check uses the validator of stores with an entity of one attribute. A value that it accepts is therefore
/// accepted by a store, except for uniqueness and references.
struct RuleCheck {
    private let validator: RowValidator?
    private let form: FileForm

    /// Creates a validator for a field.
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

    /// Creates a validator for an attribute and its Swift type.
    init(_ attribute: AttributeDescription, _ form: FileForm) {
        self.form = form
        validator = Self.validator(attribute)
    }

    private static func validator(_ attribute: AttributeDescription) -> RowValidator {
        RowValidator(EntityDescription("Rules", [.attribute(attribute)]))
    }

    /// Returns a Boolean value that indicates whether a value is valid.
    func allows(_ value: @autoclosure () -> StoredValue) -> Bool {
        guard let validator else { return true }
        var value = value()
        guard form.room?.holds(value) ?? true, value.fixtureText.map(form.allows) ?? true else { return false }
        return validator.validate(&value, column: 0).isEmpty
    }
}

extension FixtureField.ValueType {
    /// The attribute type that corresponds to this type.
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

    /// Returns the stored value of a generated number, an integer multiple of 10 to the power of -scale.
    func stored(units: Int64) -> StoredValue {
        switch self {
        case .decimal(let scale): .decimal(ScaledDecimal(unscaled: units, scale: UInt8(clamping: scale)))
        case .double(let scale): .double(FixtureCell.double(units, scale: scale))
        default: .integer(units)
        }
    }
}

extension FixtureField {
    /// The numbers of characters that the rules allow, up to the maximum for patterns.
    ///
    /// The value is `nil` if the rules contradict each other.
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
