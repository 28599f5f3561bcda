extension BorrowedRow {
    /// Returns the UTF-8 bytes of a text, a color as `#RRGGBB` or a UUID in uppercase.
    ///
    /// The result is empty for other types of values.
    ///
    /// - Parameters:
    ///   - cell: The value.
    ///   - scratch: A buffer for composed texts, of at least ``EntityPlan/longestText`` bytes.
    /// - Returns: The UTF-8 bytes, which are valid while the row and the buffer are borrowed.
    @inline(__always)
    package func text(
        _ cell: FixtureCell, _ scratch: UnsafeMutableBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        if case .text(let number) = cell { return texts.utf8(number) }
        return composed(cell, scratch)
    }

    private func composed(
        _ cell: FixtureCell, _ scratch: UnsafeMutableBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var writer = TextWriter(memory: scratch)
        switch cell {
        case .pair(let first, let second):
            writer.put(texts.utf8(first))
            writer.put(UInt8(ascii: " "))
            writer.put(texts.utf8(second))
        case .code(let prefix, let number, let digits):
            writer.put(texts.utf8(prefix))
            writer.put(number, digits: Int(digits))
        case .made(let grammar, let number):
            GrammarTable.write(number, at: Int(grammar), numbers: numbers, texts: texts) { writer.put($0) }
        case .bytes(let number, let count): writer.put(bytes: number, count: Int(count))
        case .color(let color):
            writer.put(UInt8(ascii: "#"))
            writer.put(hexadecimal: UInt64(color), digits: 6)
        case .uuid(let upper, let lower):
            writer.put(hexadecimal: upper >> 32, digits: 8)
            writer.put(UInt8(ascii: "-"))
            writer.put(hexadecimal: upper >> 16 & 0xFFFF, digits: 4)
            writer.put(UInt8(ascii: "-"))
            writer.put(hexadecimal: upper & 0xFFFF, digits: 4)
            writer.put(UInt8(ascii: "-"))
            writer.put(hexadecimal: lower >> 48, digits: 4)
            writer.put(UInt8(ascii: "-"))
            writer.put(hexadecimal: lower & 0xFFFF_FFFF_FFFF, digits: 12)
        default: break
        }
        return UnsafeBufferPointer(rebasing: scratch[..<writer.count])
    }

    /// The maximum length of a text that is composed only from numbers; a UUID is the longest such text.
    static let longestNumber = FixtureField.ValueType.longestWord
}

/// A writer that appends bytes to a buffer, which must be large enough.
private struct TextWriter {
    let memory: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func put(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { put(byte) }
    }

    mutating func put(_ number: UInt64, digits: Int) {
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            memory[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Writes the bytes of a number, the lowest byte first; further bytes are those of numbers derived from the number.
    mutating func put(bytes number: UInt64, count bytes: Int) {
        var word = number
        for place in 0..<bytes {
            if place % 8 == 0, place > 0 { word = RowBits.mixed(number &+ UInt64(place)) }
            put(UInt8(truncatingIfNeeded: word >> UInt64(8 * (place % 8))))
        }
    }

    mutating func put(hexadecimal number: UInt64, digits: Int) {
        for digit in stride(from: digits - 1, through: 0, by: -1) {
            let nibble = UInt8(number >> UInt64(4 * digit) & 0xF)
            put(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10)
        }
    }
}
