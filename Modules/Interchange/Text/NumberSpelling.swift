import StrataCore

/// The spelling of numbers with other decimal and group separators: `1.234.567,89`.
///
/// Numbers are converted to the plain form, and then read as usual. Therefore ranges, exponents and errors are the same
/// for each spelling.
struct NumberSpelling: Sendable, Hashable {
    /// The separator before the fraction; `nil` if there is none, as for integers.
    var decimal: NumberSign?
    /// The separator between groups of three digits; `nil` if there is none.
    var group: NumberSign?

    /// Returns the number in its plain form: digits and a point.
    ///
    /// Groups have three digits, the first one to three, and are not allowed after the decimal separator. For example,
    /// `1,5` is not a number if the comma is the group separator, because it may be a fraction or a typo.
    ///
    /// - Throws: ``InvalidText`` if a separator is in a wrong position. The caller validates whether the result is a
    ///   number.
    func plain(_ bytes: Span<UInt8>) throws(InvalidText) -> [UInt8] {
        guard decimal == nil || decimal != group else {
            throw InvalidText("not a number: \(quoted(group)) is both the decimal and the group sign")
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            plain.append(bytes[index])
            index += 1
        }
        try appendWhole(bytes, &index, to: &plain)
        if Self.holds(decimal, bytes, index) {
            index += decimal?.bytes.count ?? 0
            plain.append(UInt8(ascii: "."))
        }
        while index < bytes.count {
            guard !Self.holds(group, bytes, index) else {
                throw InvalidText(
                    "not a number: \(quoted(group)) separates groups of three digits before the fraction only")
            }
            // A point that is not the file's decimal separator must not become one.
            let isPart =
                bytes[index] &- UInt8(ascii: "0") <= 9 || bytes[index] | 0x20 == UInt8(ascii: "e")
                || bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
            guard isPart else {
                throw InvalidText("not a number\(decimal.map { " with \(quoted($0)) before its fraction" } ?? "")")
            }
            plain.append(bytes[index])
            index += 1
        }
        return plain
    }

    /// Appends the digits before the fraction, without group separators.
    private func appendWhole(_ bytes: Span<UInt8>, _ index: inout Int, to plain: inout [UInt8]) throws(InvalidText) {
        var digits = 0
        var isGrouped = false
        while index < bytes.count {
            if bytes[index] &- UInt8(ascii: "0") <= 9 {
                plain.append(bytes[index])
                digits += 1
                index += 1
            } else if Self.holds(group, bytes, index) {
                guard isGrouped ? digits == 3 : 1...3 ~= digits else { throw notGrouped }
                (digits, isGrouped) = (0, true)
                index += group?.bytes.count ?? 0
            } else {
                break
            }
        }
        if isGrouped, digits != 3 { throw notGrouped }
    }

    private var notGrouped: InvalidText {
        InvalidText("not a number: \(quoted(group)) separates groups of three digits")
    }

    private func quoted(_ sign: NumberSign?) -> String { PrintableText.quoted(sign?.text ?? "") }

    private static func holds(_ sign: NumberSign?, _ bytes: Span<UInt8>, _ index: Int) -> Bool {
        guard let sign, bytes.count - index >= sign.bytes.count else { return false }
        for offset in sign.bytes.indices where bytes[index + offset] != sign.bytes[offset] { return false }
        return true
    }
}
