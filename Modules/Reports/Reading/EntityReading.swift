import StrataCore
import StrataStoreKit

/// A reader of one entity's rows, in one or two passes, that summarizes each column.
///
/// Each pass reads all rows once and passes the values to the gatherers of all columns. The second pass reads all
/// columns again, but only the gatherers that need it receive values. If no gatherer needs it, there is no second pass.
struct EntityReading {
    /// The number of rows between two checks for cancellation.
    static let cancellationRows = 4096

    private let entity: EntityDescription
    private let model: ManagedObjectModel
    private let snapshot: any StoreSnapshot
    private let options: ReportOptions

    init(
        _ entity: EntityDescription, in model: ManagedObjectModel, from snapshot: any StoreSnapshot,
        options: ReportOptions
    ) {
        self.entity = entity
        self.model = model
        self.snapshot = snapshot
        self.options = options
    }

    /// Reads the rows and returns the summary.
    ///
    /// - Throws: `PersistenceError`, or `CancellationError` if the options request cancellation.
    func run() throws -> EntitySummary {
        let gatherers = try entity.shownColumns.map { try gatherer(entity.columns[$0]) }
        var nullCounts = [Int](repeating: 0, count: gatherers.count)
        var rowCount = 0
        try rows(StoreRequest(entity.name)) { row in
            rowCount += 1
            for index in gatherers.indices {
                let value = try row.value(at: index)
                if value.isNull { nullCounts[index] += 1 } else { gatherers[index].look(at: value) }
            }
        }
        let second = gatherers.indices.filter { gatherers[$0].prepareSecondReading() }
        if rowCount > 0, !second.isEmpty {
            try rows(StoreRequest(entity.name)) { row in
                for index in second { try gatherers[index].count(try row.value(at: index), in: row) }
            }
        }
        let columns = try entity.shownColumns.map { index in
            let column = entity.columns[index]
            let reading = ColumnReading(
                snapshot: snapshot, model: model, entity: entity, column: column.name, nullCount: nullCounts[index],
                options: options)
            return ColumnSummary(
                name: column.name, title: column.attribute.flatMap { $0.title ?? $0.explanation },
                kind: column.destination.map { "to one \($0)" } ?? column.type.coding.spokenName,
                isOptional: column.isOptional, nullCount: nullCounts[index],
                figure: try gatherers[index].figure(reading))
        }
        return EntitySummary(
            name: entity.name, title: entity.external.title, explanation: entity.external.explanation,
            rowCount: rowCount, columns: columns)
    }

    /// Returns a new gatherer for a column, depending on its type: a tree for a relationship, and otherwise a
    /// distribution or a list.
    private func gatherer(_ column: ColumnDescription) throws -> any ColumnGatherer {
        if let destination = column.destination {
            return TreeGatherer(options, entity: entity, destination: try model.entity(named: destination))
        }
        if let kind = NumberKind(column.type) { return NumberGatherer(kind) }
        switch column.type {
        case .date, .day: return DateGatherer()
        case .timeOfDay: return TimeOfDayGatherer()
        case .boolean: return BooleanGatherer()
        case .string:
            let index = entity.columnIndex(column.name)
            let name = RowLabel.nameColumns(of: entity).first { $0 != index }
            return TextGatherer(options, nameColumn: name)
        case .integer16, .integer32, .integer64, .double, .decimal, .uuid, .binary: return NoGatherer()
        }
    }

    private func rows(_ request: StoreRequest, _ body: (RowReader) throws -> Void) throws {
        try snapshot.forEachRow(request, options: options, body)
    }
}
