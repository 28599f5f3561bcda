import Foundation
import StrataPersistence

/// The values of the checks; each list is in ascending order and has no duplicates.
///
/// The lists contain the limits of each type, the values next to the limits, and values that a lossy conversion
/// changes. Examples are integers above 2^53, which a `Double` cannot represent, and instants with fractions of a
/// second.
///
/// The checks of round trips write the values of a list and read them back. The checks of order also derive the
/// expected result of every comparison from the positions in a list.
enum ContractValues {
    /// Texts in the order of their UTF-8 bytes.
    ///
    /// Uppercase letters precede lowercase letters. A decomposed “é” (65 CC 81) precedes “f”, and the composed one (C3
    /// A9) follows all of ASCII. U+FFFD (EF BF BD) precedes U+1F600 (F0 9F 98 80); UTF-16 has the reverse order.
    static let texts = [
        "", " ", "1", "10", "9", "A", "B", "Z", "a", "a\u{1}", "aa", "b", "e\u{301}", "f", "z", "ß", "\u{e9}", "Ω",
        "\u{fffd}", "\u{1f600}",
    ]

    /// Integers around 0, around 2^53 and at both ends of 64 bits.
    static let integers: [Int64] = [
        .min, -9_007_199_254_740_993, -1, 0, 1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max - 1, .max,
    ]

    /// Doubles from the smallest to the greatest finite number, including the smallest positive one.
    ///
    /// Infinite numbers and NaN are not included. The list has one zero, because 0 and -0 are equal.
    static let doubles: [Double] = [
        -.greatestFiniteMagnitude, -9_007_199_254_740_992, -0.1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude,
        0.1, 0.1.nextUp, 1, 1e15, 9_007_199_254_740_992, 0x1p63, .greatestFiniteMagnitude,
    ]

    /// Returns decimals of one scale, from the smallest to the greatest unscaled 64-bit integer.
    static func decimals(scale: UInt8) -> [StoredValue] {
        [Int64.min, -100_000, -1, 0, 1, 99, 100, 570, 10_010, .max].map {
            .decimal(ScaledDecimal(unscaled: $0, scale: scale))
        }
    }

    /// Instants from the year 0 to the year 10000, some of which are one nanosecond apart.
    static let dates: [Date] = [
        Date(timeIntervalSinceReferenceDate: -63_114_076_800),
        Date(timeIntervalSinceReferenceDate: -0.5),
        Date(timeIntervalSinceReferenceDate: 0),
        Date(timeIntervalSinceReferenceDate: 0.000_000_001),
        Date(timeIntervalSinceReferenceDate: 0.000_000_002),
        Date(timeIntervalSinceReferenceDate: 781_000_000.123_456),
        Date(timeIntervalSinceReferenceDate: 252_423_993_600),
    ]

    /// Days from the year 0 to the year 9999, with leap days.
    ///
    /// The days with four-digit years below 1000 detect a store that compares texts without leading zeros.
    static let days: [Day] = [
        "0000-01-01", "0000-02-29", "0999-12-31", "1000-01-01", "1582-10-10", "2000-02-29", "2000-03-01", "2000-10-01",
        "2001-01-01", "9999-12-31",
    ].compactMap { Day($0) }

    /// Times of day from midnight to the last nanosecond, with zero to nine fraction digits.
    ///
    /// The texts `10:00:00` and `10:00:00.5` detect a store that compares texts of different lengths.
    static let timesOfDay: [TimeOfDay] = [
        "00:00:00", "00:00:00.000000001", "09:59:59.999999999", "10:00:00", "10:00:00.1", "10:00:00.25", "10:00:00.5",
        "10:00:00.500000001", "10:00:01", "12:34:56.123456789", "23:59:59", "23:59:59.999999999",
    ].compactMap { TimeOfDay($0) }

    /// UUIDs in the order of their bytes, which differs from the order of signed integers.
    static let uuids: [UUID] = [
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
        UUID(uuid: (0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
    ]

    /// Byte strings in lexicographic order of unsigned bytes; a prefix precedes a longer string.
    static let binaries: [Data] = [
        Data(), Data([0]), Data([0, 0]), Data([0, 1]), Data([1]), Data([0x7F]), Data([0x80]), Data([0xFF, 0]),
    ]
}
