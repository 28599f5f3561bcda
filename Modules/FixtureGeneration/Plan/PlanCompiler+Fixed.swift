extension PlanCompiler {
    /// The values of fixed rows; unique fields and bounded references are arranged around them.
    mutating func fixedRows(_ fields: inout [FieldPlan]) throws(FixtureError) -> [[FixtureCell?]] {
        guard !fixtures.fixed.isEmpty else { return [] }
        var rows = Array(repeating: [FixtureCell?](repeating: nil, count: fields.count), count: fixtures.fixed.count)
        for (place, field) in entity.fields.enumerated() {
            do throws(FixtureError) {
                try fix(field, place, fields[place], &rows)
            } catch {
                throw located(error, field)
            }
        }
        return rows
    }

    private mutating func fix(
        _ field: FixtureField, _ place: Int, _ plan: FieldPlan, _ rows: inout [[FixtureCell?]]
    ) throws(FixtureError) {
        var ranks = RankTable(plan.permutation)
        var seen: Set<FixtureValue> = []
        var lookup: RankLookup?
        for (row, values) in fixtures.fixed.enumerated() {
            guard let value = values[field.name] else { continue }
            let cell: FixtureCell
            switch try FixedCell(value, field) {
            case .text(let text): cell = .text(texts.add(text))
            case .cell(let known): cell = known
            }
            try checkTarget(cell, field)
            rows[row][place] = cell
            if case .slots(let starts, let targets, let referring) = plan.draw {
                let slot = try freeSlot(cell, starts, targets, referring, ranks)
                ranks.assign(slot, to: UInt64(row))
            } else if fixtures.attributes[field.name]?.isUnique ?? field.isUnique, value != .null {
                guard seen.insert(value).inserted else {
                    throw FixtureError(.unsatisfiable, "two fixed rows have the same value, and it is unique")
                }
                guard plan.permutation != nil else { continue }
                if lookup == nil { lookup = RankLookup(plan.draw, texts, numbers) }
                if let rank = lookup?.rank(of: cell, value) { ranks.assign(rank, to: UInt64(row)) }
            }
        }
        if plan.overrides >= 0 { overrides[plan.overrides] = ranks.overrides }
    }

    private func checkTarget(_ cell: FixtureCell, _ field: FixtureField) throws(FixtureError) {
        guard case .reference(let target) = field.type, case .integer(let id) = cell else { return }
        let targets = description.entities[target]?.count ?? 0
        guard id <= targets else {
            throw FixtureError(
                .unsatisfiable, "a fixed row refers to \(target) \(id), and there are \(targets) \(target) rows")
        }
    }

    /// A slot of the target that a fixed row refers to, which no other fixed row has.
    private func freeSlot(
        _ cell: FixtureCell, _ starts: Int, _ targets: Int, _ referring: UInt64, _ ranks: RankTable
    ) throws(FixtureError) -> UInt64 {
        var slots = referring..<UInt64(fixtures.count)
        if case .integer(let id) = cell {
            let first = starts + Int(id) - 1
            slots = UInt64(numbers[first])..<UInt64(numbers[first + 1])
        }
        guard let slot = slots.first(where: { !ranks.isTaken($0) }) else {
            throw FixtureError(
                .unsatisfiable, "more fixed rows refer to one, or to none, than \"perTarget\" and \"without\" allow")
        }
        return slot
    }
}

/// Which row has which value's number, where fixed rows have taken some out of their order.
struct RankTable {
    private let permutation: Permutation?
    /// The numbers of rows that the permutation does not say.
    private(set) var overrides: [UInt64: UInt64] = [:]
    private var rows: [UInt64: UInt64] = [:]
    private var taken: Set<UInt64> = []

    init(_ permutation: Permutation?) { self.permutation = permutation }

    /// Whether a fixed row has a number.
    func isTaken(_ rank: UInt64) -> Bool { taken.contains(rank) }

    /// Gives a fixed row a number; the row that had it gets the fixed row's.
    mutating func assign(_ rank: UInt64, to row: UInt64) {
        guard let permutation else { return }
        let owner = rows[rank] ?? permutation.inverse(rank)
        let given = overrides[row] ?? permutation(row)
        overrides[row] = rank
        rows[rank] = row
        overrides[owner] = owner == row ? rank : given
        rows[owner == row ? rank : given] = owner
        taken.insert(rank)
    }
}

/// Finds the number of a value among all that a unique field can have.
struct RankLookup {
    private let draw: Draw
    private let count: UInt64
    private let prefix: String
    private let cells: [[UInt8]: UInt64]

    init(_ draw: Draw, _ texts: TextPool, _ numbers: [Int64]) {
        self.draw = draw
        let count = draw.valueCount(numbers) ?? 0
        self.count = count
        prefix = if case .code(let prefix, _, _) = draw { texts[prefix] } else { "" }
        var cells: [[UInt8]: UInt64] = [:]
        if draw.isOfTexts {
            numbers.withUnsafeBufferPointer { numbers in
                for rank in 0..<count {
                    switch draw.value(rank: rank, numbers) {
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

    /// The number of a value; `nil` where the field never draws it, so that no row has it but the fixed one.
    func rank(of cell: FixtureCell, _ value: FixtureValue) -> UInt64? {
        switch (draw, cell) {
        case (.uniform(let least, _, let step), .integer(let number)): return steps(number, least, step)
        case (.reference, .integer(let id)): return steps(id, 1, 1)
        case (.instants(let first, _, let step), .date(let seconds, _)): return steps(seconds, first, step)
        case (.color, .color(let color)): return UInt64(color)
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

    private func steps(_ number: Int64, _ least: Int64, _ step: Int64) -> UInt64? {
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
