import Foundation
import StrataCore

/// The numbers of an attribute: whole ones, of which some last digits are a fraction, or floating-point ones.
///
/// Each number has a key, an unsigned number of the same order, so that one way of counting and searching serves all.
enum NumberKind: Equatable {
    /// Whole numbers and decimals, as the number without its point and the digits behind it.
    case whole(scale: UInt8)
    /// Floating-point numbers, none of which is infinite or no number.
    case real

    private static let sign: UInt64 = 1 << 63

    /// The numbers of a type; nil where it has none.
    init?(_ type: AttributeType) {
        let coding = type.coding
        guard coding.isNumber else { return nil }
        self = coding.storage == .real ? .real : .whole(scale: coding.kind.scale)
    }

    /// How many digits behind the point every number is written with.
    var fractionDigits: Int {
        if case .whole(let scale) = self { Int(scale) } else { 0 }
    }

    /// The key of a stored number; nil for what is no number of this kind.
    func key(of value: StoredValue) -> UInt64? {
        switch (self, value) {
        case (.whole, .integer(let number)): Self.key(number)
        case (.whole(let scale), .decimal(let number)): number.rescaled(to: scale).map { Self.key($0.unscaled) }
        case (.real, .double(let number)): Self.key(number)
        default: nil
        }
    }

    /// The number of a key, as the store has it.
    func value(ofKey key: UInt64) -> StoredValue {
        switch self {
        case .whole(scale: 0): .integer(Self.whole(ofKey: key))
        case .whole(let scale): .decimal(ScaledDecimal(unscaled: Self.whole(ofKey: key), scale: scale))
        case .real: .double(Self.real(ofKey: key))
        }
    }

    /// The number of a key, for writing.
    func number(ofKey key: UInt64) -> DecimalNumber {
        switch self {
        case .whole(let scale): DecimalNumber(Int128(Self.whole(ofKey: key)), exponent: -Int(scale))
        case .real: DecimalNumber(Self.real(ofKey: key))
        }
    }

    /// The number in the middle of two.
    func middle(_ left: UInt64, _ right: UInt64) -> DecimalNumber {
        guard left != right else { return number(ofKey: left) }
        switch self {
        case .whole(let scale):
            let sum = Int128(Self.whole(ofKey: left)) + Int128(Self.whole(ofKey: right))
            return DecimalNumber(sum * 5, exponent: -Int(scale) - 1)
        // Halved before they are added, so that the sum of two large ones is no infinity.
        case .real: return DecimalNumber(Self.real(ofKey: left) / 2 + Self.real(ofKey: right) / 2)
        }
    }

    static func key(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ sign }

    static func whole(ofKey key: UInt64) -> Int64 { Int64(bitPattern: key ^ sign) }

    /// IEEE 754's own order: the bits of positive numbers rise with them, those of negative ones fall.
    static func key(_ number: Double) -> UInt64 {
        let bits = (number + 0).bitPattern
        return bits & sign == 0 ? bits | sign : ~bits
    }

    static func real(ofKey key: UInt64) -> Double {
        // Zero has one sign, as in the store.
        Double(bitPattern: key & sign == 0 ? ~key : key ^ sign) + 0
    }
}
