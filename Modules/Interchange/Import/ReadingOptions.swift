public import StrataCore

/// The options for reading a dataset: its format, and the variations of files in that format.
///
/// The options of an import apply to all datasets without options of their own; see ``ImportSource/reading``. This
/// example reads a file with other column names and European spellings:
///
/// ```swift
/// var reading = ReadingOptions(format: .csv)
/// reading.dialect.separator = .semicolon
/// reading.encoding = .windows1252
/// reading.mapping["Nachname"] = "lastName"
/// reading.omittedColumns = ["Bemerkung"]
/// reading.spelling.decimal = try NumberSign(",")
/// reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
/// ```
///
/// Without a mapping, a column matches the attribute with its external name in the model. Otherwise it matches the
/// attribute with the same name without regard to case, `_`, `-` and spaces. `boss`, `bossId` and `boss_id` match the
/// relationship `boss`. A spelling of the reading options takes precedence over the spelling of the model, part by
/// part.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init(format:)``
/// - ``format``
/// - ``check(for:in:)``
///
/// ### Columns
///
/// - ``mapping``
/// - ``omittedColumns``
/// - ``ignoresUnknownColumns``
/// - ``declaredColumns``
/// - ``constants``
///
/// ### The syntax of tables
///
/// - ``dialect``
/// - ``encoding``
///
/// ### The structure of documents
///
/// - ``root``
/// - ``keyAttribute``
/// - ``valueAttribute``
///
/// ### Values
///
/// - ``spelling``
/// - ``columnSpellings``
/// - ``spellingOptions``
/// - ``roundsDates``
/// - ``readsNumbersAsTexts``
/// - ``maximumRecordBytes``
public struct ReadingOptions: Sendable {
    /// The format of the dataset.
    ///
    /// It is not detected from the content. ``DatasetFormat/init(fileName:)`` derives it from a file name.
    public var format: DatasetFormat
    /// The names of the attributes to which columns are mapped, by the columns' names in the file.
    ///
    /// In a JSON document, the name of a column may be a path into objects, such as `address.city`. If a column is
    /// mapped to an attribute, a column with the name of the attribute matches nothing.
    ///
    /// The names of columns are compared verbatim, and the names of attributes without regard to case, `_`, `-` and
    /// spaces. A mapped column that the file lacks is an error; for a document, the error occurs after the last record.
    /// Several columns for one attribute are an error too.
    public var mapping: [String: String] = [:]
    /// The names of the columns in the file that are skipped, even if they match an attribute.
    ///
    /// The names are compared verbatim. A name that the file lacks is an error. Omitted columns are not in
    /// ``ImportSummary/ignoredColumns``.
    public var omittedColumns: Set<String> = []
    /// The texts that are added to each record as values of attributes, by attribute name.
    ///
    /// For example, `["source": "2024-01.csv"]` stores the name of the file in the attribute `source`. A column of the
    /// file for the same attribute is an error.
    ///
    /// The texts are read like fields of the file, with the spelling of the column. An identifier cannot be a constant.
    public var constants: [String: String] = [:]
    /// A Boolean value that indicates whether columns that match no attribute are ignored instead of being errors.
    ///
    /// The ignored columns are listed in ``ImportSummary/File/ignoredColumns``. If it is `false`, one error lists all
    /// unknown columns, each with the most similar known name.
    public var ignoresUnknownColumns = false
    /// A Boolean value that indicates whether a document may lack keys that are mapped or omitted.
    ///
    /// The keys may be in another document of the same import.
    package var mayLackMappedKeys = false
    /// The columns that a separate description declares for the file; `nil` if there is none.
    ///
    /// For a document, only the names are used, because its members have no order and may be missing.
    ///
    /// A violation of ``DeclaredColumns/agreement`` is an error of the header. A file without a header is not compared.
    public var declaredColumns: DeclaredColumns?
    /// The syntax of a CSV or TSV file.
    ///
    /// JSON formats use only its ``CSVDialect/encoding``. If the format is TSV and the dialect has no separator, the
    /// separator is a tab.
    public var dialect = CSVDialect()
    /// The spelling of the values in all columns; ``columnSpellings`` takes precedence over it.
    ///
    /// A part that does not fit the type of a column has no effect on this column.
    public var spelling = ValueSpelling()
    /// The spellings of values in single columns, by the columns' names in the file, or in a document by mapped paths.
    ///
    /// If the file does not have a column with the name, or the spelling does not fit the column's type, it is an
    /// error.
    public var columnSpellings: [String: ValueSpelling] = [:]
    /// Spellings from a command line, which the file assigns to one column or to all; they add to the other two.
    ///
    /// A second date format or number sign for the same column is an error; further words for true and false are added.
    public var spellingOptions: [SpellingOption] = []
    /// A Boolean value that indicates whether dates with more digits than a `Date` holds are rounded.
    ///
    /// If it is `false`, such a date is an error of its record. Rounded dates are counted in
    /// ``ImportSummary/File/roundedDates``. A `Date` holds a text exactly if it is written with the same digits, except
    /// for trailing zeros. This is true for three digits in all years, six within 272 years of 2001, seven within 34
    /// years, nine within 97 days, and for some other texts.
    public var roundsDates = false
    /// A Boolean value that indicates whether a JSON number is accepted as a text, a date or a time.
    ///
    /// If it is `false`, such a number is an error. The text is the number as it is written in the document, with all
    /// digits. An export writes it as a string.
    public var readsNumbersAsTexts = false
    /// The maximum count of bytes in the values of one record, independent of their spelling; at least 1.
    ///
    /// In its file, a record may have six times as many bytes and one additional mebibyte. Values over 128 MiB have no
    /// effect, because the size of a record in its file is also limited. The limit is 255 MiB if rejects are kept, and
    /// 340 MiB otherwise.
    ///
    /// A longer record is an error with the code ``InterchangeError/Code/malformed``. The default is 16 MiB. The
    /// maximum prevents that a missing quote causes a whole file to be read into memory.
    public var maximumRecordBytes = CSVReader.defaultRecordLimit
    /// The keys on the path to the array of records in a JSON document, separated by points.
    ///
    /// If it is `nil`, the document itself is the array.
    ///
    /// The path of `{"data": {"colors": […]}}` is `data.colors`. Values of other keys are validated and skipped. A
    /// missing key is an error that lists the keys of the document. Tables ignore the property, and so do NDJSON files.
    public var root: String?
    /// The attribute that contains the keys of a JSON object whose members are records: `hex` in `{"#ff0000": "red"}`.
    ///
    /// If it or ``valueAttribute`` is set, the document, or the value at ``root``, is read as an object whose members
    /// are records. The keys are texts that are converted like the fields of a table.
    public var keyAttribute: String?
    /// The attribute that contains the members' values that are not objects: `name` in `{"#ff0000": "red"}`.
    ///
    /// If the value of a member is an object, the members of this object are the other values of the record.
    public var valueAttribute: String?

    /// The encoding of the file; if it is `nil`, the encoding is UTF-8 or detected as UTF-16.
    ///
    /// It is the same as ``CSVDialect/encoding`` of ``dialect``, and applies to tables and documents.
    public var encoding: TextEncoding? {
        get { dialect.encoding }
        set { dialect.encoding = newValue }
    }

    /// The dialect of a table, whose default separator depends on the format.
    package var tableDialect: CSVDialect {
        var dialect = dialect
        if format == .tsv, dialect.separator == nil { dialect.separator = .tab }
        return dialect
    }

    /// A Boolean value that indicates whether names that match nothing are skipped.
    var leavesOutUnknown: Bool { ignoresUnknownColumns || declaredColumns?.agreement.allowsOthers ?? false }

    /// A Boolean value that indicates whether any spelling is set.
    var hasSpellings: Bool {
        spelling != ValueSpelling() || !columnSpellings.isEmpty || !spellingOptions.isEmpty
    }

    /// The names of columns that may have their own spelling.
    var spelledNames: [String] { columnSpellings.keys.sorted() + spellingOptions.compactMap(\.column) }

    /// Returns the spelling of values in a column, by its name in the file.
    ///
    /// The spellings of ``spellingOptions`` are included, as far as their text determines whether they name a column.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - other: The name to which it is mapped.
    /// - Returns: The spelling.
    package func spelling(ofColumn name: String, or other: String) -> ValueSpelling {
        func isMeant(_ column: String) -> Bool {
            NameMatching.isSame(column, name) || NameMatching.isSame(column, other)
        }
        var (spelling, own) = (spelling, columnSpellings.first { isMeant($0.key) }?.value ?? ValueSpelling())
        for option in spellingOptions {
            if let said = option.ofColumn, let column = option.column, !column.utf8.contains(UInt8(ascii: "%")) {
                if isMeant(column) { own = own.adding(said) }
            } else if let general = option.ofAll {
                spelling = spelling.adding(general)
            }
        }
        return spelling.overridden(by: own)
    }

    /// A Boolean value that indicates whether the user set number separators or words for true and false.
    package var hasSpelledWordsOrNumbers: Bool { spellingOptions.contains { $0.kind != .dateFormat } }

    /// Creates options for a format.
    ///
    /// All other options have their default values: columns match attributes by name, and unknown columns are errors.
    ///
    /// - Parameter format: The format of the dataset.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Throws an error if a column is mapped to an unknown attribute.
    ///
    /// The method validates ``mapping``, ``constants``, ``keyAttribute`` and ``valueAttribute``. It needs no file, so a
    /// program can report wrong options before an import. Columns and spellings are validated when the header is read.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records to be imported.
    ///   - model: The model that contains the entity.
    /// - Throws: ``InterchangeError/Code/columns`` with the unknown names, and similar names;
    ///   ``InterchangeError/Code/unsupported`` if the model declares an invalid spelling.
    public func check(for entity: EntityDescription, in model: ManagedObjectModel) throws(InterchangeError) {
        let plan = try ColumnPlan(DatasetShape(entity, in: model), reading: self)
        for name in [keyAttribute, valueAttribute] {
            guard let name, plan.target(of: name) == nil else { continue }
            let problem = "\(entity.name) has no attribute \(PrintableText.quoted(name))\(plan.suggestion(for: name))"
            throw InterchangeError(.columns, message: problem)
        }
    }
}
