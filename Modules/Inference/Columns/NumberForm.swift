import StrataInterchange

/// A form of numbers: the decimal separator, and the separator between groups of three digits.
///
/// A number matches a form only if Strata writes it in this form with the same text. Therefore one cell can match
/// several forms, and the other cells of the column decide.
struct NumberForm: Sendable, Hashable {
    /// The decimal separator, an ASCII character.
    let decimal: UInt8
    /// The separator between groups of three digits; empty if there are no groups.
    let group: [UInt8]

    /// The form with a decimal point and without groups, in which Strata writes numbers by default.
    static let plain = NumberForm(decimal: UInt8(ascii: "."), group: [])

    /// All forms except the plain form, in the order in which they are reported.
    static let spelled: [NumberForm] = {
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        // A space, an apostrophe, a no-break space, and a narrow no-break space.
        let others: [[UInt8]] = [[0x20], [0x27], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]]
        return [
            NumberForm(decimal: comma, group: []), NumberForm(decimal: point, group: [comma]),
            NumberForm(decimal: comma, group: [point]),
        ] + others.flatMap { [NumberForm(decimal: point, group: $0), NumberForm(decimal: comma, group: $0)] }
    }()

    /// Returns the forms that numbers can have according to a spelling that the user specified.
    static func said(_ spelling: ValueSpelling) -> [NumberForm] {
        let isPointGroup = spelling.group == .point
        let decimal = spelling.decimal?.text.utf8.first ?? (isPointGroup ? UInt8(ascii: ",") : UInt8(ascii: "."))
        var forms = [NumberForm(decimal: decimal, group: [])]
        if let group = spelling.group { forms.append(NumberForm(decimal: decimal, group: Array(group.text.utf8))) }
        return forms
    }

    var decimalText: String { String(decoding: [decimal], as: UTF8.self) }
    var groupText: String? { group.isEmpty ? nil : String(decoding: group, as: UTF8.self) }

    /// The properties of one number that is written in this form.
    struct Number {
        /// The count of digits before the decimal separator of the number.
        var whole = 0
        /// The count of digits after the decimal separator of the number.
        var fraction = 0
        var endsInZero = false
        var isGrouped = false
        /// The digits of the number as an integer, without the sign; valid only for up to 18 digits.
        var digits: UInt64 = 0
        var isNegative = false
    }

    /// Returns the number that a text represents in this form; `nil` if Strata would write the number with a different
    /// text.
    ///
    /// A text that Strata writes has no leading zeros, no plus sign and no negative zero. If the form has groups, a
    /// text with more than three digits has groups of three digits.
    func number(_ text: Span<UInt8>) -> Number? {
        var number = Number()
        var index = 0
        let count = text.count
        if count > 0, text[0] == UInt8(ascii: "-") {
            number.isNegative = true
            index = 1
        }
        let start = index
        var sinceGroup = 0
        while index < count {
            let digit = text[index] &- 0x30
            if digit <= 9 {
                number.digits = number.digits &* 10 &+ UInt64(digit)
                number.whole += 1
                sinceGroup += 1
                index += 1
                // In a form with groups, more than three digits without a group separator are not a number.
                if !group.isEmpty, sinceGroup > 3 { return nil }
                continue
            }
            guard !group.isEmpty, isGroup(text, at: index), number.whole > 0, !number.isGrouped || sinceGroup == 3
            else {
                break
            }
            number.isGrouped = true
            sinceGroup = 0
            index += group.count
        }
        guard number.whole > 0, !number.isGrouped || sinceGroup == 3 else { return nil }
        guard number.whole == 1 || text[start] != 0x30 else { return nil }
        if index < count {
            guard text[index] == decimal else { return nil }
            index += 1
            while index < count {
                let digit = text[index] &- 0x30
                guard digit <= 9 else { return nil }
                number.digits = number.digits &* 10 &+ UInt64(digit)
                number.fraction += 1
                index += 1
            }
            guard number.fraction > 0 else { return nil }
            number.endsInZero = text[count - 1] == 0x30
        }
        if number.isNegative, number.digits == 0, number.whole + number.fraction <= 19 { return nil }
        return number
    }

    /// Returns a Boolean value that indicates whether the group separator is at an index of a text.
    private func isGroup(_ text: Span<UInt8>, at index: Int) -> Bool {
        guard index + group.count <= text.count else { return false }
        for place in group.indices where text[index + place] != group[place] { return false }
        return true
    }
}

/// The properties of all numbers in a column, read in one form.
///
/// A decimal type fits if the whole and the fraction digits together are at most ``mostDigits``. In addition, either
/// all numbers have the same count of fraction digits, or no number ends with a zero after the separator. In the second
/// case, an export writes the fewest digits. If the values are only read, and not exported as the same texts, this
/// condition does not apply.
struct NumbersInForm: Sendable {
    /// The maximum count of digits with which every number fits in 64 bits.
    static let mostDigits = 18

    let form: NumberForm
    /// The greatest count of digits before the decimal separator.
    private(set) var whole = 0
    /// The greatest count of digits after the decimal separator.
    private(set) var scale = 0
    /// A Boolean value that indicates whether all numbers have the same count of digits after the decimal separator.
    private(set) var isFixed = true
    /// A Boolean value that indicates whether no number ends with a zero after the decimal separator.
    private(set) var isFewest = true
    /// A Boolean value that indicates whether a number has a group separator.
    private(set) var isGrouped = false
    /// A Boolean value that indicates whether a number has two or more group separators.
    private(set) var hasTwoGroups = false
    /// A Boolean value that indicates whether a number has more than three whole digits, but no group separator.
    private(set) var hasUngroupedThousands = false
    private var isEmpty = true
    /// A Boolean value that indicates whether a decimal type may write numbers with other counts of digits.
    private let permitsOtherDigits: Bool

    init(_ form: NumberForm, permitsOtherDigits: Bool) {
        self.form = form
        self.permitsOtherDigits = permitsOtherDigits
    }

    /// Returns the properties of the same numbers read in another form; `nil` if the numbers do not match that form.
    func asIf(in other: NumberForm) -> NumbersInForm? {
        guard scale == 0 || other.decimal == form.decimal, other.group.isEmpty || !hasUngroupedThousands else {
            return nil
        }
        var numbers = NumbersInForm(other, permitsOtherDigits: permitsOtherDigits)
        (numbers.whole, numbers.scale, numbers.isFixed, numbers.isFewest) = (whole, scale, isFixed, isFewest)
        numbers.isEmpty = isEmpty
        return numbers
    }

    /// Adds a number to the properties.
    ///
    /// - Returns: `true` if a decimal type can store all numbers and write them with the same texts, or with other
    ///   counts of digits if that is permitted.
    @inline(__always)
    mutating func note(_ number: NumberForm.Number) -> Bool {
        if isEmpty {
            isEmpty = false
            scale = number.fraction
        } else if number.fraction != scale {
            isFixed = false
            scale = max(scale, number.fraction)
        }
        if number.endsInZero { isFewest = false }
        whole = max(whole, number.whole)
        if number.isGrouped {
            isGrouped = true
            if number.whole > 6 { hasTwoGroups = true }
        } else if number.whole > 3 {
            hasUngroupedThousands = true
        }
        return (isFixed || isFewest || permitsOtherDigits) && whole + scale <= Self.mostDigits
    }

    /// A Boolean value that indicates whether the column contains a number that matches no other form.
    var isWitnessed: Bool {
        // A single point may be a decimal separator; two points in one number are group separators.
        let isOfGroups = form.group == [UInt8(ascii: ".")] && hasTwoGroups
        return (form.decimal == UInt8(ascii: ".") || scale > 0 || isOfGroups) && (form.group.isEmpty || isGrouped)
    }
}
