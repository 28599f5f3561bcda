public import Persistence

/// Reads a dataset into the store of a container: one transaction, record by record, in constant memory.
///
/// ```swift
/// let importer = try DatasetImporter(entity: "Color", container: container, options: ImportOptions(format: .csv))
/// let summary = try importer.run(ByteInput(path: "colors.csv"))
/// ```
///
/// The first bad record ends it: nothing is stored, and the error says file, line, record, column, text and rule.
public struct DatasetImporter {
    /// How many records go by between two questions whether to stop.
    static let recordsBetweenChecks = 1024

    let plan: ColumnPlan
    let options: ImportOptions
    private let container: PersistentContainer

    /// Prepares an import into an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model.
    ///   - container: Whose store gets the rows.
    ///   - options: How the dataset is read.
    /// - Throws: `PersistenceError` when the model has no such entity, ``InterchangeError/Code/columns`` when the mapping names attributes
    ///   that there are not.
    public init(entity: String, container: PersistentContainer, options: ImportOptions) throws {
        plan = try ColumnPlan(container.model.entity(named: entity), mapping: options.mapping)
        self.container = container
        self.options = options
    }

    /// Reads the input to its end and stores its records.
    ///
    /// - Parameter input: The dataset.
    /// - Returns: What was done.
    /// - Throws: ``InterchangeError`` with the place in the input, `PersistenceError` when the store fails, `CancellationError`; nothing is
    ///   stored then.
    public func run(_ input: ByteInput) throws -> ImportSummary {
        var ignored: [String] = []
        let places = PlaceNames()
        if input.isCancelled == nil { input.isCancelled = options.isCancelled }
        do {
            let count = try container.batchInsert(into: plan.entity.name) { inserter in
                var builder = RowBuilder(inserter)
                switch options.format {
                case .csv: ignored = try readCSV(input, &builder, places)
                case .tsv: ignored = try readCSV(input, separator: .tab, &builder, places)
                case .json: ignored = try readJSON(input, &builder, places)
                case .ndjson:
                    throw InterchangeError(.unsupported, source: input.name, message: "NDJSON cannot be read yet")
                }
                if options.isCancelled() { throw CancellationError() }
                try options.willCommit()
            }
            return ImportSummary(count: count, ignoredColumns: ignored)
        } catch let error as InterchangeError where error.code == .cancelled {
            throw CancellationError()
        } catch let error as PersistenceError {
            throw located(error, input, places) ?? error
        }
    }

    func checkCancellation(_ record: Int) throws {
        if record % Self.recordsBetweenChecks == 0, options.isCancelled() { throw CancellationError() }
    }

    /// A row's error as one that names the place in the file; `nil` for errors that no row caused.
    private func located(_ error: PersistenceError, _ input: ByteInput, _ places: PlaceNames) -> InterchangeError? {
        guard let place = error.place else { return nil }
        let attribute = error.failures.first?.attribute ?? error.attribute
        return InterchangeError(
            .invalidValue, source: input.name, line: place.line, record: place.record,
            column: attribute.map { places.name(of: $0) }, message: message(error))
    }

    private func message(_ error: PersistenceError) -> String {
        if let failure = error.failures.first {
            if failure.rule == .mandatory { return "null is not allowed, \(failure.attribute) is mandatory" }
            return failure.reason.replacingTypographicQuotes
        }
        let value = error.value.map { " (\($0))" } ?? ""
        switch error.code {
        case .danglingReference:
            let index = error.attribute.flatMap { plan.entity.columnIndex($0) }
            let destination = index.flatMap { plan.entity.columns[$0].destination } ?? "object"
            return "there is no \(destination) \(error.value ?? ""), neither in the store nor in this import"
        default: return error.message + value
        }
    }
}

/// The names the attributes have in the file, for errors that are found when the record is gone.
final class PlaceNames {
    private var names: [String: String] = [:]

    func note(_ name: String, for attribute: String) {
        names[attribute] = name
    }

    func name(of attribute: String) -> String { names[attribute] ?? attribute }
}

extension String {
    /// The text with the quotes that messages about files use.
    fileprivate var replacingTypographicQuotes: String {
        String(map { $0 == "“" || $0 == "”" ? "\"" : $0 })
    }
}
