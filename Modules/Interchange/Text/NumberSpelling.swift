import StrataCore

/// Numbers with other characters for the point and between groups: `1.234.567,89`.
struct NumberSpelling: Sendable, Hashable {
    /// What stands before the fraction; `nil` where there is none, as of whole numbers.
    var decimal: NumberSign?
    /// What stands between groups of three digits; `nil` where nothing does.
    var group: NumberSign?

    /// The number as it is spelled elsewhere: digits alone, and a point.
    ///
    /// Groups have three digits, the first one to three, and are not used behind the decimal sign: `1,5` is no number where the comma groups, be it
    /// a fraction or a slip.
    ///
    /// - Throws: ``InvalidText`` where the characters are not where they belong; whether the rest is a number says who reads it.
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
                    "not a number: \(quoted(group)) stands between groups of three digits before the fraction only")
            }
            // A point that is not this file's decimal sign must not become one.
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

    /// Adds the digits before the fraction, without what groups them.
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
        InvalidText("not a number: \(quoted(group)) stands between groups of three digits")
    }

    private func quoted(_ sign: NumberSign?) -> String { PrintableText.quoted(sign?.text ?? "") }

    private static func holds(_ sign: NumberSign?, _ bytes: Span<UInt8>, _ index: Int) -> Bool {
        guard let sign, bytes.count - index >= sign.bytes.count else { return false }
        for offset in sign.bytes.indices where bytes[index + offset] != sign.bytes[offset] { return false }
        return true
    }
}
