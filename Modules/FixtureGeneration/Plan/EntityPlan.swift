/// A validated plan for generating the rows of an entity; generating a row with a plan cannot fail.
///
/// `PlanCompiler` creates plans. Rows are generated from numbers and texts only, and without other plans: a reference
/// to a row of another entity is computed from that entity's row count. Therefore every row can be generated alone, on
/// any thread.
///
/// The lists are parallel to the entity's fields. Generating a row first borrows the memory of all lists once, so that
/// no reference counts change for each value.
package struct EntityPlan: Sendable {
    /// The entity whose rows are generated.
    package let entity: FixtureEntity
    /// The number of the entity's rows in the description.
    package let count: Int
    /// The key from which the random bits of all rows are derived; see `RowBits`.
    let key: UInt64
    /// The plans of the entity's fields, in the order of the fields.
    let fields: [FieldPlan]
    /// The indices of the fields in the order of generation; a field follows the fields from which it is derived.
    let order: [Int]
    /// The texts of all fields, to which cells refer by number.
    let texts: TextPool
    /// The tables of the draws: cumulative weights, names, grammars, slots and hostile numbers, one after another.
    let numbers: [Int64]
    /// The values that are selected from lists and are not texts.
    let values: [FixtureCell]
    /// The explicit values of fixed rows; `nil` for fields that are generated.
    let fixed: [[FixtureCell?]]
    /// The numbers of values that replace the numbers from the permutation, by row, for each unique field and each
    /// bounded reference that has such numbers.
    ///
    /// A fixed row has the number of its explicit value. The row that would have had this number receives the number
    /// that the fixed row would have had.
    let overrides: [[UInt64: UInt64]]

    /// The maximum length in bytes of one generated text.
    package let longestText: Int

    /// The maximum length in bytes of all texts of a row together.
    package var longestRow: Int {
        entity.fields.reduce(0) { $0 + $1.type.longestText(longestText) }
    }

    /// Returns a Boolean value that indicates whether the values of the field with an index are unique.
    package func isUnique(_ place: Int) -> Bool { fields[place].isUnique }

    /// Generates consecutive rows and passes each row to a closure.
    ///
    /// Several threads can call this method at the same time, because a plan is immutable.
    ///
    /// - Parameters:
    ///   - rows: The numbers of the rows from 0. Numbers beyond ``count`` are allowed if unique fields have enough
    ///     values.
    ///   - body: A closure that receives the number of a row and the row, which is valid until the closure returns.
    /// - Throws: The error of `body`.
    /// - Complexity: O(*n*) in the numbers of rows and fields, and O(log *m*) in the targets of a bounded reference.
    ///   There are no allocations for each row.
    package func makeRows<Failure: Error>(
        _ rows: Range<Int>, _ body: (Int, BorrowedRow) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        withMaker { maker in
            withUnsafeTemporaryAllocation(of: FixtureCell.self, capacity: max(1, fields.count)) { cells in
                cells.initialize(repeating: .null)
                for row in rows {
                    maker.make(row, cells)
                    do throws(Failure) {
                        try body(
                            row,
                            BorrowedRow(
                                cells: UnsafeBufferPointer(cells), texts: maker.texts, numbers: maker.numbers))
                    } catch {
                        failure = error
                        break
                    }
                }
            }
        }
        if let failure { throw failure }
    }

    /// Generates one row in which the caller's values replace generated values, and passes the row to a closure.
    ///
    /// - Parameters:
    ///   - row: The number of the row from 0.
    ///   - given: The caller's values in the order of the fields, with `nil` for generated fields; empty if there are
    ///     none.
    ///   - body: A closure that receives the row, which is valid until the closure returns.
    func makeRow(_ row: Int, with given: [FixtureCell?], _ body: (BorrowedRow) -> Void) {
        withMaker { maker in
            withUnsafeTemporaryAllocation(of: FixtureCell.self, capacity: max(1, fields.count)) { cells in
                cells.initialize(repeating: .null)
                maker.make(row, given: given, cells)
                body(
                    BorrowedRow(
                        cells: UnsafeBufferPointer(cells), texts: maker.texts, numbers: maker.numbers))
            }
        }
    }

    /// Borrows the memory of all lists, and passes a generator that is valid until the closure returns.
    private func withMaker(_ body: (RowMaker) -> Void) {
        fields.withUnsafeBufferPointer { fields in
            order.withUnsafeBufferPointer { order in
                numbers.withUnsafeBufferPointer { numbers in
                    texts.bytes.withUnsafeBufferPointer { bytes in
                        texts.ends.withUnsafeBufferPointer { ends in
                            NormalQuantiles.table.withUnsafeBufferPointer { normal in
                                PowersOfTwo.table.withUnsafeBufferPointer { powers in
                                    values.withUnsafeBufferPointer { values in
                                        body(
                                            RowMaker(
                                                plan: self, fields: fields, order: order, numbers: numbers,
                                                values: values, texts: BorrowedTexts(bytes: bytes, ends: ends),
                                                normal: normal, powers: powers))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A generator of single rows that reads the plan's lists from borrowed memory.
///
/// The order of the checks for one field is part of the dataset: null, then a hostile value, then a unique value, then
/// a drawn value.
private struct RowMaker {
    let plan: EntityPlan
    let fields: UnsafeBufferPointer<FieldPlan>
    let order: UnsafeBufferPointer<Int>
    let numbers: UnsafeBufferPointer<Int64>
    let values: UnsafeBufferPointer<FixtureCell>
    let texts: BorrowedTexts
    let normal: UnsafeBufferPointer<Int32>
    let powers: UnsafeBufferPointer<UInt64>

    func make(_ row: Int, _ cells: UnsafeMutableBufferPointer<FixtureCell>) {
        let bits = RowBits(key: plan.key, index: UInt64(row))
        if row < plan.fixed.count { return make(row, given: [], cells) }
        for place in order { cells[place] = value(place, row: row, bits: bits, cells: cells) }
    }

    /// Generates a row; values that are passed in `given` or that are fixed replace generated values.
    func make(_ row: Int, given: [FixtureCell?], _ cells: UnsafeMutableBufferPointer<FixtureCell>) {
        let bits = RowBits(key: plan.key, index: UInt64(row))
        for place in order {
            let given = given.isEmpty ? nil : given[place]
            let fixed = row < plan.fixed.count ? plan.fixed[row][place] : nil
            cells[place] = given ?? fixed ?? value(place, row: row, bits: bits, cells: cells)
        }
    }

    @inline(__always)
    private func value(
        _ place: Int, row: Int, bits: RowBits, cells: UnsafeMutableBufferPointer<FixtureCell>
    ) -> FixtureCell {
        let field = fields.baseAddress.unsafelyUnwrapped + place
        if field.pointee.nullThreshold > 0, bits.bits(field.pointee.nullAddress) < field.pointee.nullThreshold {
            return .null
        }
        if field.pointee.hostileThreshold > 0, bits.bits(field.pointee.hostileAddress) < field.pointee.hostileThreshold,
            let value = hostile(field.pointee.hostile, bits.bits(field.pointee.hostileValueAddress))
        {
            return value
        }
        if field.pointee.permutation != nil {
            return field.pointee.draw.value(rank: rank(field.pointee, UInt64(row)), numbers, values)
        }
        return drawn(field, place, row: bits, index: row, cells: cells)
    }

    @inline(__always)
    private func drawn(
        _ field: UnsafePointer<FieldPlan>, _ place: Int, row: RowBits, index: Int,
        cells: UnsafeMutableBufferPointer<FixtureCell>
    ) -> FixtureCell {
        let bits = row.bits(field.pointee.address)
        switch field.pointee.draw {
        case .uniform(let least, let count, let step):
            return .integer(least &+ Int64(bitPattern: RowBits.value(bits, below: count)) &* step)
        case .quantity(let quantity): return .integer(quantity.value(bits, normal: normal, powers: powers))
        case .instants(let first, let count, let step):
            return .date(seconds: first + Int64(RowBits.value(bits, below: count)) * step, nanoseconds: 0)
        case .weightedDays(let days): return .date(seconds: days.day(bits) * CivilDay.secondsInDay, nanoseconds: 0)
        case .weightedSeconds(let days, let step):
            let steps = RowBits.value(RowBits.mixed(bits), below: UInt64(CivilDay.secondsInDay / step))
            return .date(seconds: days.day(bits) * CivilDay.secondsInDay + Int64(steps) * step, nanoseconds: 0)
        case .texts(let range): return .text(range.first + Int32(RowBits.value(bits, below: UInt64(range.count))))
        case .weightedTexts(let range, let sums):
            return .text(range.first + Int32(weighted(bits, count: Int(range.count), sums: sums)))
        case .pairs(let first, let second):
            return .pair(
                first.first + Int32(RowBits.value(bits, below: UInt64(first.count))),
                second.first + Int32(RowBits.value(RowBits.mixed(bits), below: UInt64(second.count))))
        case .names(let table, let part):
            return NameTable.name(
                bits, part: part, locale: NameTable.locale(row.bits(NameTable.address), table: table, numbers: numbers),
                numbers: numbers)
        case .uuid(let key):
            let number = field.pointee.overrides < 0 ? UInt64(index) : rank(field.pointee, UInt64(index))
            return UniqueIdentifier.cell(key: key, number: number, bits)
        case .color: return .color(UInt32(truncatingIfNeeded: bits >> 40))
        case .chance(let threshold): return .boolean(bits < threshold)
        case .markup(let over, let least, let count):
            return markup(cells[over], least + RowBits.value(bits, below: count))
        case .reference(let count): return .integer(Int64(RowBits.value(bits, below: count)) + 1)
        case .grammar(let place, let count): return .made(grammar: place, number: RowBits.value(bits, below: count))
        case .bytes(let least, let lengths):
            return .bytes(
                number: bits, count: least + Int32(RowBits.value(RowBits.mixed(bits), below: lengths)))
        case .values(let first, let count): return values[first + Int(RowBits.value(bits, below: count))]
        case .weightedValues(let first, let count, let sums):
            return values[first + weighted(bits, count: count, sums: sums)]
        case .later(let over, let count, let step, let end):
            return later(cells[over], RowBits.value(bits, below: count), step: step, end: end)
        case .earlier:
            // If the reference is mandatory, the first row references itself.
            guard index > 0 else { return plan.entity.fields[place].isOptional ? .null : .integer(1) }
            return .integer(Int64(RowBits.value(bits, below: UInt64(index))) + 1)
        case .code(let prefix, let digits, let count):
            return .code(prefix: prefix, number: RowBits.value(bits, below: count), digits: digits)
        case .allNames, .slots: return .null
        }
    }

    /// Returns the index of the weighted value that random bits select.
    private func weighted(_ bits: UInt64, count: Int, sums: Int) -> Int {
        let total = UInt64(numbers[sums + count - 1])
        let place = Int64(RowBits.value(bits, below: total))
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if numbers[sums + middle] > place { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns a number increased by a percentage of its magnitude and by 1, limited to the maximum integer.
    private func markup(_ cell: FixtureCell, _ percent: UInt64) -> FixtureCell {
        guard case .integer(let number) = cell else { return .null }
        let (hundreds, rest) = number.magnitude.quotientAndRemainder(dividingBy: 100)
        let (product, overflow) = hundreds.multipliedReportingOverflow(by: percent)
        guard !overflow else { return .integer(Int64.max) }
        return .integer(Int64(clamping: Int128(number) + Int128(product) + Int128(rest * percent / 100) + 1))
    }

    /// Returns a date that is a number of steps after another date.
    ///
    /// If the other date is before the end, the result is before the end too.
    private func later(_ cell: FixtureCell, _ steps: UInt64, step: Int64, end: Int64) -> FixtureCell {
        guard case .date(let seconds, let nanoseconds) = cell else { return .null }
        let latest = max(0, end - seconds - 1) / step
        return .date(seconds: seconds + min(Int64(steps), latest) * step, nanoseconds: nanoseconds)
    }

    private func hostile(_ source: FieldPlan.Hostile, _ bits: UInt64) -> FixtureCell? {
        switch source {
        case .none: return nil
        case .texts(let range): return .text(range.first + Int32(RowBits.value(bits, below: UInt64(range.count))))
        case .integers(let first, let count):
            return .integer(numbers[first + Int(RowBits.value(bits, below: UInt64(count)))])
        case .dates(let first, let count):
            let place = first + 2 * Int(RowBits.value(bits, below: UInt64(count)))
            return .date(seconds: numbers[place], nanoseconds: Int32(truncatingIfNeeded: numbers[place + 1]))
        }
    }

    // MARK: - Values by number

    /// Returns the number of the unique value of a row.
    ///
    /// Overrides have priority. Rows beyond the permutation have their own number; `check` rejects such rows, except
    /// for UUIDs.
    private func rank(_ field: FieldPlan, _ row: UInt64) -> UInt64 {
        if field.overrides >= 0, let rank = plan.overrides[field.overrides][row] { return rank }
        guard let permutation = field.permutation, row < permutation.count else { return row }
        let rank = permutation(row)
        return field.part.modulus == 0 ? rank : rank / field.part.divisor % field.part.modulus
    }
}
