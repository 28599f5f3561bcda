import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata stats`, which prints statistics on the columns of a store or of files.
enum StatsCommand: Command {
    static let specification = CommandSpecification(
        name: "stats",
        summary: "Print statistics on the columns of a store or of files.",
        positionals: [ReadableStore.files],
        options: ownOptions + ReadableStore.options(besides: ownOptions) + Stores.talkOptions,
        examples: [
            "strata stats employees.csv",
            "strata stats --store app.sqlite --entity Employee --format json",
            "strata stats data/ --format csv --output stats.csv",
        ])

    private static let ownOptions: [OptionSpecification] =
        [
            .option(
                "entity", placeholder: "NAME",
                help: "Use the entity NAME, in upper or lower case (default: all entities).", values: .entity),
            .option(
                "frequent", placeholder: "N", help: "Print the N most frequent values (default: 3)."),
        ] + ResultOutput.options

    private static let titles = [
        "column", "type", "rows", "nulls", "distinct", "least", "greatest", "mean", "median", "shortest", "longest",
        "frequent",
    ]
    /// The titles of the columns that contain numbers.
    private static let numbers: Set<String> = ["rows", "nulls", "distinct", "mean", "shortest", "longest"]

    static func run(_ arguments: ParsedArguments) throws {
        let interruption = Interruption()
        let output = try ResultOutput(arguments)
        let frequent = try arguments.integer("frequent", in: 0...1_000) ?? 3
        try ReadableStore.withContainer(arguments, keepsTexts: false) { container in
            let entities =
                try arguments.value("entity") == nil
                ? container.model.entities : [ReadableStore.entity(arguments, in: container.model)]
            // With several entities, each column has the name of its entity.
            let isOne = entities.count == 1
            let columns = ((isOne ? [] : ["entity"]) + titles).map {
                TextTable.Column(title: $0, isNumber: numbers.contains($0))
            }
            try output.write(columns, interruption) { write in
                for entity in entities {
                    let name = entity.external.name ?? entity.name
                    let columns = try EntityColumns(entity, in: container.coordinator.store)
                    for index in columns.names.indices {
                        let values = try columns.statistics(index, frequent: frequent, interruption)
                        try write((isOne ? [] : [.string(name)]) + values)
                    }
                }
            }
        }
    }
}

/// The columns of an entity whose statistics are read: one query for the means of all columns, and one for the groups
/// of equal values of each column.
private struct EntityColumns {
    let names: [String]

    private let store: any PersistentStore
    private let text: PredicateText
    /// The columns as they are written in a query.
    private let written: [String]
    private let kinds: [OperandType.Kind]
    private let rows: Int64
    private let means: [StoredValue]

    init(_ entity: EntityDescription, in store: any PersistentStore) throws {
        self.store = store
        let text = try PredicateText(entity.name, in: store.model, names: .model)
        let columns = store.model.externalColumns(of: entity).filter { column in
            // A list of related objects is no single value.
            if case .list = column.content { false } else { true }
        }
        names = columns.map(\.name)
        // A name in a file may contain characters that no text of a query can contain; names of the model do not.
        let written = columns.map { column in
            column.path.split(separator: ".").map { FileName.written(String($0)) }.joined(separator: ".")
        }
        let kinds = try written.map { try text.selection($0).selection.resolved(in: store.model).resultTypes[0].kind }
        (self.text, self.written, self.kinds) = (text, written, kinds)
        let numbers = written.indices.filter { Self.isNumber(kinds[$0]) }
        var results: [StoredValue] = []
        try store.select(
            text.selection((["count()"] + numbers.map { "avg(\(written[$0]))" }).joined(separator: ", ")).selection
        ) { values in
            results = values
            return .next
        }
        guard case .integer(let rows) = results.first else {
            throw PersistenceError(.corrupt, "the count of rows is no number", entity: entity.name)
        }
        self.rows = rows
        var means = written.map { _ in StoredValue.null }
        for (place, index) in numbers.enumerated() { means[index] = results[place + 1] }
        self.means = means
    }

    private static func isNumber(_ kind: OperandType.Kind) -> Bool { kind.type?.coding.isNumber ?? false }

    /// Returns the statistics of a column in the order of the titles.
    func statistics(_ index: Int, frequent: Int, _ interruption: Interruption) throws -> [StoredValue] {
        let (column, kind) = (written[index], kinds[index])
        var groups = ValueGroups(rows: rows, frequent: frequent)
        try store.select(text.selection("\(column), count()", groupBy: column).selection) { group in
            if interruption.isCancelled() { throw CancellationError() }
            guard case .integer(let count) = group[1] else { return .next }
            groups.add(group[0], count)
            return .next
        }
        let hasMedian = Self.isNumber(kind) || [.date, .day, .timeOfDay].contains(kind)
        return [
            .string(names[index]), .string(kind.type.map { "\($0)" } ?? "null"), .integer(rows), .integer(groups.nulls),
            .integer(groups.distinct), Self.shown(groups.least), Self.shown(groups.greatest), Self.shown(means[index]),
            hasMedian ? Self.shown(groups.median) : .null, groups.shortest.map(StoredValue.integer) ?? .null,
            groups.longest.map(StoredValue.integer) ?? .null, groups.mostFrequent,
        ]
    }

    /// Returns a value as the text that an export would write, because a column of the output has values of all types.
    private static func shown(_ value: StoredValue) -> StoredValue {
        switch value {
        case .null, .string: value
        default: .string(TableCell(value).text)
        }
    }
}

/// The statistics of the values of one column, which are added as groups of equal values in ascending order, null
/// first.
private struct ValueGroups {
    private(set) var nulls: Int64 = 0
    private(set) var distinct: Int64 = 0
    private(set) var least = StoredValue.null
    private(set) var greatest = StoredValue.null
    /// The least and greatest length of the texts or binary values; `nil` if there are none.
    private(set) var shortest: Int64?
    private(set) var longest: Int64?

    private let rows: Int64
    private let frequent: Int
    /// The count of values that were added.
    private var seen: Int64 = 0
    /// The two values in the middle; they are the same value if the count of values is odd.
    private var middle = (StoredValue.null, StoredValue.null)
    /// The most frequent values with their counts, the most frequent first.
    private var top: [(value: StoredValue, count: Int64)] = []

    init(rows: Int64, frequent: Int) { (self.rows, self.frequent) = (rows, frequent) }

    mutating func add(_ value: StoredValue, _ count: Int64) {
        guard value != .null else {
            nulls = count
            return
        }
        let (values, before) = (rows - nulls, seen)
        if before <= (values - 1) / 2 { middle.0 = value }
        if before <= values / 2 { middle.1 = value }
        seen = before + count
        distinct += 1
        if least == .null { least = value }
        greatest = value
        let length: Int? =
            switch value {
            case .string(let text): text.unicodeScalars.count
            case .binary(let bytes): bytes.count
            default: nil
            }
        if let length = length.map(Int64.init) {
            (shortest, longest) = (min(shortest ?? length, length), max(longest ?? length, length))
        }
        if top.count == frequent, top.last.map({ $0.count >= count }) ?? true { return }
        top.insert((value, count), at: top.firstIndex { $0.count < count } ?? top.count)
        if top.count > frequent { top.removeLast() }
    }

    /// The value in the middle of the sorted values; of an even count of numbers, the mean of the two in the middle.
    var median: StoredValue {
        switch middle {
        case (let low, let high) where low == high: low
        case (.integer(let low), .integer(let high)): Self.mean(low, high, scale: 0)
        case (.decimal(let low), .decimal(let high)): Self.mean(low.unscaled, high.unscaled, scale: low.scale)
        case (.double(let low), .double(let high)): .double(low / 2 + high / 2)
        case (let low, _): low
        }
    }

    /// Returns the exact mean of two numbers, or the lower one if the mean does not fit in 64 bits.
    private static func mean(_ low: Int64, _ high: Int64, scale: UInt8) -> StoredValue {
        let sum = Int128(low) + Int128(high)
        if sum % 2 == 0, let half = Int64(exactly: sum / 2) {
            return scale == 0 ? .integer(half) : .decimal(ScaledDecimal(unscaled: half, scale: scale))
        }
        guard scale < ScaledDecimal.maximumScale, let half = Int64(exactly: sum * 5) else {
            return scale == 0 ? .integer(low) : .decimal(ScaledDecimal(unscaled: low, scale: scale))
        }
        return .decimal(ScaledDecimal(unscaled: half, scale: scale + 1))
    }

    /// The most frequent values with their counts, such as `red (12), blue (3)`.
    var mostFrequent: StoredValue {
        if top.isEmpty { return .null }
        return .string(top.map { "\(TableCell($0.value).text) (\($0.count))" }.joined(separator: ", "))
    }
}
