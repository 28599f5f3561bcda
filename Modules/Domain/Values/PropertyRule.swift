import Foundation

/// The checks of the throwing initialisers, each error naming the type and property at fault.
struct PropertyRule {
    let type: String
    let property: String

    func require(_ value: Int, atLeast minimum: Int) throws {
        guard value >= minimum else {
            throw error(.outOfRange, "\(value) is less than \(minimum)")
        }
    }

    func require(_ value: Decimal, within range: ClosedRange<Decimal>, scale: Int) throws {
        // Before the bounds: nothing may be concluded from comparing with what is not a number.
        guard value.isFinite else {
            throw error(.notANumber, "\(value) is not a finite number")
        }
        guard value >= range.lowerBound else {
            throw error(.outOfRange, "\(value) is less than \(range.lowerBound)")
        }
        guard value <= range.upperBound else {
            throw error(.outOfRange, "\(value) is more than \(range.upperBound)")
        }
        guard Self.fits(value, scale: scale) else {
            throw error(.tooManyDigits, "\(value) has more than \(scale) digits after the point")
        }
    }

    /// Whether no digit but zero stands after the first `scale` digits behind the point.
    private static func fits(_ value: Decimal, scale: Int) -> Bool {
        // The value is a whole multiple of 10^exponent, so the usual case needs no text.
        if value.exponent >= -scale { return true }
        guard let fraction = value.description.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first
        else { return true }
        return fraction.utf8.dropFirst(scale).allSatisfy { $0 == UInt8(ascii: "0") }
    }

    private func error(_ code: DomainError.Code, _ message: String) -> DomainError {
        DomainError(code: code, type: type, property: property, message: message)
    }
}
