package import StrataCore
public import StrataInterchange
public import StrataModelFiles

/// An inference of a model from data: the narrowest types that lose nothing, keys and references, each with its reason.
///
/// A column can have a type only if, for every cell, Strata writes the value with the same text. Therefore data that is
/// imported with the model is exported byte for byte.
///
/// ```swift
/// var inference = ModelInference(names: ["people", "cities"])
/// try inference.read(ByteInput.file(at: "people.csv"), as: "people", path: "people.csv", ReadingOptions(format: .csv))
/// try inference.read(ByteInput.file(at: "cities.csv"), as: "cities", path: "cities.csv", ReadingOptions(format: .csv))
/// let inferred = try inference.result()
/// for line in inferred.report.lines { print(line) }
/// ```
///
/// Use an inference if there is data, but no model. Show the report to a person who knows the data, save
/// ``Inferred/text`` as a model file, and correct the file where the data is misleading. Read the data with the same
/// options for the inference and for the import; otherwise the import may reject cells.
///
/// Each dataset is read once. Reading needs a few kilobytes per column, and at most 64 MiB for the distinct values of
/// all columns together. At most 1,000,000 distinct values are stored for one column. A column with too many values for
/// this memory is not recognized as a key, which the report states.
///
/// Do not use one instance from several threads at once. Copies of an instance share the memory for distinct values, so
/// read only through one of them.
///
/// ## Topics
///
/// ### Creating an inference
///
/// - ``init(names:options:)``
/// - ``Options``
///
/// ### Reading datasets
///
/// - ``read(_:as:path:_:isCancelled:)``
///
/// ### Inferring the model
///
/// - ``result()``
/// - ``Inferred``
/// - ``InferenceReport``
public struct ModelInference {
    /// The user's settings for the inference, which take precedence over the data.
    ///
    /// Settings for the spelling of values, such as the decimal character, are part of the `ReadingOptions` of each
    /// dataset.
    ///
    /// ## Topics
    ///
    /// ### Creating settings
    ///
    /// - ``init()``
    ///
    /// ### Choosing records and keys
    ///
    /// - ``sample``
    /// - ``keys``
    /// - ``rejectsRecords``
    public struct Options: Sendable {
        /// The maximum count of records to read from each dataset, at least 1; `nil` for all records (default).
        ///
        /// If a maximum is set, every inferred column is optional, because later records may contain null. A type or a
        /// key may also be too narrow for later records. If a dataset consists of several inputs, the maximum applies
        /// to all of them together.
        public var sample: Int?
        /// The key columns that the user specified, by the names of their datasets.
        ///
        /// A column has its name in the model, after the renaming by the `mapping` of `ReadingOptions`. The column must
        /// be unique and without null in all records that are read; otherwise ``ModelInference/result()`` throws an
        /// error. Without an entry, the inference chooses a key by the names of the columns, or none.
        public var keys: [String: String] = [:]
        /// The types that the user specified for columns, by dataset name and column name.
        package var types: [String: [String: GivenType]] = [:]
        /// The maximum count of columns in the store for which the model is inferred; `nil` if there is no limit.
        package var maximumColumns: Int?
        /// A Boolean value that indicates whether invalid records are skipped, as in an import that rejects records
        /// (default: `false`).
        ///
        /// If it is `false`, an invalid record ends the inference with an error. If it is `true`, the report contains
        /// the count of the skipped records.
        public var rejectsRecords = false
        /// A Boolean value that indicates whether a column of numbers is a decimal even if an export would write some
        /// of them with more digits, such as 7 as 7.00.
        package var permitsOtherDigits = false
        /// The folded names of columns that occur in several datasets; a column with such a name may be a reference.
        package var sharedNames: Set<String> = []
        /// The name of the attribute that contains the keys of a document's members, by dataset name.
        package var keysOfDocuments: [String: String] = [:]
        /// The columns that Strata generates, by dataset name.
        ///
        /// A generated column references nothing, and only records of parts reference it.
        package var madeColumns: [String: Set<String>] = [:]
        /// The references of datasets whose records are parts of another dataset's records, by dataset name.
        package var parts: [String: ParentReference] = [:]

        /// Creates the default settings, with which all records are read.
        public init() {}
    }

    /// The result of the inference.
    ///
    /// ## Topics
    ///
    /// ### Using the model
    ///
    /// - ``text``
    /// - ``file``
    ///
    /// ### Explaining the model
    ///
    /// - ``report``
    public struct Inferred: Sendable {
        /// The text of the model file, which ends with a line feed.
        ///
        /// It contains all generated names and the type of each column, so that a person can edit the file. Its `path`
        /// properties are derived from the names of the datasets.
        public let text: String
        /// The model that the text of the model file describes.
        ///
        /// It equals the result of reading ``text`` with the default options.
        public let file: ModelFile
        /// The reasons for the types, keys and references in the model.
        public let report: InferenceReport
    }

    private let options: Options
    private let names: NamedTables
    private let memory = KeyMemory()
    private var scans: [TableScan] = []

    /// Creates an inference from datasets with names.
    ///
    /// - Parameters:
    ///   - names: The names of all datasets, which occur in the names of columns that reference them. A dataset whose
    ///     name is missing can be read, too, but other columns may not be recognized as references to it.
    ///   - options: The user's settings.
    public init(names: [String], options: Options = Options()) {
        self.options = options
        self.names = NamedTables(names, keys: options.keys.values, shared: options.sharedNames)
    }

    /// Reads a dataset to its end, or up to the maximum count of records.
    ///
    /// Several inputs with the same name are one dataset. Their columns are matched by name. If an input does not have
    /// a column of another input, the column is null in its records.
    ///
    /// The method blocks until the input is read. It stores statistics and distinct values, but no records. If it
    /// throws an error, the statistics contain a part of the input; discard the inference then.
    ///
    /// - Parameters:
    ///   - input: The bytes of the dataset.
    ///   - name: The name of the dataset, which becomes the name of its table in the model file.
    ///   - path: The path of the dataset, for the report and for errors of ``result()``. Of several inputs with the
    ///     same name, only the first path is used.
    ///   - reading: The options for reading the dataset.
    ///   - isCancelled: A closure that is called every 4,096 records; if it returns `true`, this method throws
    ///     `CancellationError`.
    /// - Throws: `InterchangeError` with file and line if the dataset cannot be read, its columns are ambiguous, or an
    ///   option names an unknown column; `CancellationError`.
    /// - Complexity: O(*n*) in the count of bytes.
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
            // The digits of a number in a sheet depend on the format of its cell only.
            scan.permitsOtherDigits = options.permitsOtherDigits || input.hasTypedCells
            scan.numbersAreDoubles = input.hasTypedCells
            scans.append(scan)
        }
        let most = options.sample ?? Int.max
        if reading.format.isTable {
            do {
                try scans[place].readTable(
                    input, reading, atMost: most, rejects: options.rejectsRecords, isCancelled: isCancelled)
            } catch let error as InterchangeError {
                throw error.located(in: input)
            }
        } else {
            try scans[place].readDocument(
                input, reading, atMost: most, rejects: options.rejectsRecords, isCancelled: isCancelled)
        }
    }

    /// Reads the keys of a dataset's rows in a store, which columns of other datasets may reference.
    ///
    /// An import into an existing store uses this method, so that a new file can reference stored rows. If the same
    /// dataset is also read from files, the store determines its key.
    ///
    /// - Parameters:
    ///   - name: The name of the dataset in files.
    ///   - column: The name of the key column in files.
    ///   - type: The type of the key column: an integer, a text or a UUID.
    ///   - texts: A closure that passes the text of each stored key to its parameter.
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

    /// Returns a Boolean value that indicates whether a column has the name of a reference to a dataset by the
    /// dataset's key.
    package static func mayRefer(_ column: String, to table: String, key: String) -> Bool {
        NamedTables.reason(column, to: table, key: key) != nil || NameMatching.isSame(column, key)
    }

    /// Returns a Boolean value that indicates whether the name of a column suggests that it is the key of its dataset.
    package static func mayBeKey(_ column: String, of table: String) -> Bool {
        NamedTables.keyRank(column, of: table) != nil
    }

    /// Returns the inferred model with the reasons for it.
    ///
    /// Call this method after all datasets are read, because a reference is found only if all values of a column are
    /// keys of another dataset. The method does not change the inference: you can call it again, also after further
    /// datasets are read.
    ///
    /// - Returns: The model file, the model and the report.
    /// - Throws: `ModelFileError` if the datasets do not form a model, for example if none was read; `InterchangeError`
    ///   if the options name unknown datasets or columns, if a specified key is not unique, or if cells do not match
    ///   the specified types.
    /// - Complexity: O(*c* · *d*) comparisons for *c* columns and *d* datasets. A comparison of a column with the key
    ///   that its name suggests takes time in proportion to the stored distinct values.
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

    /// Returns the key column that the inference would choose for a dataset; `nil` if it would choose none.
    package func keyColumn(of name: String) -> String? {
        guard let table = scans.first(where: { $0.name == name })?.settled else { return nil }
        return key(table, decisions(table)).map { table.columns[$0.column].name }
    }

    /// Returns the type of each column of a dataset.
    private func decisions(_ table: TableScan) -> [ColumnDecision] {
        if let kind = table.storedKind { return [ColumnDecision(ofStored: kind)] }
        return table.columns.map { ColumnDecision($0, of: table.name) }
    }

    /// Returns the key of a dataset, by the user's settings or by the names of its columns.
    private func key(_ table: TableScan, _ decisions: [ColumnDecision]) -> KeyChoice? {
        let name = table.name
        return KeyChoice(
            table, decisions, given: options.keys[name], ofDocument: options.keysOfDocuments[name],
            part: options.parts[name], among: names)
    }

    /// Throws an error if cells do not match the types that the user specified for their columns.
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

    /// Throws an error if the user's settings name unknown datasets or columns, or a key that is not unique.
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
