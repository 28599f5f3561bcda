/// Functions that encode the names of several locales as a table in the numbers of a plan.
///
/// A name is found by the locale of a row, or by its number among all names. The table contains the count of locales,
/// and ``width`` numbers for each locale.
enum NameTable {
    /// The count of numbers that the table contains for each locale.
    ///
    /// They are the cumulative weight, the index of the first given name in the pool, the count of given names, the
    /// same two numbers for family names, the order of both names, and the cumulative count of names.
    static let width = 7

    /// The address of the random bits that determine a row's locale, which all names of the row share.
    static let address = RowBits.address(of: "", .locale)

    /// The codes of the languages in which the family name precedes the given name.
    private static let familyFirst: Set<String> = ["ja", "zh", "ko", "vi"]

    /// Adds the names of locales to the text pool and the numbers of a plan.
    ///
    /// - Parameters:
    ///   - locales: The weights of the locales, by locale code.
    ///   - unique: The part of the name that must be unique; a name that also occurs in an earlier locale is then
    ///     omitted. If it is `nil`, no name is omitted.
    ///   - texts: The text pool of the plan.
    ///   - numbers: The numbers of the plan.
    /// - Returns: The index of the table in the numbers and, for unique names, the count of names.
    static func add(
        _ locales: [String: Int], unique: NamePart?, to texts: inout TextPool, _ numbers: inout [Int64]
    ) -> (place: Int, count: UInt64) {
        let place = numbers.count
        // Names are compared by bytes, so that the result does not depend on a version of Unicode.
        var known: Set<[UInt8]> = []
        var rows: [[Int64]] = []
        var weights: Int64 = 0
        var names: Int64 = 0
        for list in NameLists.all {
            guard let weight = locales[list.code], weight > 0 else { continue }
            var (given, family) = (list.givenNames, list.familyNames)
            switch unique {
            case .given: given = given.filter { known.insert(Array($0.utf8)).inserted }
            // Full names are unique if no two locales have the same family name.
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

    /// Returns the index of the locale that random bits select.
    @inline(__always)
    static func locale(_ bits: UInt64, table: Int, numbers: UnsafeBufferPointer<Int64>) -> Int {
        let last = table + 1 + (Int(numbers[table]) - 1) * width
        let place = Int64(RowBits.value(bits, below: UInt64(numbers[last])))
        var row = table + 1
        while place >= numbers[row] { row += width }
        return row
    }

    /// Returns the name of a locale that random bits select.
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

    /// Returns the name with a number in a table of unique names.
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
