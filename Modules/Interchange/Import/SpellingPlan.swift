import StrataCore

/// The spellings of the columns in one file, found by matching the reading options with the names in the file.
///
/// Spellings come from four places. In ascending precedence, these are the model, the options for all columns, the
/// options for single columns, and the options of a command line that name a column.
struct SpellingPlan {
    /// For each column of the entity, the way in which its values are read; `nil` for the default spelling.
    private(set) var values: [SpelledValue?]
    /// The spelling in which identifiers are read; `nil` for the default spelling.
    private(set) var id: NumberSpelling?
    /// All problems of the options that set spellings.
    private(set) var problems: [String] = []

    private let plan: ColumnPlan
    /// A Boolean value that indicates whether the file has all of the columns.
    ///
    /// If it is `true`, a problem with one of them is an error of the file.
    private let isCertain: Bool
    private var general: ValueSpelling
    /// The spellings of single columns.
    private var own: [(name: String, spelling: ValueSpelling)] = []

    /// Matches the options that set spellings with the columns of a file.
    ///
    /// - Parameters:
    ///   - reading: The options.
    ///   - plan: The entity's columns.
    ///   - columns: The names in the file, with their targets; for a document the names that it may have.
    ///   - isCertain: A Boolean value that indicates whether the file has all of them. If it is `false`, a general
    ///     option that does not fit one column is an error of the column's values.
    init(
        _ reading: ReadingOptions, plan: ColumnPlan, columns: [(name: String, target: ColumnPlan.Target)],
        isCertain: Bool
    ) {
        self.plan = plan
        self.isCertain = isCertain
        general = reading.spelling
        values = Array(repeating: nil, count: plan.entity.columns.count)
        guard plan.isSpelled(reading) else { return }
        let names = Set(columns.map { NameMatching.folded($0.name) })
        own = reading.columnSpellings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for name in own.map(\.name) where !names.contains(NameMatching.folded(name)) { note(missing: name, columns) }
        for option in reading.spellingOptions {
            let isColumn = option.column.map { names.contains(NameMatching.folded($0)) } ?? false
            if isColumn, let name = option.column, let spelling = option.ofColumn {
                add(spelling, of: name, option)
            } else if !isColumn, let spelling = option.ofAll {
                general = combined(general, spelling, option)
            } else if let name = option.column, !isColumn {
                note(missing: name, columns)
            } else {
                problems.append("\(PrintableText.quoted(option.text)) is not a \(option.kind.name) for a column")
            }
        }
        for (name, target) in columns { resolve(name, target) }
    }

    /// Adds a problem for an option whose column does not exist.
    private mutating func note(missing name: String, _ columns: [(name: String, target: ColumnPlan.Target)]) {
        let nearest =
            NameMatching.nearest(to: name, among: columns.map(\.name))
            .map { " (did you mean \"\($0)\"?)" } ?? ""
        problems.append("there is no column \(PrintableText.quoted(name)) for this option\(nearest)")
    }

    private mutating func add(_ spelling: ValueSpelling, of name: String, _ option: SpellingOption) {
        if let index = own.firstIndex(where: { NameMatching.folded($0.name) == NameMatching.folded(name) }) {
            own[index].spelling = combined(own[index].spelling, spelling, option)
        } else {
            own.append((name, spelling))
        }
    }

    /// Adds the spelling of an option; a second format or separator is a problem, a second word is added.
    private mutating func combined(
        _ spelling: ValueSpelling, _ more: ValueSpelling, _ option: SpellingOption
    ) -> ValueSpelling {
        let isTwice =
            spelling.dateFormat != nil && more.dateFormat != nil || spelling.timeFormat != nil && more.timeFormat != nil
            || spelling.decimal != nil && more.decimal != nil || spelling.group != nil && more.group != nil
        if isTwice {
            problems.append(
                "the \(option.kind.name) \(PrintableText.quoted(option.text)) is given a second time")
        }
        return spelling.adding(more)
    }

    /// Determines how the values of a column with a target are read.
    private mutating func resolve(_ name: String, _ target: ColumnPlan.Target) {
        let said = own.first { NameMatching.folded($0.name) == NameMatching.folded(name) }?.spelling
        let spelling = said.map { general.overridden(by: $0) } ?? general
        let column = "column \(PrintableText.quoted(name))"
        switch target {
        case .ignored: return
        case .id:
            check(said, fits: .integer64, column)
            id = number(spelling, isWhole: true, column)
        case .column(let index):
            let type = plan.entity.columns[index].type
            check(said, fits: type, column)
            let ofModel = plan.spellings.indices.contains(index) ? plan.spellings[index] : nil
            values[index] = value(ofModel?.overridden(by: spelling) ?? spelling, type, column)
        }
    }

    /// Adds a problem for each part of a column's spelling that does not fit the column's type.
    private mutating func check(_ said: ValueSpelling?, fits type: AttributeType, _ column: String) {
        guard let said else { return }
        let fitting: Set<SpellingOption.Kind> =
            switch type {
            case .integer16, .integer32, .integer64, .double, .decimal: [.decimal, .group]
            case .date, .day, .timeOfDay: [.dateFormat]
            case .boolean: [.trueWord, .falseWord]
            default: []
            }
        let isSaid: [(SpellingOption.Kind, Bool)] = [
            (.dateFormat, said.dateFormat != nil || said.timeFormat != nil), (.decimal, said.decimal != nil),
            (.group, said.group != nil), (.trueWord, !said.trueWords.isEmpty), (.falseWord, !said.falseWords.isEmpty),
        ]
        for (kind, isSaid) in isSaid where isSaid && !fitting.contains(kind) {
            problems.append("\(column) contains values of type \(type), which have no \(kind.name)")
        }
        if type == .timeOfDay, let format = said.dateFormat {
            problems.append(
                "\(column) contains times of day, but the format \(PrintableText.quoted(format.text)) has a day")
        }
        if type == .day, let format = said.dateFormat, format.hasZone {
            problems.append("\(column) contains days, but the format \(PrintableText.quoted(format.text)) has a zone")
        }
        if type == .date || type == .day, let format = said.timeFormat {
            problems.append("\(column) contains dates, but the format \(PrintableText.quoted(format.text)) has no day")
        }
    }

    private mutating func value(_ spelling: ValueSpelling, _ type: AttributeType, _ column: String) -> SpelledValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            return number(spelling, isWhole: true, column).map(SpelledValue.whole)
        case .double, .decimal: return number(spelling, isWhole: false, column).map { .number($0, type.coding) }
        case .date: return spelling.dateFormat.map(SpelledValue.date)
        case .day:
            return spelling.dateFormat.map(SpelledValue.day)
        case .timeOfDay: return spelling.timeFormat.map(SpelledValue.time)
        case .boolean:
            let words = BooleanSpelling(trueWords: spelling.trueWords, falseWords: spelling.falseWords)
            if let both = words.trueWords.first(where: { words.falseWords.contains($0) }) {
                problems.append("\(column): \(PrintableText.quoted(both)) is both true and false")
            }
            return words == BooleanSpelling() ? nil : .boolean(words)
        default: return nil
        }
    }

    private mutating func number(_ spelling: ValueSpelling, isWhole: Bool, _ column: String) -> NumberSpelling? {
        guard spelling.decimal != nil || spelling.group != nil else { return nil }
        let decimal = spelling.decimal ?? (isWhole && spelling.group == .point ? nil : .point)
        if isCertain, let decimal, decimal == spelling.group {
            problems.append("\(column): \(PrintableText.quoted(decimal.text)) is both the decimal and the group sign")
        }
        return NumberSpelling(decimal: decimal, group: spelling.group)
    }
}
