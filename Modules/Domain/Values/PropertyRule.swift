import Foundation

/// The checks of a record's property in a throwing initializer; each error names the record's type and the property.
struct PropertyRule {
    let type: String
    let property: String

    func require(_ value: Int, atLeast minimum: Int) throws {
        guard value >= minimum else {
            throw error(.outOfRange, "\(value) is less than \(minimum)")
        }
    }

    func require(_ value: Decimal, within range: ClosedRange<Decimal>, scale: Int) throws {
        // This check precedes the checks of the bounds because comparisons with NaN have no meaning.
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

    /// Returns a Boolean value that indicates whether all digits of a decimal after the first `scale` places are zero.
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
