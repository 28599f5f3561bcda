import Foundation
import StrataCore

/// Swift expressions for stored values.
struct SwiftValue {
    let types: ModelTypes

    /// Returns an expression of the type `StoredValue`.
    func stored(_ value: StoredValue) -> String {
        switch value {
        case .null: ".null"
        case .boolean(let value): ".boolean(\(value))"
        case .integer(let number): ".integer(\(SwiftLiteral.integer(number)))"
        case .double(let number): ".double(\(number))"
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
        case .double(let number): "\(number)"
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
            case .boolean, .integer, .double, .string: swift(value)
            default: ".constant(\(stored(value)))"
            }
        }
    }

    private func scaled(_ decimal: ScaledDecimal) -> String {
        let unscaled = SwiftLiteral.integer(decimal.unscaled)
        return "\(types.type("ScaledDecimal"))(unscaled: \(unscaled), scale: \(decimal.scale))"
    }

    private func decimal(_ decimal: ScaledDecimal) -> String {
        if decimal.scale == 0 { return SwiftLiteral.integer(decimal.unscaled) }
        if decimal.unscaled == 0 { return "0" }
        let digits = UInt64(decimal.unscaled.magnitude)
        let significand = digits > UInt64(Int64.max) ? "\(digits)" : SwiftLiteral.integer(Int64(digits))
        return "\(types.type("Decimal"))(sign: .\(decimal.unscaled < 0 ? "minus" : "plus"), "
            + "exponent: -\(decimal.scale), significand: \(significand))"
    }

    private func date(_ date: Date) -> String {
        "\(types.type("Date"))(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    }

    private func day(_ day: Day) -> String {
        "\(types.type("Day"))(clampingYear: \(day.year), month: \(day.month), day: \(day.day))"
    }

    private func time(_ time: TimeOfDay) -> String {
        "\(types.type("TimeOfDay"))(clampingNanosecondsSinceMidnight: "
            + "\(SwiftLiteral.integer(time.nanosecondsSinceMidnight)))"
    }

    private func uuid(_ uuid: UUID) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        return "\(types.type("UUID"))(uuid: (\(bytes.map { "\($0)" }.joined(separator: ", "))))"
    }

    private func data(_ data: Data) -> String {
        "\(types.type("Data"))([\(data.map { "\($0)" }.joined(separator: ", "))])"
    }
}
