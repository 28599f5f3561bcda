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
                    for column in container.model.externalColumns(of: entity) {
                        if interruption.isCancelled() { throw CancellationError() }
                        // A list of related objects is no single value.
                        if case .list = column.content { continue }
                        let statistics = try ColumnStatistics(
                            column, of: entity, in: container.coordinator.store, frequent: frequent)
                        try write((isOne ? [] : [.string(name)]) + statistics.values)
                    }
                }
            }
        }
    }
}

/// The statistics of one column, read by a few queries.
private struct ColumnStatistics {
    /// The values in the order of the titles.
    private(set) var values: [StoredValue]

    private let store: any PersistentStore
    private let text: PredicateText
    /// The column as it is written in a query.
    private let written: String

    init(_ column: ExternalColumn, of entity: EntityDescription, in store: any PersistentStore, frequent: Int) throws {
        self.store = store
        text = try PredicateText(entity.name, in: store.model, names: .model)
        // A name in a file may contain characters that no text of a query can contain; names of the model do not.
        written = column.path.split(separator: ".").map { FileName.written(String($0)) }.joined(separator: ".")
        values = []
        let type = try text.selection(written).selection.resolved(in: store.model).resultTypes[0].kind
        let isNumber = type.type?.coding.isNumber ?? false
        let (hasLength, hasMedian) = (type == .string || type == .binary, isNumber || Self.isOrdered(type))
        let all = try first("count(), count(distinct \(written)), min(\(written)), max(\(written))")
        let nulls = try first("count()", where: "\(written) is null")[0]
        guard case .integer(let rows) = all[0], case .integer(let missing) = nulls else { return }
        let lengths = try hasLength ? first("min(length(\(written))), max(length(\(written)))") : [.null, .null]
        values = [
            .string(column.name), .string(type.type.map { "\($0)" } ?? "null"), .integer(rows), .integer(missing),
            all[1],
            Self.shown(all[2]), Self.shown(all[3]), try isNumber ? Self.shown(first("avg(\(written))")[0]) : .null,
            try hasMedian ? Self.shown(median(of: rows - missing)) : .null, lengths[0], lengths[1],
            try mostFrequent(frequent),
        ]
    }

    private static func isOrdered(_ kind: OperandType.Kind) -> Bool {
        kind == .date || kind == .day || kind == .timeOfDay
    }

    /// Returns a value as the text that an export would write, because a column of the output has values of all types.
    private static func shown(_ value: StoredValue) -> StoredValue {
        switch value {
        case .null, .string: value
        default: .string(TableCell(value).text)
        }
    }

    private func results(
        _ columns: String, where condition: String? = nil, groupBy: String? = nil, sort: String = "",
        limit: Int? = nil, offset: Int = 0
    ) throws -> [[StoredValue]] {
        let query = try text.selection(
            columns, where: condition, groupBy: groupBy, sort: sort, limit: limit, offset: offset)
        var results: [[StoredValue]] = []
        try store.select(query.selection) { values in
            results.append(values)
            return .next
        }
        return results
    }

    private func first(_ columns: String, where condition: String? = nil) throws -> [StoredValue] {
        try results(columns, where: condition).first ?? []
    }

    /// Returns the value in the middle of the sorted values; of an even count of numbers, the mean of the two in the
    /// middle.
    private func median(of count: Int64) throws -> StoredValue {
        guard count > 0 else { return .null }
        let middle = try results(
            written, where: "\(written) is not null", sort: written, limit: count % 2 == 0 ? 2 : 1,
            offset: Int((count - 1) / 2)
        ).map { $0[0] }
        guard middle.count == 2, middle[0] != middle[1] else { return middle.first ?? .null }
        switch (middle[0], middle[1]) {
        case (.integer(let low), .integer(let high)): return Self.mean(low, high, scale: 0)
        case (.decimal(let low), .decimal(let high)): return Self.mean(low.unscaled, high.unscaled, scale: low.scale)
        case (.double(let low), .double(let high)): return .double(low / 2 + high / 2)
        default: return middle[0]
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

    /// Returns the most frequent values with their counts, such as `red (12), blue (3)`.
    private func mostFrequent(_ count: Int) throws -> StoredValue {
        guard count > 0 else { return .null }
        let found = try results(
            "\(written), count()", where: "\(written) is not null", groupBy: written, sort: "count() desc",
            limit: count)
        if found.isEmpty { return .null }
        return .string(found.map { "\(TableCell($0[0]).text) (\(TableCell($0[1]).text))" }.joined(separator: ", "))
    }
}
