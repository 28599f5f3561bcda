import Foundation
import StrataPersistence
import StrataTestSupport

/// Values that are often equal, so that random conditions select some rows and not all; they include extreme values.
struct RandomValues: Sendable {
    let texts = [
        "", "a", "A", "an", "An", "ana", "banana", "z", "\u{e9}", "e\u{301}", "E\u{301}", "e", "ß", "ss", "%", "_",
        "a%",
        "\u{fffd}", "\u{1f600}", "a\u{1f600}b", "\u{10ffff}", "\u{d7ff}", "Ä", "ä", " ",
    ]
    let integers: [Int64] = [0, 0, 1, 1, -1, 2, 3, 7, -7, 100, 32_767, 9_007_199_254_740_993, .max, .min]
    let doubles: [Double] = [
        0, 1, -1, 0.5, 2.5, -2.5, 3, 9_007_199_254_740_992, 1e300, -1e300, 0x1p63, .leastNonzeroMagnitude,
    ]
    let unscaled: [Int64] = [0, 1, -1, 12, 125, 100, 200, -100, 10_000, 20_000, .max, .min, 92_233_720_368_547_758]
    let seconds: [Double] = [0, 0.5, -0.5, 1, 1e-9, 7.5e8, -6.3e10]
    let bytes: [[UInt8]] = [[], [0], [0, 0], [1], [255], [1, 2]]

    func value(
        _ kind: RandomConditions.Kind, isImmutable: Bool = true, using random: inout SeededGenerator
    ) -> StoredValue {
        func pick<Element>(_ elements: [Element], or other: Element) -> Element {
            elements.randomElement(using: &random) ?? other
        }
        switch kind {
        case .string: return .string(pick(texts, or: ""))
        case .integer: return .integer(pick(integers, or: 0))
        case .double: return .double(pick(doubles, or: 0))
        case .price, .weight:
            let own: UInt8 = kind == .price ? 2 : 4
            // A constant may have more or fewer digits than the property.
            let scale = isImmutable && Bool.random(using: &random) ? UInt8.random(in: 0...5, using: &random) : own
            return .decimal(ScaledDecimal(unscaled: pick(unscaled, or: 0), scale: scale))
        case .boolean: return .boolean(Bool.random(using: &random))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: pick(seconds, or: 0)))
        case .day:
            return Day(daysSinceReferenceDay: pick([0, 1, -1, 300, -730_791, 2_921_573], or: 0)).map(StoredValue.day)
                ?? .null
        case .timeOfDay:
            let nanoseconds: Int64 = pick(
                [0, 1, 1_000_000_000, 1_500_000_000, 1_250_000_000, 86_399_999_999_999], or: 0)
            return TimeOfDay(nanosecondsSinceMidnight: nanoseconds).map(StoredValue.timeOfDay) ?? .null
        case .uuid: return .uuid(uuid(pick([0, 1, 2, 9, 10, 255], or: 0)))
        case .binary: return .binary(Data(pick(bytes, or: [])))
        }
    }

    private func uuid(_ first: UInt8) -> UUID { UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) }

    /// Returns a row of `Sample`, in which each optional value is null with a probability of one quarter.
    func row(using random: inout SeededGenerator) -> [StoredValue] {
        let kinds: [RandomConditions.Kind] = [
            .string, .string, .integer, .integer, .integer, .double, .price, .weight, .boolean, .date, .uuid, .binary,
            .day, .timeOfDay,
        ]
        return kinds.enumerated().map { place, kind in
            if place > 0, Int.random(in: 0..<4, using: &random) == 0 { return .null }
            let value = value(kind, isImmutable: false, using: &random)
            guard case .integer(let number) = value else { return value }
            if place == 2 { return .integer(Int64(Int16(clamping: number))) }
            return place == 3 ? .integer(Int64(Int32(clamping: number))) : value
        }
    }
}
