package import StrataCore
public import StrataInterchange
public import StrataModelFiles

/// Infers a model from data: the narrowest types that lose nothing, keys and references, each with its reason.
///
/// A column has a type only if Strata writes every cell with the same text. Therefore data that is imported with the
/// model is exported byte for byte.
///
/// ```swift
/// var inference = ModelInference(names: ["people", "cities"])
/// try inference.read(ByteInput.file(at: "people.csv"), as: "people", path: "people.csv", ReadingOptions(format: .csv))
/// try inference.read(ByteInput.file(at: "cities.csv"), as: "cities", path: "cities.csv", ReadingOptions(format: .csv))
/// let inferred = try inference.result()
/// for line in inferred.report.lines { print(line) }
/// ```
///
/// Each dataset is read once. Reading needs a few kilobytes per column, and at most 64 MiB for the distinct values of
/// all columns together. Columns with more values are not keys, which the report mentions. Do not use one instance from
/// several threads at once.
public struct ModelInference {
    /// The settings of the user, which take precedence over the data.
    public struct Options: Sendable {
        /// The maximum count of records that are read of each dataset; `nil` for all.
        ///
        /// If it is set, every column is optional.
        public var sample: Int?
        /// The key columns, by the names of their datasets.
        public var keys: [String: String] = [:]
        /// The types of columns, by the names of their datasets and columns.
        package var types: [String: [String: GivenType]] = [:]
        /// The maximum count of columns in the store for which the model is inferred; `nil` if there is no limit.
        package var maximumColumns: Int?
        /// A Boolean value that indicates whether an invalid record is skipped, as in an import that rejects records.
        ///
        /// If it is `false`, the record is an error.
        public var rejectsRecords = false
        /// The folded names that occur as columns of several datasets; such a column may be a reference.
        package var sharedNames: Set<String> = []
        /// The attribute that contains the keys of a document, by the dataset's name.
        package var keysOfDocuments: [String: String] = [:]
        /// The generated columns, by the names of datasets; they reference nothing, and only parts reference them.
        package var madeColumns: [String: Set<String>] = [:]
        /// The datasets whose records are parts of another one's, by their names, with the columns of the reference.
        package var parts: [String: ParentReference] = [:]

        /// Creates options for all records, without other settings.
        public init() {}
    }

    /// The result of the inference.
    public struct Inferred: Sendable {
        /// The model file's text.
        public let text: String
        /// The model, read from the text.
        public let file: ModelFile
        /// The reasons for the model.
        public let report: InferenceReport
    }

    private let options: Options
    private let names: NamedTables
    private let memory = KeyMemory()
    private var scans: [TableScan] = []

    /// Creates an inference for some datasets.
    ///
    /// - Parameters:
    ///   - names: The names of all datasets, which occur in the names of columns that reference them.
    ///   - options: The settings of the user.
    public init(names: [String], options: Options = Options()) {
        self.options = options
        self.names = NamedTables(names, keys: options.keys.values, shared: options.sharedNames)
    }

    /// Reads a dataset to its end, or up to the size of the sample.
    ///
    /// Several inputs with the same name are one dataset: their columns match by name, and a column that one of them
    /// does not have is null in its records.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - name: The name of the dataset.
    ///   - path: The path that the model file contains.
    ///   - reading: The options for reading the dataset.
    ///   - isCancelled: A closure that is called every few thousand records; if it returns `true`, this method throws
    ///     `CancellationError`.
    /// - Throws: `InterchangeError` with file and line if the dataset cannot be read, or if its columns are ambiguous.
    public mutating func read(
        _ input: ByteInput, as name: String, path: String, _ reading: ReadingOptions,
        isCancelled: () -> Bool = { false }
    ) throws {
        let known = scans.firstIndex { $0.name == name }
        let place = known ?? scans.count
        if known == nil {
            var scan = TableScan(
                name: name, path: path, reading: reading, given: options.types[name] ?? [:], names, memory)
            scan.maximumColumns = options.maximumColumns
            scans.append(scan)
        }
        let most = options.sample ?? Int.max
        if reading.format.isTable {
            try scans[place].readTable(
                input, reading, atMost: most, rejects: options.rejectsRecords, isCancelled: isCancelled)
        } else {
            try scans[place].readDocument(
                input, reading, atMost: most, rejects: options.rejectsRecords, isCancelled: isCancelled)
        }
    }

    /// Reads the key of a dataset that a store already contains, which columns of the datasets may reference.
    ///
    /// - Parameters:
    ///   - name: The name of the dataset in files.
    ///   - column: The name of its key in files.
    ///   - type: The type of the key: an integer, a text or a UUID.
    ///   - texts: A closure that passes the text of each key to its parameter.
    /// - Throws: The errors of `texts`.
    package mutating func readStored(
        _ name: String, key column: String, of type: AttributeType, _ texts: ((([UInt8]) -> Void)) throws -> Void
    ) throws {
        var table = TableScan(
            name: name, path: name, reading: ReadingOptions(format: .csv), given: [:], names, memory, isStored: true)
        table.beginKey(column, type == .string ? .text : type == .uuid ? .uuid : .integer)
        try texts { table.noteKey($0.span) }
        scans.append(table)
    }

    /// Returns a Boolean value that indicates whether a column is named like a reference to a dataset by its key.
    package static func mayRefer(_ column: String, to table: String, key: String) -> Bool {
        NamedTables.reason(column, to: table, key: key) != nil || NameMatching.isSame(column, key)
    }

    /// Returns a Boolean value that indicates whether a column of a dataset may be its key, according to its name.
    package static func mayBeKey(_ column: String, of table: String) -> Bool {
        NamedTables.keyRank(column, of: table) != nil
    }

    /// Returns the inferred model.
    ///
    /// - Throws: `ModelFileError` if the datasets do not form a model, for example if two have the same name;
    ///   `InterchangeError` if options name unknown datasets or columns.
    public func result() throws -> Inferred {
        let tables = scans.map(\.settled)
        try checkOptions(tables)
        let decisions = tables.map(decisions)
        try checkTypes(tables)
        var keys = zip(tables, decisions).map(key)
        for place in tables.indices {
            let stored = tables.first { $0.isStored && $0.name == tables[place].name }
            guard let column = stored?.columns[0].name else { continue }
            // The store determines the key of a dataset that it contains.
            keys[place] = tables[place].columns.firstIndex { $0.name == column }.map {
                KeyChoice(tables[place], decisions[place], column: $0, reason: "its key in the store")
            }
        }
        SharedKeys(tables, decisions).choose(&keys, parts: options.parts)
        let search = ReferenceSearch(
            tables, decisions, keys: keys, given: Set(options.keys.keys), parts: options.parts,
            made: options.madeColumns)
        let maker = DescriptorMaker(
            tables: tables, decisions: decisions, keys: keys, references: search.found, parts: options.parts,
            made: options.madeColumns, isSample: options.sample != nil)
        let made = try ModelFile(json: Array(JSONTreeWriter.text(maker.descriptor, .modelFile).utf8))
        // The text has the form in which this program writes models, including all generated names.
        let text = ModelFile.text(of: made.model)
        let file = try ModelFile(json: Array(text.utf8))
        return Inferred(
            text: text, file: file,
            report: InferenceReport(maker, search, model: file.model, isSample: options.sample != nil))
    }

    /// Returns the key column that would be chosen for a dataset; `nil` if it has none.
    package func keyColumn(of name: String) -> String? {
        guard let table = scans.first(where: { $0.name == name })?.settled else { return nil }
        return key(table, decisions(table)).map { table.columns[$0.column].name }
    }

    private func decisions(_ table: TableScan) -> [ColumnDecision] {
        if let kind = table.storedKind { return [ColumnDecision(ofStored: kind)] }
        return table.columns.map { ColumnDecision($0, of: table.name) }
    }

    private func key(_ table: TableScan, _ decisions: [ColumnDecision]) -> KeyChoice? {
        let name = table.name
        return KeyChoice(
            table, decisions, given: options.keys[name], ofDocument: options.keysOfDocuments[name],
            part: options.parts[name], among: names)
    }

    /// Throws if cells do not match the types that the user specified.
    private func checkTypes(_ tables: [TableScan]) throws(InterchangeError) {
        guard !options.rejectsRecords else { return }
        for table in tables {
            for column in table.columns {
                guard let given = column.given, let misfit = given.misfit else { continue }
                throw InterchangeError(
                    .invalidValue, source: column.givenFile ?? table.path, line: misfit.line, column: column.name,
                    message:
                        "\(PrintableText.quoted(misfit.text)) is \(misfit.reason), but --type declares the column as "
                        + "\(given.type.text) (\(given.misfits) of \(column.valueCount) cells are not)")
            }
        }
    }

    private func checkOptions(_ tables: [TableScan]) throws(InterchangeError) {
        for (table, column) in options.keys.map({ ($0.key, $0.value) })
            + options.types.flatMap({ types in types.value.keys.map { (types.key, $0) } })
        {
            guard let known = tables.first(where: { $0.name == table }) else {
                let nearest =
                    NameMatching.nearest(to: table, among: tables.map(\.name)).map { " (did you mean \($0)?)" } ?? ""
                throw InterchangeError(
                    .columns, message: "there is no dataset \(PrintableText.quoted(table))\(nearest)")
            }
            guard let scan = known.columns.first(where: { $0.name == column }) else {
                let nearest =
                    NameMatching.nearest(to: column, among: known.columns.map(\.name)).map { " (did you mean \($0)?)" }
                    ?? ""
                throw InterchangeError(
                    .columns, message: "\(table) has no column \(PrintableText.quoted(column))\(nearest)")
            }
            guard options.keys[table] == column, !scan.key.isKey else { continue }
            let why =
                scan.key.repeated.map { "\(PrintableText.quoted($0.text)) occurs again on line \($0.line)" }
                ?? (scan.key.hasNull ? "the column contains null" : "the column has too many values to compare")
            throw InterchangeError(
                .columns, column: column, message: "\(table).\(column) cannot be a key: \(why)")
        }
    }
}
