extension TextFormat {
    /// A Boolean value that indicates whether texts of the format are ordered by their meaning, and not by their
    /// characters.
    ///
    /// Date-times are ordered as instants; without a zone, they are ordered as if they were in UTC. Years, months and
    /// numbers are ordered as numbers. A duration has no order (`P1M` is neither more nor less than `P30D`), and
    /// neither has an address or a geographic point. Texts of such formats are ordered by their characters.
    public var isOrdered: Bool {
        switch self {
        case .localDateTime, .offsetDateTime, .dateTime, .year, .yearMonth, .bigInteger, .number: true
        case .duration, .email, .uri, .uuid, .base64, .geopoint, .object, .array, .json: false
        }
    }

    /// Returns a text whose bytes have the order of the meaning of `text`; `text` itself if the format has no order.
    ///
    /// Two texts with the same meaning, such as `2024-01-26T10:00:00Z` and `2024-01-26T11:00:00+01:00`, have the same
    /// key. Texts that do not have the format come after all texts that do.
    ///
    /// - Parameter text: A value of a text attribute with this format.
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

/// Keys whose byte order is the order of instants.
private enum InstantKey {
    /// An offset greater than the seconds from the year 0 to 2001, and from 2001 to the year 10,000.
    private static let bias = 1_000_000_000_000

    /// Returns the key of an instant.
    ///
    /// - Parameter bytes: A valid date and time.
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

/// Keys whose byte order is the order of numbers of any length.
///
/// A key is a sign, the position of the first digit, and the digits.
///
/// A negative number has everything inverted, and ends with a byte that is above all digits, because more digits then
/// mean a smaller number.
private enum NumberKey {
    /// The greatest position of a first digit; greater exponents are replaced by it.
    ///
    /// No number that is written out has its first digit at a greater position.
    private static let furthest = 1_000_000_000_000_000
    private static let nines: UInt8 = 0x30 + 0x39

    /// Returns the key of a number.
    ///
    /// - Parameter bytes: A valid number: a sign, digits with or without a point, and an exponent.
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

    /// Returns an exponent, or one that is greater than all others.
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
