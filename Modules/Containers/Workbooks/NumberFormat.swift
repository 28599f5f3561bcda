/// The meaning of a number in a cell, which its number format determines.
package enum NumberFormat: Sendable, Equatable {
    case number
    /// A day without a time.
    case date
    /// A time of day without a day.
    case time
    case dateTime
    /// A count of hours, minutes or seconds, such as `[h]:mm`.
    case duration
    /// A built-in format that has another meaning in each language of a spreadsheet.
    case local

    /// Returns the meaning of a built-in format.
    package init(builtIn number: Int) {
        self =
            switch number {
            case 14...17: .date
            case 18...21, 45, 47: .time
            case 22: .dateTime
            case 46: .duration
            case 27...36, 50...58: .local
            default: .number
            }
    }

    /// Returns the meaning of a format's code, such as `yyyy-mm-dd`; only its first section counts.
    package init(code: String) {
        let code = Array(code.lowercased().utf8)
        var letters: [UInt8] = []
        var isDuration = false
        var index = 0
        scan: while index < code.count {
            let byte = code[index]
            index += 1
            switch byte {
            case UInt8(ascii: ";"): break scan
            case UInt8(ascii: "\""):
                while index < code.count, code[index] != byte { index += 1 }
                index += 1
            case UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "*"): index += 1
            case UInt8(ascii: "["):
                let end = code[min(index, code.count)...].firstIndex(of: UInt8(ascii: "]")) ?? code.count
                if let first = code[index..<end].first, "hms".utf8.contains(first),
                    code[index..<end].allSatisfy({ $0 == first })
                {
                    isDuration = true
                }
                index = end + 1
            case UInt8(ascii: "g") where code[(index - 1)...].starts(with: "general".utf8): index += 6
            case UInt8(ascii: "a") where code[(index - 1)...].starts(with: "am/pm".utf8):
                letters.append(UInt8(ascii: "h"))
                index += 4
            case UInt8(ascii: "a") where code[(index - 1)...].starts(with: "a/p".utf8):
                letters.append(UInt8(ascii: "h"))
                index += 2
            // The exponent of a number.
            case UInt8(ascii: "e") where index < code.count && (code[index] == 0x2B || code[index] == 0x2D): index += 1
            case UInt8(ascii: "y"), UInt8(ascii: "m"), UInt8(ascii: "d"), UInt8(ascii: "h"), UInt8(ascii: "s"):
                if letters.last != byte { letters.append(byte) }
            default: break
            }
        }
        var (hasDay, hasTime) = (false, false)
        for (place, letter) in letters.enumerated() {
            switch letter {
            case UInt8(ascii: "h"), UInt8(ascii: "s"): hasTime = true
            case UInt8(ascii: "m"):
                // The letter means minutes after hours and before seconds, and otherwise months.
                let isMinute =
                    (place > 0 && letters[place - 1] == UInt8(ascii: "h"))
                    || (place + 1 < letters.count && letters[place + 1] == UInt8(ascii: "s"))
                if isMinute { hasTime = true } else if !isDuration { hasDay = true }
            default: hasDay = true
            }
        }
        self =
            switch (isDuration, hasDay, hasTime) {
            case (true, false, _): .duration
            case (_, true, true): .dateTime
            case (_, true, false): .date
            case (false, false, true): .time
            case (false, false, false): .number
            }
    }
}
