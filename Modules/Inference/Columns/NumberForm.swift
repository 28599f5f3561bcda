import StrataInterchange

/// A way in which the numbers of a column may be written: what stands before the fraction, and between groups of three digits.
struct NumberForm: Sendable, Hashable {
    let decimal: UInt8
    /// Empty where there are no groups.
    let group: [UInt8]

    static let plain = NumberForm(decimal: UInt8(ascii: "."), group: [])

    /// All but the plain one, in the order in which they are told.
    static let spelled: [NumberForm] = {
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        // A space, an apostrophe, a no-break space, a narrow one.
        let others: [[UInt8]] = [[0x20], [0x27], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]]
        return [
            NumberForm(decimal: comma, group: []), NumberForm(decimal: point, group: [comma]),
            NumberForm(decimal: comma, group: [point]),
        ] + others.flatMap { [NumberForm(decimal: point, group: $0), NumberForm(decimal: comma, group: $0)] }
    }()

    /// Returns the forms that numbers have in a spelling that the user gave.
    static func said(_ spelling: ValueSpelling) -> [NumberForm] {
        let isPointGroup = spelling.group == .point
        let decimal = spelling.decimal?.text.utf8.first ?? (isPointGroup ? UInt8(ascii: ",") : UInt8(ascii: "."))
        var forms = [NumberForm(decimal: decimal, group: [])]
        if let group = spelling.group { forms.append(NumberForm(decimal: decimal, group: Array(group.text.utf8))) }
        return forms
    }

    var decimalText: String { String(decoding: [decimal], as: UTF8.self) }
    var groupText: String? { group.isEmpty ? nil : String(decoding: group, as: UTF8.self) }

    /// A number in this form.
    struct Number {
        /// How many digits stand before the decimal character.
        var whole = 0
        /// How many stand behind it.
        var fraction = 0
        var endsInZero = false
        var isGrouped = false
        /// The digits without their sign, of a number of up to 18; of longer ones it is not of use.
        var digits: UInt64 = 0
        var isNegative = false
    }

    /// A text as a number, where a decimal of our writer in this form has that very text: no zeros in front, no plus sign, no minus zero,
    /// groups of three wherever there are more than three digits.
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
                // Without groups more than three digits are no number of a form that has them.
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

    private func isGroup(_ text: Span<UInt8>, at index: Int) -> Bool {
        guard index + group.count <= text.count else { return false }
        for place in group.indices where text[index + place] != group[place] { return false }
        return true
    }
}

/// What the numbers of a column in one form need.
struct NumbersInForm: Sendable {
    /// More digits than this do not surely fit 64 bits.
    static let mostDigits = 18

    let form: NumberForm
    private(set) var whole = 0
    private(set) var scale = 0
    /// Whether all have the same number of digits behind the point.
    private(set) var isFixed = true
    /// Whether none ends in a zero behind the point.
    private(set) var isFewest = true
    private(set) var isGrouped = false
    private(set) var hasTwoGroups = false
    private(set) var hasUngroupedThousands = false
    private var isEmpty = true

    init(_ form: NumberForm) {
        self.form = form
    }

    /// The same numbers in another form; `nil` where they are none in it.
    func asIf(in other: NumberForm) -> NumbersInForm? {
        guard scale == 0 || other.decimal == form.decimal, other.group.isEmpty || !hasUngroupedThousands else {
            return nil
        }
        var numbers = NumbersInForm(other)
        (numbers.whole, numbers.scale, numbers.isFixed, numbers.isFewest) = (whole, scale, isFixed, isFewest)
        numbers.isEmpty = isEmpty
        return numbers
    }

    /// Notes a number.
    ///
    /// - Returns: Whether a decimal can still hold them all, and be written as they are.
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
        return (isFixed || isFewest) && whole + scale <= Self.mostDigits
    }

    /// Whether something in the column can be nothing but this form.
    var isWitnessed: Bool {
        // One point may stand before a fraction; two in one number are between groups, whatever a fraction would have.
        let isOfGroups = form.group == [UInt8(ascii: ".")] && hasTwoGroups
        return (form.decimal == UInt8(ascii: ".") || scale > 0 || isOfGroups) && (form.group.isEmpty || isGrouped)
    }
}
