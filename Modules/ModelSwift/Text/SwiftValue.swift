import Foundation
import StrataCore

/// Swift expressions for stored values.
struct SwiftValue {
    /// Returns the name of a type of a library, with its module if a record type has the same name.
    let library: (String) -> String

    /// Returns an expression of the type `StoredValue`.
    func stored(_ value: StoredValue) -> String {
        switch value {
        case .null: ".null"
        case .boolean(let value): ".boolean(\(value))"
        case .integer(let number): ".integer(\(SwiftLiteral.integer(number)))"
        case .double(let number): ".double(\(self.double(number)))"
        case .decimal(let decimal): ".decimal(\(scaled(decimal)))"
        case .string(let text): ".string(\(SwiftLiteral.text(text)))"
        case .date(let date): ".date(\(self.date(date)))"
        case .day(let day): ".day(\(self.day(day)))"
        case .timeOfDay(let time): ".timeOfDay(\(self.time(time)))"
        case .uuid(let uuid): ".uuid(\(self.uuid(uuid)))"
        case .binary(let data): ".binary(\(self.data(data)))"
        }
    }

    /// Returns an expression of the Swift type of a property that stores the value.
    func swift(_ value: StoredValue) -> String {
        switch value {
        case .null: "nil"
        case .boolean(let value): "\(value)"
        case .integer(let number): SwiftLiteral.integer(number)
        case .double(let number): self.double(number)
        case .decimal(let decimal): self.decimal(decimal)
        case .string(let text): SwiftLiteral.text(text)
        case .date(let date): self.date(date)
        case .day(let day): self.day(day)
        case .timeOfDay(let time): self.time(time)
        case .uuid(let uuid): self.uuid(uuid)
        case .binary(let data): self.data(data)
        }
    }

    /// Returns an expression of the type `DefaultValue`.
    func defaultValue(_ value: DefaultValue) -> String {
        switch value {
        case .now: ".now"
        case .newUUID: ".newUUID"
        case .constant(let value):
            switch value {
            case .double(let number) where number.isSubnormal: ".constant(\(stored(value)))"
            case .boolean, .integer, .double, .string: swift(value)
            default: ".constant(\(stored(value)))"
            }
        }
    }

    private func double(_ number: Double) -> String {
        // The compiler warns of such literals.
        number.isSubnormal
            ? "\(library("Double"))(bitPattern: \(SwiftLiteral.integer(Int64(bitPattern: number.bitPattern))))"
            : "\(number)"
    }

    private func scaled(_ decimal: ScaledDecimal) -> String {
        let unscaled = SwiftLiteral.integer(decimal.unscaled)
        return "\(library("ScaledDecimal"))(unscaled: \(unscaled), scale: \(decimal.scale))"
    }

    private func decimal(_ decimal: ScaledDecimal) -> String {
        if decimal.unscaled == 0 { return "0" }
        if decimal.scale == 0, decimal.unscaled != .min { return SwiftLiteral.integer(decimal.unscaled) }
        // The magnitude of this number is too large for a literal.
        if decimal.unscaled == .min {
            let half = self.decimal(ScaledDecimal(unscaled: .min / 2, scale: decimal.scale))
            return "\(half) * 2"
        }
        let significand = SwiftLiteral.integer(abs(decimal.unscaled))
        return "\(library("Decimal"))(sign: .\(decimal.unscaled < 0 ? "minus" : "plus"), "
            + "exponent: -\(decimal.scale), significand: \(significand))"
    }

    private func date(_ date: Date) -> String {
        "\(library("Date"))(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    }

    private func day(_ day: Day) -> String {
        "\(library("Day"))(clampingYear: \(day.year), month: \(day.month), day: \(day.day))"
    }

    private func time(_ time: TimeOfDay) -> String {
        "\(library("TimeOfDay"))(clampingNanosecondsSinceMidnight: "
            + "\(SwiftLiteral.integer(time.nanosecondsSinceMidnight)))"
    }

    private func uuid(_ uuid: UUID) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        return "\(library("UUID"))(uuid: (\(bytes.map { "\($0)" }.joined(separator: ", "))))"
    }

    private func data(_ data: Data) -> String {
        "\(library("Data"))([\(data.map { "\($0)" }.joined(separator: ", "))])"
    }
}
