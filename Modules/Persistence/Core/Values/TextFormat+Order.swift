extension TextFormat {
    /// Whether values are compared and sorted by what they mean, and not by their letters.
    ///
    /// Date-times are in order as instants, and stand without a zone as if they were in UTC; years, months and numbers as numbers. A duration has no order
    /// (`P1M` is neither more nor less than `P30D`), nor has an address or a place: those are in order as texts.
    public var isOrdered: Bool {
        switch self {
        case .localDateTime, .offsetDateTime, .dateTime, .year, .yearMonth, .bigInteger, .number: true
        case .duration, .email, .uri, .uuid, .base64, .geopoint, .object, .array, .json: false
        }
    }

    /// A text whose bytes have the order of what `text` means; of a format that is not ordered the text itself.
    ///
    /// Two texts that mean the same, as `2024-01-26T10:00:00Z` and `2024-01-26T11:00:00+01:00`, give the same. What is not of the format stands behind
    /// everything that is.
    ///
    /// - Parameter text: A value.
    /// - Returns: The text to compare by.
    /// - Complexity: O(*n*) in its length.
    public func orderKey(of text: String) -> String {
        guard isOrdered else { return text }
        guard takes(text) else { return "~" + text }
        return text.utf8.withContiguousStorageIfAvailable { orderKey($0) }
            ?? Array(text.utf8).withUnsafeBufferPointer(orderKey)
    }

    private func orderKey(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        switch self {
        case .localDateTime, .offsetDateTime, .dateTime: InstantKey.text(bytes)
        case .yearMonth: NumberKey.text(bytes.dropLast(3)) + " " + String(decoding: bytes.suffix(2), as: UTF8.self)
        default: NumberKey.text(bytes[...])
        }
    }
}

/// The order of instants in the order of bytes.
private enum InstantKey {
    /// More seconds than there are from the year 0 to 2001, and from 2001 to the year 10,000.
    private static let bias = 1_000_000_000_000

    /// The key of an instant.
    ///
    /// - Parameter bytes: A date and time that was found right.
    /// - Returns: The key.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { 10 * $0 + Int($1 & 0x0F) } }
        let day = CalendarDay(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        var seconds = day.daysSinceReferenceDay * 86_400
        seconds += number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
        var (end, fraction) = (19, 0)
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let digits = bytes[20...].prefix { (0x30...0x39).contains($0) }
            end = digits.endIndex
            fraction = number(20..<end)
            for _ in digits.count..<9 { fraction *= 10 }
        }
        if bytes.count - end == 6 {
            let offset = number(end + 1..<end + 3) * 3_600 + number(end + 4..<end + 6) * 60
            seconds += bytes[end] == UInt8(ascii: "-") ? offset : -offset
        }
        return NumberKey.padded(seconds + bias, to: 13) + NumberKey.padded(fraction, to: 9)
    }
}

/// The order of numbers of any length in the order of bytes: a sign, where the first digit stands, and the digits.
///
/// A negative number has everything turned round, and ends with a byte behind all digits, as more digits then mean less.
private enum NumberKey {
    /// No number that is written out has its first digit further away; exponents beyond are taken for this one.
    private static let furthest = 1_000_000_000_000_000
    private static let nines: UInt8 = 0x30 + 0x39

    /// The key of a number.
    ///
    /// - Parameter bytes: A number that was found right: a sign, digits with or without a point, an exponent.
    /// - Returns: The key.
    static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let exponent = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        let written = rest[..<(exponent ?? rest.endIndex)]
        let point = written.firstIndex(of: UInt8(ascii: ".")) ?? written.endIndex
        var digits = Array(written[..<point])
        digits += written[point...].dropFirst()
        while digits.last == 0x30 { digits.removeLast() }
        let zeros = digits.prefix { $0 == 0x30 }.count
        digits.removeFirst(zeros)
        guard !digits.isEmpty else { return "1" }
        var place = written.distance(from: written.startIndex, to: point) - zeros
        if let exponent { place += power(rest[exponent...].dropFirst()) }
        place = min(max(-furthest, place), furthest) + furthest
        if !isNegative { return "2" + padded(place, to: 16) + String(decoding: digits, as: UTF8.self) }
        return "0" + padded(2 * furthest - place, to: 16) + String(decoding: digits.map { nines - $0 }, as: UTF8.self)
            + "~"
    }

    /// An exponent, or one beyond all others.
    private static func power(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var number = 0
        for byte in bytes where (0x30...0x39).contains(byte) {
            number = min(10 * number + Int(byte & 0x0F), 2 * furthest)
        }
        return isNegative ? -number : number
    }

    static func padded(_ number: Int, to length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }
}
