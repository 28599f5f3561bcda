import Foundation
import StrataPersistence
import StrataTestSupport

/// A generator of values of every type, with frequent extremes.
struct RandomValues {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func value(_ type: AttributeType, isOptional: Bool) -> StoredValue {
        if isOptional, chance(8) { return .null }
        switch type {
        case .string: return .string(HostileText.random(using: &generator) ?? "")
        case .integer16: return .integer(integer(Int64(Int16.min)...Int64(Int16.max)))
        case .integer32: return .integer(integer(Int64(Int32.min)...Int64(Int32.max)))
        case .integer64: return .integer(integer(Int64.min...Int64.max))
        case .double: return .double(double())
        case .decimal(let scale):
            let unscaled = chance(4) ? 10010 : integer(Int64.min...Int64.max)
            return .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
        case .boolean: return .boolean(Bool.random(using: &generator))
        case .date: return .date(date())
        case .day:
            let days = Int.random(in: -730_851...2_921_573, using: &generator)
            return Day(daysSinceReferenceDay: days).map(StoredValue.day) ?? .null
        case .timeOfDay:
            let unit: Int64 = chance(2) ? 1 : 1_000_000_000
            let time = Int64.random(in: 0..<86_400_000_000_000, using: &generator) / unit * unit
            return TimeOfDay(nanosecondsSinceMidnight: time).map(StoredValue.timeOfDay) ?? .null
        case .uuid: return .uuid(uuid())
        case .binary:
            let count = Int.random(in: 0...7, using: &generator)
            return .binary(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        }
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

    private mutating func integer(_ range: ClosedRange<Int64>) -> Int64 {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: range.lowerBound
        case 1: range.upperBound
        case 2: 0
        case 3: Int64.random(in: -100...100, using: &generator)
        default: Int64.random(in: range, using: &generator)
        }
    }

    private mutating func double() -> Double {
        let extremes: [Double] = [
            0, -.greatestFiniteMagnitude, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNormalMagnitude, 0.1,
            1e23, 100.10,
        ]
        if chance(2) { return extremes.randomElement(using: &generator) ?? 0 }
        let value = Double(bitPattern: generator.next())
        // The value -0 is stored as 0.
        return value.isFinite && value != 0 ? value : 1
    }

    private mutating func date() -> Date {
        let seconds: Double
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: seconds = -3_187_296_000 - Double(Int.random(in: 0...1_000_000_000, using: &generator))  // before 1900
        case 1: seconds = 252_455_616_000 + Double(Int.random(in: 0...1_000_000_000, using: &generator))  // after 9999
        case 2: seconds = Double.random(in: -1...1, using: &generator)  // finer than a nanosecond
        case 3: seconds = Double.random(in: -1e9...1e9, using: &generator)
        case 4: seconds = -31_620_000_000_000 + Double.random(in: 0...1e6, using: &generator)  // year -999999
        default: seconds = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 1000
        }
        return Date(timeIntervalSinceReferenceDate: seconds).roundedToNanosecond()
    }

    private mutating func uuid() -> UUID {
        let bytes = (generator.next(), generator.next())
        return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
