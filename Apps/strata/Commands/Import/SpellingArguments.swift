import StrataInterchange
import StrataPersistence

/// The options of imports and validations for the spelling of values and the maximum size of a record.
struct SpellingArguments {
    private static let group = "Spellings of values"

    static let options: [OptionSpecification] = [
        .option(
            "date-format", placeholder: "[COLUMN=]PATTERN",
            help: "Read dates in the format PATTERN, as in %d.%m.%Y (default: ISO 8601).",
            details:
                "PATTERN has the letters of strptime, as in %m/%d/%y or \"%b %d %Y %I:%M %p\". A text before the first "
                + "= is a column if the file has a column of this name.",
            isRepeatable: true, group: group),
        .option(
            "decimal", placeholder: "[COLUMN=]CHAR",
            help: "Read CHAR as the decimal separator (default: a point).",
            isRepeatable: true, group: group),
        .option(
            "group", placeholder: "[COLUMN=]CHAR",
            help: "Read CHAR as the group separator, as in 2,192,098 (default: none).",
            isRepeatable: true, group: group),
        .option(
            "true", placeholder: "[COLUMN=]WORD", help: "Read WORD as true (default: true, yes and 1).",
            isRepeatable: true, group: group),
        .option(
            "false", placeholder: "[COLUMN=]WORD", help: "Read WORD as false (default: false, no and 0).",
            isRepeatable: true, group: group),
        .flag(
            "round-dates",
            "Round dates that have too many digits (default: an error).",
            details:
                "Such a date has more digits of a second than a date stores. The count of rounded dates is reported.",
            group: group),
    ]

    static let sizeOption = OptionSpecification.option(
        "max-record", placeholder: "SIZE",
        help: "Limit the values of a record to SIZE bytes, as in 100M (default: 16M).",
        details:
            "All values of a record count together, in any spelling. SIZE is a number of bytes, or of K, M or G; the "
            + "maximum is 128M."
    )

    private let spellings: [SpellingOption]
    private let roundsDates: Bool
    private let maximumRecordBytes: Int?

    /// Parses the options; only the header of the file determines which of them name a column.
    init(_ arguments: ParsedArguments) throws {
        var spellings: [SpellingOption] = []
        for kind in SpellingOption.Kind.allCases {
            for text in arguments.allValues(kind.rawValue) {
                let option: SpellingOption
                do throws(InterchangeError) {
                    option = try SpellingOption(kind, text)
                } catch {
                    throw arguments.usageError("option --\(kind.rawValue): \(error.message)")
                }
                // Words for true and false can be given several times.
                let isWord = kind == .trueWord || kind == .falseWord
                if let column = option.column, !isWord,
                    spellings.contains(where: { $0.kind == kind && $0.column == column })
                {
                    throw arguments.usageError("option --\(kind.rawValue): the column \"\(column)\" is given twice")
                }
                spellings.append(option)
            }
        }
        let general = { (kind: SpellingOption.Kind) in
            spellings.filter { $0.kind == kind && $0.column == nil }.map(\.text)
        }
        if let sign = general(.decimal).first(where: { general(.group).contains($0) }) {
            throw arguments.usageError("--decimal and --group are the same character, \(sign)")
        }
        for kind in [SpellingOption.Kind.decimal, .group] where general(kind).count > 1 {
            throw arguments.usageError("option --\(kind.rawValue) is given twice for all columns")
        }
        self.spellings = spellings
        roundsDates = arguments.has("round-dates")
        maximumRecordBytes = try arguments.size("max-record", in: 1...128 << 20, bounds: "1 to 128M")
    }

    /// Applies the options to the reading of a dataset.
    func apply(to reading: inout ReadingOptions) {
        reading.spellingOptions = spellings
        reading.roundsDates = roundsDates
        if let maximumRecordBytes { reading.maximumRecordBytes = maximumRecordBytes }
    }

    /// Throws an error if an option for all columns applies to no column of any dataset.
    ///
    /// The check uses the columns of the entities; the reader checks later whether the file has them.
    func check(_ sources: [ImportSource], in model: ManagedObjectModel, _ arguments: ParsedArguments) throws(UsageError)
    {
        let names = Self.names(sources, in: model).reduce(into: Set<String>()) { $0.formUnion($1) }
        let entities = model.entities.filter { entity in sources.contains { $0.entity == entity.name } }
        // A join table contains integers, and so do identifiers.
        let types = entities.flatMap { $0.columns.map(\.type) } + [.integer64]
        for option in spellings {
            guard option.column.map({ !names.contains(NameMatching.folded($0)) }) ?? true,
                let problem = option.problem(ofAll: types)
            else { continue }
            throw arguments.usageError("option --\(option.kind.rawValue): \(problem)")
        }
    }

    private static func names(_ sources: [ImportSource], in model: ManagedObjectModel) -> [Set<String>] {
        sources.map { source in
            let entity = model.entities.first { $0.name == source.entity }
            let columns = (entity.map(model.datasetColumns(of:)) ?? []) + (source.reading?.mapping ?? [:]).keys
            return Set(columns.map(NameMatching.folded))
        }
    }

    /// Removes from each dataset the options that name a column of another dataset only.
    ///
    /// Otherwise such an option would be read as a date format that begins with a column name.
    static func distribute(_ sources: inout [ImportSource], in model: ManagedObjectModel) {
        let names = names(sources, in: model)
        for index in sources.indices {
            let others = names.indices.filter { $0 != index }.reduce(into: Set<String>()) { $0.formUnion(names[$1]) }
            sources[index].reading?.spellingOptions.removeAll { option in
                guard let column = option.column.map(NameMatching.folded) else { return false }
                return !names[index].contains(column) && others.contains(column)
            }
        }
    }
}
