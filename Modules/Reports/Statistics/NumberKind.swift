import Foundation
import StrataCore

/// The numbers of an attribute: integers with an optional number of fraction digits, or floating-point numbers.
///
/// Each number has a key, an unsigned integer with the same order. Therefore the same code counts and searches all
/// kinds.
enum NumberKind: Equatable {
    /// Integers and decimals, as the number without its decimal point and the count of its fraction digits.
    case whole(scale: UInt8)
    /// Finite floating-point numbers.
    case real

    /// The bit that is inverted, so that negative numbers have smaller keys than positive ones.
    private static let sign: UInt64 = 1 << 63

    /// Creates the kind of an attribute type, or returns `nil` if the type is not numeric.
    init?(_ type: AttributeType) {
        let coding = type.coding
        guard coding.isNumber else { return nil }
        self = coding.storage == .real ? .real : .whole(scale: coding.kind.scale)
    }

    /// The number of fraction digits with which every number is written.
    var fractionDigits: Int {
        if case .whole(let scale) = self { Int(scale) } else { 0 }
    }

    /// Returns the key of a stored number, or `nil` if the value is not a number of this kind.
    func key(of value: StoredValue) -> UInt64? {
        switch (self, value) {
        case (.whole, .integer(let number)): Self.key(number)
        case (.whole(let scale), .decimal(let number)): number.rescaled(to: scale).map { Self.key($0.unscaled) }
        case (.real, .double(let number)): Self.key(number)
        default: nil
        }
    }

    /// Returns the number of a key as a stored value.
    func value(ofKey key: UInt64) -> StoredValue {
        switch self {
        case .whole(scale: 0): .integer(Self.whole(ofKey: key))
        case .whole(let scale): .decimal(ScaledDecimal(unscaled: Self.whole(ofKey: key), scale: scale))
        case .real: .double(Self.real(ofKey: key))
        }
    }

    /// Returns the number of a key for output.
    func number(ofKey key: UInt64) -> DecimalNumber {
        switch self {
        case .whole(let scale): DecimalNumber(Int128(Self.whole(ofKey: key)), exponent: -Int(scale))
        case .real: DecimalNumber(Self.real(ofKey: key))
        }
    }

    /// Returns the mean of two numbers.
    func middle(_ left: UInt64, _ right: UInt64) -> DecimalNumber {
        guard left != right else { return number(ofKey: left) }
        switch self {
        case .whole(let scale):
            let sum = Int128(Self.whole(ofKey: left)) + Int128(Self.whole(ofKey: right))
            return DecimalNumber(sum * 5, exponent: -Int(scale) - 1)
        // The numbers are halved before the addition, so that the sum of two large numbers is not infinite.
        case .real: return DecimalNumber(Self.real(ofKey: left) / 2 + Self.real(ofKey: right) / 2)
        }
    }

    /// Returns the key of an integer.
    static func key(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ sign }

    /// Returns the integer of a key.
    static func whole(ofKey key: UInt64) -> Int64 { Int64(bitPattern: key ^ sign) }

    /// Returns a key in the order of IEEE 754: the bits of positive numbers rise, and those of negative numbers fall.
    static func key(_ number: Double) -> UInt64 {
        let bits = (number + 0).bitPattern
        return bits & sign == 0 ? bits | sign : ~bits
    }

    /// Returns the double of a key.
    static func real(ofKey key: UInt64) -> Double {
        // Zero has a single sign, as in the store.
        Double(bitPattern: key & sign == 0 ? ~key : key ^ sign) + 0
    }
}
