import Foundation
import StrataInterchange
import StrataPersistence

/// The datasets to read and the options for reading them, for imports and validations.
struct ReadingArguments {
    static let files = PositionalSpecification(
        placeholder: "FILE",
        help: "A dataset, workbook, ZIP archive, directory, data package, or - for standard input.",
        details: "A dataset can be compressed by gzip or zstd. book.xlsx:NAME is a sheet of a workbook, and "
            + "data.zip:people.csv is a file of an archive; an archive with a datapackage.json is a data package. A "
            + "directory, which can contain workbooks, can also be named by its manifest or its datapackage.json.",
        isRepeatable: true)

    static let entityOption = OptionSpecification.option(
        "entity", placeholder: "NAME",
        help: "Read the files as the entity NAME (default: the name of the file).",
        details: "NAME is an entity of the store or of --model, in upper or lower case. If the model is inferred, NAME "
            + "becomes the name of the dataset.",
        values: .entity)

    /// The options that read several files as one dataset.
    static let unionOptions: [OptionSpecification] = [
        .option(
            "as", placeholder: "NAME",
            help: "Read all files as one dataset named NAME.",
            details:
                "Their columns match by name. A column that a file does not have is null for the records of the file.",
            values: .entity),
        .option(
            "source-column", placeholder: "NAME",
            help: "With --as, add a column NAME that contains the name of the record's file."),
    ]

    private static let tables = "Reading CSV and TSV"
    private static let documents = "Reading JSON"

    private static let encodings = TextEncoding.allCases.map { $0.rawValue.lowercased() }

    static let options: [OptionSpecification] =
        [
            .option(
                "map", placeholder: "COLUMN=ATTRIBUTE",
                help: "Map a column to an attribute, as in employee_id=id.",
                details:
                    "The mapping has priority over columns whose names match the attribute. In JSON, COLUMN can be a "
                    + "path, as in address.city=city. COLUMN=- skips the column.",
                isRepeatable: true),
            .flag("ignore-unknown-columns", "Skip columns that match no attribute, and report their names."),
            .flag(
                "ignore-digests", "Read files that differ from those in their manifest or descriptor.",
                details: "Use the option after you edited files of the directory."),
            DataPackage.strictOption,
            .option(
                "encoding", placeholder: "NAME",
                help: "Decode utf-8, utf-16, latin-1 or windows-1252 (default: utf-8).",
                details:
                    "utf-16le and utf-16be are allowed too. The default is utf-16 if the first bytes indicate it.",
                values: .words(encodings)),
            SpellingArguments.sizeOption,
        ] + SpellingArguments.options + [
            .option(
                "delimiter", placeholder: "CHAR",
                help: "Split fields at CHAR, or tab (default: detected).",
                details: "The default is detected from the file's beginning, or from a first line such as sep=;.",
                group: tables),
            .option(
                "quote", placeholder: "CHAR",
                help: "Quote fields with CHAR, or none (default: \").",
                group: tables),
            .option(
                "escape", placeholder: "CHAR",
                help: "Escape the next character with CHAR, as \\ in \\\" (default: none).",
                group: tables),
            .flag("no-header", "Read the first line as a record; --columns names the columns.", group: tables),
            .option(
                "columns", placeholder: "LIST",
                help: "Name the columns in their order, as in id,name (default: the header).",
                details: "The names replace those of the header.",
                group: tables),
            .option(
                "header-rows", placeholder: "LIST",
                help: "Read the column names from the rows LIST, as in 1,2 (default: the first).",
                details: "The names in several rows are joined. The default is the first row that is neither blank nor "
                    + "skipped.",
                group: tables),
            .option(
                "header-join", placeholder: "TEXT",
                help: "Join the names in several header rows with TEXT (default: a space).", group: tables),
            .option(
                "skip-lines", placeholder: "N", help: "Skip N lines before the header (default: 0).", group: tables),
            .option("comment", placeholder: "PREFIX", help: "Skip lines that begin with PREFIX.", group: tables),
            .option(
                "comment-rows", placeholder: "LIST",
                help: "Skip the rows with the numbers LIST, as in 3,4.",
                details: "The content of these rows does not matter.", group: tables),
            .option(
                "null", placeholder: "TOKEN",
                help: "Read TOKEN without quotes as null, in addition to empty fields.",
                details: "The token '' is an empty field in quotes.",
                isRepeatable: true,
                group: tables),
            .flag("skip-initial-space", "Skip spaces and tabs after delimiters, also before quotes.", group: tables),
            .flag("trim", "Remove spaces and tabs around fields without quotes.", group: tables),
            .flag(
                "lenient", "Accept invalid tables that spreadsheets write, and report the errors.",
                details: "Examples are quotes inside fields, short rows, and bytes that are not UTF-8.", group: tables),
            .option(
                "root", placeholder: "KEYS",
                help: "Read the records under KEYS of a JSON document, as in data.colors.",
                group: documents),
            .option(
                "key-as", placeholder: "ATTRIBUTE",
                help: "Read a JSON object as records, and its keys as ATTRIBUTE.",
                details: "Each member is a record. In {\"#ff0000\": \"red\"}, ATTRIBUTE is hex.",
                group: documents, values: .properties),
            .option(
                "value-as", placeholder: "ATTRIBUTE",
                help: "Read the values of the object's members as ATTRIBUTE.",
                details: "In {\"#ff0000\": \"red\"}, ATTRIBUTE is name.",
                group: documents, values: .properties),
            .flag(
                "numbers-as-text", "Accept numbers as texts, dates and times (default: an error).",
                details: "The value is the number as it is written in the file.",
                group: documents),
            Flattening.option(documents),
        ] + ContainerArguments.options

    /// The options that apply only to tables, and those that apply only to JSON.
    private static let tableOptions = [
        "delimiter", "quote", "escape", "no-header", "columns", "header-rows", "header-join", "skip-lines", "comment",
        "comment-rows", "null", "skip-initial-space", "trim", "lenient",
    ]
    private static let documentOptions = ["root", "key-as", "value-as", "numbers-as-text", "flatten"]

    let arguments: ParsedArguments
    let model: ManagedObjectModel
    private let entity: EntityDescription?
    private let spelling: SpellingArguments
    /// A Boolean value that indicates whether ignored files are not reported.
    var isQuiet: Bool
    /// The file name that standard input represents, or `nil` if there is none.
    var standardInputName: String?
    /// A Boolean value that indicates whether the model was inferred with the same options.
    ///
    /// If so, the model already contains the spellings that the options define.
    var hasInferredSpellings = false
    /// A Boolean value that indicates whether a file without an extension is CSV, as in the inference of its model.
    var takesFilesAsTables = false
    /// The documents that were flattened when the model was inferred.
    var documents: FlattenedDocuments?
    /// The model of the store, if the model of the data has additional properties.
    var storedModel: ManagedObjectModel?

    /// Creates the options for reading from the arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - model: The model.
    ///   - isInferring: A Boolean value that indicates whether the model is inferred from the data, so that the entity
    ///     named by the options does not exist yet.
    /// - Throws: ``UsageError`` if an option is invalid.
    init(_ arguments: ParsedArguments, _ model: ManagedObjectModel, isInferring: Bool = false) throws {
        self.arguments = arguments
        self.model = model
        isQuiet = arguments.has("quiet")
        spelling = try SpellingArguments(arguments)
        if arguments.value("as") != nil, arguments.value("entity") != nil {
            throw arguments.usageError("--as and --entity both name the dataset; specify only one of them")
        }
        if arguments.value("source-column") != nil, arguments.value("as") == nil {
            throw arguments.usageError("--source-column requires --as, which combines several files into one dataset")
        }
        let option = ["entity", "as"].first { arguments.value($0) != nil }
        entity = try isInferring ? nil : option.map { try Stores.entity(arguments, in: model, option: $0) }
        if let entity { try check(try reading(.csv, refusesOthers: false), entity) }
    }

    /// Opens the datasets and returns them.
    ///
    /// - Parameters:
    ///   - paths: The paths in the arguments.
    ///   - package: The data package to read instead, or `nil` if there is none.
    /// - Returns: The datasets.
    /// - Throws: The errors of opening the datasets, and ``UsageError`` if an option does not apply to them.
    func sources(_ paths: [String], _ package: DataPackage? = nil) throws -> [ImportSource] {
        var sources = try package.map(self.sources) ?? []
        for path in paths where package == nil {
            let kind = path == "-" ? .nothing : PathKind(path)
            let isManifest = path.split(separator: "/").last.map(String.init) == DatasetManifest.fileName
            if kind == .directory || (isManifest && kind == .file) {
                sources += try directory(path)
            } else {
                sources.append(try file(path))
            }
        }
        let formats = Set(sources.compactMap { $0.reading?.format })
        addSourceColumn(to: &sources)
        if arguments.has("flatten") { sources = try flattened(sources) }
        try distributeMappings(&sources)
        for source in sources {
            if let reading = source.reading, let found = model[source.entity] { try check(reading, found) }
        }
        if hasInferredSpellings {
            for index in sources.indices { sources[index].reading?.spellingOptions = [] }
        } else {
            try spelling.check(sources, in: model, arguments)
            SpellingArguments.distribute(&sources, in: model)
        }
        try refuseOptionsOfNoFormat(formats)
        if arguments.has("ignore-digests"), package == nil {
            guard sources.contains(where: { $0.expectedDigest != nil }) else {
                throw arguments.usageError(
                    "--ignore-digests requires a directory with a manifest, but none of the datasets is in one")
            }
            for index in sources.indices {
                (sources[index].expectedRecords, sources[index].expectedDigest) = (nil, nil)
            }
        }
        return sources
    }

    /// Assigns each of several files the mappings of its own columns.
    ///
    /// The header of a table determines them. A document can have a key in any record; therefore it receives the
    /// mappings to the attributes of its entity.
    private func distributeMappings(_ sources: inout [ImportSource]) throws {
        let pairs = try mapping()
        guard sources.count > 1, !pairs.isEmpty else { return }
        let headers = try sources.map { source -> Set<String>? in
            let path = source.input.name
            guard let reading = source.reading, reading.format.isTable, PathKind(path) == .file,
                ModelOfData.isReadAgain(path)
            else { return nil }
            return Set(try NameSurvey.names(of: ByteInput.file(at: path), reading: reading))
        }
        let hasUnknown = headers.contains { $0 == nil }
        let all = headers.compactMap(\.self).reduce(into: Set<String>()) { $0.formUnion($1) }
        for index in sources.indices {
            guard let header = headers[index] else {
                sources[index].reading?.mayLackMappedKeys = true
                let names = Set(attributeNames(sources[index].entity).map(NameMatching.folded))
                if let mapping = sources[index].reading?.mapping {
                    sources[index].reading?.mapping = mapping.filter { names.contains(NameMatching.folded($0.value)) }
                }
                continue
            }
            sources[index].reading?.keepMappings(of: header, among: hasUnknown ? nil : all)
        }
        let kept = Set(sources.flatMap { ($0.reading?.mapping ?? [:]).keys })
        if let lost = pairs.first(where: { $0.value != "-" && !kept.contains($0.key) }) {
            throw arguments.usageError(
                "option --map: no dataset has an attribute \"\(lost.value)\" for \"\(lost.key)\"")
        }
    }

    /// Returns the names that mappings can use for the attributes of an entity.
    private func attributeNames(_ name: String) -> [String] {
        guard let entity = model[name] else { return [] }
        return ["id"] + model.datasetColumns(of: entity) + entity.properties.map(\.name)
    }

    private func addSourceColumn(to sources: inout [ImportSource]) {
        guard let column = arguments.value("source-column") else { return }
        let names = Self.sourceNames(sources.map(\.input.name))
        for index in sources.indices { sources[index].reading?.constants[column] = names[index] }
    }

    /// Returns the names of files for a column, without their folders if the names are distinct.
    static func sourceNames(_ paths: [String]) -> [String] {
        let names = paths.map { String($0.split(separator: "/").last ?? $0[...]) }
        return Set(names).count == names.count ? names : paths
    }

    private func file(_ path: String) throws -> ImportSource {
        let isStandardInput = path == "-"
        // A missing file is reported first, before its name is interpreted.
        let input = isStandardInput ? ByteInput.standardInput() : try ByteInput.file(at: path)
        let format = try DatasetListing.format(
            of: isStandardInput ? nil : path, arguments,
            otherwise: takesFilesAsTables && !isStandardInput ? .csv : nil)
        let reading = try reading(format)
        let name =
            entity?.name
            ?? (isStandardInput ? standardInputName : path).flatMap { DatasetDirectory.entity(ofFile: $0, in: model) }
        guard let name else {
            let what = isStandardInput ? "standard input has no name" : "\"\(path)\" is not the name of an entity"
            throw arguments.usageError(
                "\(what), so the entity is not known; "
                    + (try nearestEntity(path, reading) ?? "use --entity NAME\(knownEntities)")
                    + (arguments.value("model") == nil ? modelAdvice : ""))
        }
        return ImportSource(entity: name, input: input, reading: reading)
    }

    private func directory(_ path: String) throws -> [ImportSource] {
        if let entity {
            guard arguments.value("as") != nil else { throw Self.entityOfDirectory(path, arguments) }
            return try DatasetListing.files(path).map { file in
                var reading = try reading(try DatasetListing.format(of: file.path, arguments), refusesOthers: false)
                if let manifest = file.manifest { try reading.take(manifest) }
                return ImportSource(entity: entity.name, input: try ByteInput.file(at: file.path), reading: reading)
            }
        }
        let directory = try DatasetDirectory(path: path, model: model)
        // The manifest or the file names of the directory determine these properties, so the option would be ignored.
        let said = ["format"] + (directory.manifest == nil ? [] : ["delimiter"])
        for option in said where arguments.value(option) != nil {
            throw Self.optionOfSingleDatasets(option, path, arguments)
        }
        for (workbook, sheets) in directory.hiddenSheets where !isQuiet {
            ContainerArguments.note(hidden: sheets, of: workbook, advice: "\(workbook):\(sheets[0])")
        }
        if !directory.others.isEmpty, !isQuiet {
            let names = directory.others.prefix(20).joined(separator: ", ")
            Console.note("skipped files that do not have the name of an entity: \(names)")
        }
        return try directory.files.map { file in
            var reading = try reading(file.format, refusesOthers: false)
            if let manifest = directory.manifest { try reading.take(manifest) }
            var source = ImportSource(
                entity: file.entity, input: try ByteInput.file(at: file.path), reading: reading)
            source.expectedRecords = file.records
            source.expectedDigest = file.digest
            return source
        }
    }

    /// Returns the error for an entity that is named for a directory of files.
    static func entityOfDirectory(_ path: String, _ arguments: ParsedArguments) -> UsageError {
        arguments.usageError(
            "--entity can be used only for one dataset; the names of the files in \(path) determine their entities; "
                + "use --as NAME to combine them into one dataset")
    }

    /// Returns the error for an option that does not apply to a directory of datasets.
    static func optionOfSingleDatasets(_ option: String, _ path: String, _ arguments: ParsedArguments) -> UsageError {
        arguments.usageError(
            "--\(option) can be used only for single datasets; \(path) determines the format of its files")
    }

    // MARK: - Reading options

    /// Returns the options for reading a file of a format.
    func reading(_ format: DatasetFormat, refusesOthers: Bool = true) throws -> ReadingOptions {
        if refusesOthers { try refuseOptionsOfOtherFormats(format) }
        var reading = ReadingOptions(format: format)
        for (column, attribute) in try mapping() {
            if attribute == "-" { reading.omittedColumns.insert(column) } else { reading.mapping[column] = attribute }
        }
        spelling.apply(to: &reading)
        reading.readsNumbersAsTexts = arguments.has("numbers-as-text")
        reading.ignoresUnknownColumns = arguments.has("ignore-unknown-columns")
        reading.root = arguments.value("root")
        reading.keyAttribute = arguments.value("key-as")
        reading.valueAttribute = arguments.value("value-as")
        if let key = reading.keyAttribute, key == reading.valueAttribute {
            throw arguments.usageError("--key-as and --value-as name the same attribute, \(key)")
        }
        try readDialect(into: &reading.dialect)
        if let name = arguments.value("encoding") {
            guard let encoding = TextEncoding(name: name) else {
                throw arguments.usageError(
                    "option --encoding: \"\(name)\" is not one of \(Self.encodings.joined(separator: ", "))")
            }
            reading.encoding = encoding
        }
        return reading
    }

    /// Rejects an option that does not apply to the format.
    private func refuseOptionsOfOtherFormats(_ format: DatasetFormat) throws {
        // The formats of several files can differ; each option then applies to the files of its format.
        guard arguments.positionals.count <= 1 else { return }
        let others = format.isTable ? Self.documentOptions : Self.tableOptions
        for option in others where arguments.value(option) != nil || arguments.has(option) {
            throw arguments.usageError(
                format.isTable
                    ? "--\(option) can be used only for JSON, not for \(format.rawValue.uppercased())"
                    : "--\(option) can be used only for CSV and TSV, not for JSON")
        }
        if format == .ndjson, arguments.value("root") != nil {
            throw arguments.usageError("--root can be used only for a JSON document, not for NDJSON")
        }
    }

    /// Rejects an option that applies to none of the formats of several files.
    private func refuseOptionsOfNoFormat(_ formats: Set<DatasetFormat>) throws {
        let tables = formats.contains { $0.isTable }
        let documents = formats.contains { !$0.isTable }
        for (options, isMet, what) in [
            (Self.tableOptions, tables, "CSV and TSV"), (Self.documentOptions, documents, "JSON"),
            (["root"], formats.contains(.json), "JSON documents"),
        ] where !isMet {
            for option in options where arguments.value(option) != nil || arguments.has(option) {
                throw arguments.usageError(
                    "--\(option) can be used only for \(what), but none of the datasets has this format")
            }
        }
    }

    private func mapping() throws -> [String: String] {
        var mapping: [String: String] = [:]
        for pair in arguments.allValues("map") {
            // The last equals sign is the separator, because a column name can contain one and an attribute name
            // cannot.
            guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex, pair.index(after: sign) != pair.endIndex
            else {
                throw arguments.usageError(
                    "option --map: \"\(pair)\" is not COLUMN=ATTRIBUTE, or COLUMN=- to leave it out")
            }
            let column = String(pair[..<sign])
            guard mapping.updateValue(String(pair[pair.index(after: sign)...]), forKey: column) == nil else {
                throw arguments.usageError("option --map: the column \"\(column)\" is given twice")
            }
        }
        return mapping
    }

    /// Checks that every `--map` names an attribute, before any file is opened.
    private func check(_ reading: ReadingOptions, _ entity: EntityDescription) throws(UsageError) {
        do throws(InterchangeError) {
            try reading.check(for: entity, in: model)
        } catch {
            // Foundation's contains(_:) would link ICU into the tool.
            let option = ["key-as", "value-as"].first { option in
                arguments.value(option).map { error.message.firstRange(of: $0) != nil } ?? false
            }
            throw arguments.usageError("option --\(option ?? "map"): \(error.message)")
        }
    }
}

extension ReadingOptions {
    /// Keeps the mappings for the columns of a table and for columns of no dataset, which the reader reports as errors.
    ///
    /// - Parameters:
    ///   - names: The columns of the table.
    ///   - all: The columns of all datasets, or `nil` if not all are known.
    mutating func keepMappings(of names: Set<String>, among all: Set<String>?) {
        func isKept(_ name: String) -> Bool { names.contains(name) || !(all?.contains(name) ?? true) }
        mapping = mapping.filter { isKept($0.key) }
        omittedColumns = omittedColumns.filter(isKept)
    }

    /// Applies the separator and the null token of a manifest.
    mutating func take(_ manifest: DatasetManifest) throws(InterchangeError) {
        if let separator = manifest.separator?.utf8.first { dialect.separator = try CSVSeparator(separator) }
        if let null = manifest.null { dialect.nullTokens.append(null) }
    }
}
