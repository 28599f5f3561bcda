public import Foundation

/// The coding of exact decimals with a fixed count of fraction digits, stored as integers in units of the last digit.
struct DecimalCoding: AttributeCoding {
    let scale: UInt8

    var name: String { "decimal(\(scale))" }
    var valueName: String { "decimal" }
    var spokenName: String { "decimal, \(scale) \(scale == 1 ? "digit" : "digits")" }
    var storage: StorageClass { .integer }
    var kind: OperandType.Kind { .decimal(scale: scale) }
    var isNumber: Bool { true }
    var rank: Int { 3 }
    var integers: ClosedRange<Int64>? { Int64.min...Int64.max }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        guard case .decimal(let start) = start ?? .decimal(ScaledDecimal(unscaled: 0, scale: scale)) else { return nil }
        let (sum, overflows) = start.unscaled.addingReportingOverflow(number)
        return overflows ? nil : .decimal(ScaledDecimal(unscaled: sum, scale: start.scale))
    }

    func converted(_ value: StoredValue) -> StoredValue? {
        switch value {
        case .decimal(let number):
            number.scale == scale ? value : number.rescaled(to: scale).map(StoredValue.decimal)
        case .integer(let number):
            ScaledDecimal(unscaled: number, scale: 0).rescaled(to: scale).map(StoredValue.decimal)
        default: nil
        }
    }

    func refusal(of value: StoredValue) -> String { "is not a decimal with at most \(scale) digits after the point" }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(number(left), number(right)) }

    func hash(_ value: StoredValue, into hasher: inout Hasher) {
        if let whole = number(value).rescaled(to: 0) {
            IntegerCoding.hash(whole.unscaled, into: &hasher)
        } else {
            hasher.combine(number(value))
        }
    }

    func describe(_ value: StoredValue) -> String { number(value).description }
    func stored(_ value: StoredValue) -> StoredForm { .integer(number(value).unscaled) }

    func value(_ raw: RawValue) -> StoredValue? {
        guard case .integer(let number) = raw else { return nil }
        return .decimal(ScaledDecimal(unscaled: number, scale: scale))
    }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue {
        guard let value = ScaledDecimal(utf8: text) else { throw refusal(text) }
        guard let scaled = value.rescaled(to: scale) else {
            guard value.scale > scale else { throw outOfRange }
            throw InvalidText("a decimal with more than \(scale) digits after the point")
        }
        return .decimal(scaled)
    }

    /// Returns the reason why a text is not a decimal: not a number, too large, or too many digits after the point.
    private func refusal(_ text: Span<UInt8>) -> InvalidText {
        do throws(InvalidText) {
            let bound = (0..<scale).reduce(Double(Int64.max)) { bound, _ in bound / 10 }
            guard try DoubleText.parse(text).magnitude < bound else { return outOfRange }
            return InvalidText("a decimal with more than \(scale) digits after the point")
        } catch {
            return error.reason == "not a number" ? InvalidText("not a decimal number") : outOfRange
        }
    }

    private var outOfRange: InvalidText {
        let most = ScaledDecimal(unscaled: .max, scale: scale)
        return InvalidText("out of range for a decimal of \(scale) digits after the point (at most \(most))")
    }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        DecimalText.write(number(value), to: &buffer)
    }

    var json: JSONForm { .number }
    var jsonName: String { "a number" }
    var example: String { "a number such as 12.50" }

    private func number(_ value: StoredValue) -> ScaledDecimal {
        if case .decimal(let number) = value { number } else { ScaledDecimal(unscaled: 0, scale: 0) }
    }
}

extension Decimal: AttributeValue {
    /// The type of an exact decimal number; its attribute declares the scale.
    public static var attributeType: AttributeType { .decimal(scale: 0) }

    /// Returns the number in its stored form, with the scale with which it is written.
    ///
    /// - Throws: ``ValueError`` if the number has more than 18 digits after the point, or if its unscaled integer does
    ///   not fit in 64 bits.
    public func storedValue() throws -> StoredValue {
        guard let value = ScaledDecimal(self) else {
            throw ValueError("\(self) does not fit a decimal of 18 digits")
        }
        return .decimal(value)
    }

    /// Creates a decimal number from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .decimal(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .decimal(scale: 0))
        }
        self = value.decimal
    }
}
