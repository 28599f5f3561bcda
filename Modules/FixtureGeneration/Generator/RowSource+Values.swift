import Foundation

extension RowSource {
    /// A field's instant: a whole second from the first up to, not including, the last second of a range that is
    /// counted from the reference date, 2001-01-01T00:00:00Z.
    func date(_ field: UInt64, in seconds: Range<Int>) -> Date {
        let second = seconds.lowerBound + value(field, below: seconds.count)
        return Date(timeIntervalSinceReferenceDate: Double(second))
    }

    /// A UUID of version 4 that no other row of this entity has: the unique bits fill its first 60 free bits and 4
    /// of those that follow, a field's bits the rest.
    func uuid(_ field: UInt64) -> UUID {
        let unique = uniqueBits
        let rest = bits(field)
        func byte(_ bits: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits >> shift) }
        return UUID(
            uuid: (
                byte(unique, 56), byte(unique, 48), byte(unique, 40), byte(unique, 32), byte(unique, 24),
                byte(unique, 16),
                0x40 | (byte(unique, 12) & 0x0F),
                byte(unique, 4),
                0x80 | (byte(rest, 56) & 0x30) | (byte(unique, 0) & 0x0F),
                byte(rest, 48), byte(rest, 40), byte(rest, 32), byte(rest, 24), byte(rest, 16), byte(rest, 8),
                byte(rest, 0)
            )
        )
    }

    /// Whether, and how, a text shall be unusual: drawn once per row.
    func flavour(_ field: UInt64) -> Flavour {
        switch value(field, below: 100) {
        case 0..<Flavour.nonASCIIPercent: .nonASCII
        case Flavour.nonASCIIPercent..<Flavour.nonASCIIPercent + Flavour.quotedPercent: .quoted
        default: .plain
        }
    }
}

/// What a text holds besides plain ASCII letters, so that a dataset shows mistakes in encoding and quoting.
enum Flavour {
    /// Nothing special.
    case plain
    /// A letter outside ASCII.
    case nonASCII
    /// A comma or a quotation mark, so that CSV must quote it.
    case quoted

    /// How many of a hundred texts are not ASCII: about what a list of European and Asian customers has.
    static let nonASCIIPercent = 12

    /// How many of a hundred texts need quoting in CSV.
    static let quotedPercent = 2
}
