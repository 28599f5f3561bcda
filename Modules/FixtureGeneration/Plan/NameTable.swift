/// The names of some locales in a plan's pool, and how to find one by a row's locale or by its number among all.
///
/// A table in a plan's numbers: how many locales, and for each of them ``width`` numbers.
enum NameTable {
    /// The numbers of a locale: the sum of the weights up to it, where given and family names begin and how many there are, whether the
    /// family name stands first, and the sum of the names up to it.
    static let width = 7

    /// Where a row's locale is drawn: one for all names of a row.
    static let address = RowBits.address(of: "", .locale)

    /// Languages in which the family name stands first.
    private static let familyFirst: Set<String> = ["ja", "zh", "ko", "vi"]

    /// Adds names to a plan's pool and its numbers.
    ///
    /// - Parameters:
    ///   - locales: The weights by code.
    ///   - unique: The part of which no two may be equal: what a locale before it has is left out.
    ///   - texts: The pool.
    ///   - numbers: The numbers.
    /// - Returns: The place of the table, and for unique names how many there are.
    static func add(
        _ locales: [String: Int], unique: NamePart?, to texts: inout TextPool, _ numbers: inout [Int64]
    ) -> (place: Int, count: UInt64) {
        let place = numbers.count
        // By bytes: no table of Unicode has a say in which names are the same.
        var known: Set<[UInt8]> = []
        var rows: [[Int64]] = []
        var weights: Int64 = 0
        var names: Int64 = 0
        for list in NameLists.all {
            guard let weight = locales[list.code], weight > 0 else { continue }
            var (given, family) = (list.givenNames, list.familyNames)
            switch unique {
            case .given: given = given.filter { known.insert(Array($0.utf8)).inserted }
            // Of full names it is enough that no two locales have the same family name.
            case .family, .full: family = family.filter { known.insert(Array($0.utf8)).inserted }
            case nil: break
            }
            let (givenRange, familyRange) = (texts.add(given), texts.add(family))
            weights += Int64(weight)
            switch unique {
            case .given: names += Int64(given.count)
            case .family: names += Int64(family.count)
            case .full, nil: names += Int64(given.count * family.count)
            }
            rows.append([
                weights, Int64(givenRange.first), Int64(given.count), Int64(familyRange.first), Int64(family.count),
                familyFirst.contains(list.code) ? 1 : 0, names,
            ])
        }
        numbers.append(Int64(rows.count))
        for row in rows { numbers += row }
        return (place, UInt64(names))
    }

    /// Where the numbers of the locale are that bits stand for.
    @inline(__always)
    static func locale(_ bits: UInt64, table: Int, numbers: UnsafeBufferPointer<Int64>) -> Int {
        let last = table + 1 + (Int(numbers[table]) - 1) * width
        let place = Int64(RowBits.value(bits, below: UInt64(numbers[last])))
        var row = table + 1
        while place >= numbers[row] { row += width }
        return row
    }

    /// A name of a locale, by bits of its own.
    @inline(__always)
    static func name(
        _ bits: UInt64, part: NamePart, locale: Int, numbers: UnsafeBufferPointer<Int64>
    ) -> FixtureCell {
        switch part {
        case .given: .text(pick(bits, place: locale + 1, numbers: numbers))
        case .family: .text(pick(bits, place: locale + 3, numbers: numbers))
        case .full:
            full(
                given: pick(bits, place: locale + 1, numbers: numbers),
                family: pick(RowBits.mixed(bits), place: locale + 3, numbers: numbers), locale,
                numbers)
        }
    }

    /// The name of a number among all of a table that has no two equal ones.
    static func name(
        number: UInt64, part: NamePart, table: Int, numbers: UnsafeBufferPointer<Int64>
    ) -> FixtureCell {
        var row = table + 1
        var before: Int64 = 0
        while Int64(number) >= numbers[row + 6] {
            before = numbers[row + 6]
            row += width
        }
        let rest = Int64(number) - before
        switch part {
        case .given: return .text(Int32(numbers[row + 1] + rest))
        case .family: return .text(Int32(numbers[row + 3] + rest))
        case .full:
            let (given, family) = rest.quotientAndRemainder(dividingBy: numbers[row + 4])
            return full(
                given: Int32(numbers[row + 1] + given), family: Int32(numbers[row + 3] + family), row, numbers)
        }
    }

    private static func full(
        given: Int32, family: Int32, _ locale: Int, _ numbers: UnsafeBufferPointer<Int64>
    ) -> FixtureCell {
        numbers[locale + 5] == 1 ? .pair(family, given) : .pair(given, family)
    }

    @inline(__always)
    private static func pick(_ bits: UInt64, place: Int, numbers: UnsafeBufferPointer<Int64>) -> Int32 {
        Int32(truncatingIfNeeded: numbers[place] + Int64(RowBits.value(bits, below: UInt64(numbers[place + 1]))))
    }
}
