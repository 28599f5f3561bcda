/// The numbering of a draw's values, from which unique values are selected.
extension Draw {
    /// Returns the number of different values, or `nil` if they are not equally likely or cannot be numbered.
    func valueCount(_ numbers: [Int64]) -> UInt64? {
        switch self {
        case .uniform(_, let count, _), .instants(_, let count, _), .code(_, _, let count), .reference(let count):
            return count
        case .texts(let range): return UInt64(range.count)
        case .pairs(let first, let second): return UInt64(first.count) * UInt64(second.count)
        case .allNames(let table, _):
            let locales = Int(numbers[table])
            return locales == 0 ? 0 : UInt64(numbers[table + locales * NameTable.width])
        case .color: return 1 << 24
        case .grammar(_, let count), .values(_, let count): return count
        case .bytes(let least, _): return least >= 7 ? 1 << 56 : 1 << UInt64(8 * least)
        case .chance: return 2
        default: return nil
        }
    }

    /// Returns the value with a number (its rank) in the numbering of the draw's values.
    func value(
        rank: UInt64, _ numbers: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<FixtureCell> = UnsafeBufferPointer(start: nil, count: 0)
    ) -> FixtureCell {
        switch self {
        case .uniform(let least, _, let step): return .integer(least &+ Int64(bitPattern: rank) &* step)
        case .instants(let first, _, let step): return .date(seconds: first + Int64(rank) * step, nanoseconds: 0)
        case .code(let prefix, let digits, _): return .code(prefix: prefix, number: rank, digits: digits)
        case .reference: return .integer(Int64(rank) + 1)
        case .texts(let range): return .text(range.first + Int32(rank))
        case .pairs(let first, let second):
            let (left, right) = rank.quotientAndRemainder(dividingBy: UInt64(second.count))
            return .pair(first.first + Int32(left), second.first + Int32(right))
        case .allNames(let table, let part):
            return NameTable.name(number: rank, part: part, table: table, numbers: numbers)
        case .color: return .color(UInt32(rank))
        case .grammar(let place, _): return .made(grammar: place, number: rank)
        case .bytes(let least, _): return .bytes(number: rank, count: least)
        case .values(let first, _): return values[first + Int(rank)]
        case .chance: return .boolean(rank == 1)
        case .slots(let starts, let targets, let referring):
            guard rank < referring else { return .null }
            // The binary search finds the last target whose slots begin at or before this slot.
            var (low, high) = (0, targets - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if numbers[starts + middle] <= Int64(rank) { low = middle } else { high = middle - 1 }
            }
            return .integer(Int64(low) + 1)
        default: return .null
        }
    }
}

/// Functions that convert numbers to UUIDs of version 4 that are unique in an attribute.
enum UniqueIdentifier {
    /// Returns the UUID for a number.
    ///
    /// A permutation of the number determines the first 60 random bits of the UUID and 4 of the following bits. The
    /// argument `rest` determines the remaining bits.
    static func cell(key: UInt64, number: UInt64, _ rest: UInt64) -> FixtureCell {
        let unique = RowBits.mixed(key ^ number)
        let upper = (unique & 0xFFFF_FFFF_FFFF_0000) | 0x4000 | (unique >> 4 & 0x0FFF)
        let lower = 0x8000_0000_0000_0000 | (unique & 0xF) << 58 | rest & 0x03FF_FFFF_FFFF_FFFF
        return .uuid(upper, lower)
    }

    /// Returns the number of a UUID, or `nil` if the UUID is not of version 4.
    static func number(key: UInt64, _ upper: UInt64, _ lower: UInt64) -> UInt64? {
        guard upper & 0xF000 == 0x4000, lower >> 62 == 0b10 else { return nil }
        let unique = (upper & 0xFFFF_FFFF_FFFF_0000) | (upper & 0x0FFF) << 4 | lower >> 58 & 0xF
        return RowBits.unmixed(unique) ^ key
    }
}
