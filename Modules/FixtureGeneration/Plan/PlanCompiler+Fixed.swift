extension PlanCompiler {
    /// Returns the values of fixed rows; in unique fields and bounded references, other rows exchange values with them.
    mutating func fixedRows(_ fields: inout [FieldPlan]) throws(FixtureError) -> [[FixtureCell?]] {
        guard !fixtures.fixed.isEmpty else { return [] }
        var rows = Array(repeating: [FixtureCell?](repeating: nil, count: fields.count), count: fixtures.fixed.count)
        for (place, field) in entity.fields.enumerated() {
            do throws(FixtureError) {
                try fix(field, place: place, into: &fields[place], rows: &rows)
            } catch {
                throw located(error, field)
            }
        }
        return rows
    }

    private mutating func fix(
        _ field: FixtureField, place: Int, into plan: inout FieldPlan, rows: inout [[FixtureCell?]]
    ) throws(FixtureError) {
        var ranks = RankTable(plan.permutation, plan.draw)
        var seen: Set<[UInt8]> = []
        var taken: [UInt64: UInt64] = [:]
        var lookup: RankLookup?
        let isUnique = isUnique(field)
        for (row, values) in fixtures.fixed.enumerated() {
            guard let value = values[field.name] else {
                try checkMarkup(plan.draw, values: values, field: field)
                continue
            }
            let cell: FixtureCell
            switch try FixedCell(value, field) {
            case .text(let text): cell = .text(texts.add(text))
            case .bytes(let bytes): cell = .text(texts.add(bytes: bytes))
            case .cell(let known): cell = known
            }
            try checkTarget(cell, field)
            rows[row][place] = cell
            if case .slots(let starts, _, let referring) = plan.draw {
                // Fixed rows use the first slots of a target, or the first slots without a target.
                var slots = referring
                if case .integer(let id) = cell { slots = UInt64(numbers[starts + Int(id) - 1]) }
                ranks.assign(slots + taken[slots, default: 0], to: UInt64(row))
                taken[slots, default: 0] += 1
            } else if isUnique, cell != .null {
                guard seen.insert(identity(cell)).inserted else {
                    throw FixtureError(
                        .unsatisfiable, "two fixed rows have the same value, but the attribute is unique")
                }
                if lookup == nil {
                    lookup = RankLookup(
                        plan.draw, texts: texts, numbers: numbers, values: self.values,
                        drawn: drawnNumbers(plan, fixed: field.name))
                }
                if let rank = lookup?.rank(of: cell, value) { ranks.assign(rank, to: UInt64(row)) }
            }
        }
        guard !ranks.overrides.isEmpty else { return }
        plan.overrides = overrides.count
        overrides.append(ranks.overrides)
    }

    /// Returns the numbers of those fixed texts that generated rows also use, by text, if the text does not determine
    /// its number.
    private func drawnNumbers(_ plan: FieldPlan, fixed name: String) -> [[UInt8]: UInt64] {
        guard case .grammar(let place, _) = plan.draw, let permutation = plan.permutation else { return [:] }
        var fixed: Set<[UInt8]> = []
        for case .text(let text) in fixtures.fixed.compactMap({ $0[name] }) { fixed.insert(Array(text.utf8)) }
        var drawn: [[UInt8]: UInt64] = [:]
        for row in 0..<UInt64(fixtures.count) {
            let number = permutation(row)
            let text = GrammarTable.text(number, at: Int(place), numbers: numbers, texts: texts)
            if fixed.contains(text) { drawn[text] = number }
        }
        return drawn
    }

    /// Returns bytes that identify a value; texts are compared by bytes, independent of the version of Unicode.
    private func identity(_ cell: FixtureCell) -> [UInt8] {
        if case .text(let number) = cell { return texts.utf8(number) }
        return Array("\(cell)".utf8)
    }

    private func checkMarkup(
        _ draw: Draw, values: [String: FixtureValue], field: FixtureField
    ) throws(FixtureError) {
        guard let over = draw.over, !field.isOptional else { return }
        let base = entity.fields[over].name
        guard values[base] == .null else { return }
        throw FixtureError(
            .unsatisfiable,
            "a fixed row has no \(base), from which this mandatory attribute is calculated; give both values")
    }

    private func checkTarget(_ cell: FixtureCell, _ field: FixtureField) throws(FixtureError) {
        guard case .reference(let target) = field.type, case .integer(let id) = cell else { return }
        let targets = description.entities[target]?.count ?? 0
        guard id <= targets else {
            throw FixtureError(
                .unsatisfiable, "a fixed row refers to \(target) \(id), but there are \(targets) \(target) rows")
        }
    }
}

/// The assignment of value numbers to the rows of a unique field, in which fixed rows exchanged numbers with other
/// rows.
///
/// Each exchange is between two rows, so the numbers of all rows remain a permutation.
struct RankTable {
    private let permutation: Permutation?
    private let isNumbered: Bool
    /// The numbers of those rows whose number is not determined by the permutation, by row.
    private(set) var overrides: [UInt64: UInt64] = [:]
    private var rows: [UInt64: UInt64] = [:]

    /// Creates the assignment of value numbers for a field.
    ///
    /// If there is no permutation, the number of a UUID is the number of its row, and other values have no numbers.
    init(_ permutation: Permutation?, _ draw: Draw) {
        self.permutation = permutation
        isNumbered = if case .uuid = draw { true } else { permutation != nil }
    }

    /// Assigns a value number to a fixed row; the row that had this number receives the previous number of the fixed
    /// row.
    mutating func assign(_ rank: UInt64, to row: UInt64) {
        guard isNumbered else { return }
        let owner = rows[rank] ?? permutation?.inverse(rank) ?? rank
        let given = overrides[row] ?? permutation.map { $0(row) } ?? row
        put(given, owner)
        put(rank, row)
    }

    private mutating func put(_ rank: UInt64, _ row: UInt64) {
        overrides[row] = rank
        rows[rank] = row
    }
}

/// A lookup that finds the number of a value among all values of a unique field.
struct RankLookup {
    private let draw: Draw
    private let count: UInt64
    private let prefix: String
    private let cells: [[UInt8]: UInt64]
    private let values: [FixtureCell]

    init(_ draw: Draw, texts: TextPool, numbers: [Int64], values: [FixtureCell], drawn: [[UInt8]: UInt64]) {
        self.draw = draw
        let count = draw.valueCount(numbers) ?? 0
        self.count = count
        prefix = if case .code(let prefix, _, _) = draw { texts[prefix] } else { "" }
        self.values =
            if case .values(let first, let count) = draw { Array(values[first..<first + Int(count)]) } else { [] }
        var cells = drawn
        if draw.isOfTexts {
            let noValues = UnsafeBufferPointer<FixtureCell>(start: nil, count: 0)
            numbers.withUnsafeBufferPointer { numbers in
                for rank in 0..<count {
                    switch draw.value(rank: rank, numbers, noValues) {
                    case .text(let number): cells[Array(texts[number].utf8)] = rank
                    case .pair(let first, let second):
                        cells[Array("\(texts[first]) \(texts[second])".utf8)] = rank
                    default: break
                    }
                }
            }
        }
        self.cells = cells
    }

    /// Returns the number of a value, or `nil` if the field never draws the value, so that only the fixed row has it.
    func rank(of cell: FixtureCell, _ value: FixtureValue) -> UInt64? {
        switch (draw, cell) {
        case (.uniform(let least, _, let step), .integer(let number)): return steps(number, least: least, step: step)
        case (.reference, .integer(let id)): return steps(id, least: 1, step: 1)
        case (.instants(let first, _, let step), .date(let seconds, _)): return steps(seconds, least: first, step: step)
        case (.color, .color(let color)): return UInt64(color)
        case (.values, _): return values.firstIndex(of: cell).map(UInt64.init)
        case (.chance, .boolean(let isTrue)): return isTrue ? 1 : 0
        case (.uuid(let key), .uuid(let upper, let lower)): return UniqueIdentifier.number(key: key, upper, lower)
        case (.code(_, let digits, _), _):
            guard case .text(let text) = value, text.utf8.starts(with: prefix.utf8) else { return nil }
            let rest = text.utf8.dropFirst(prefix.utf8.count)
            guard rest.count == Int(digits), rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return UInt64(String(decoding: rest, as: UTF8.self))
        default:
            guard case .text(let text) = value else { return nil }
            return cells[Array(text.utf8)]
        }
    }

    private func steps(_ number: Int64, least: Int64, step: Int64) -> UInt64? {
        guard number >= least else { return nil }
        let (steps, rest) = UInt64(bitPattern: number &- least).quotientAndRemainder(dividingBy: UInt64(step))
        return rest == 0 && steps < count ? steps : nil
    }
}

extension Draw {
    fileprivate var isOfTexts: Bool {
        switch self {
        case .texts, .pairs, .allNames: true
        default: false
        }
    }
}
