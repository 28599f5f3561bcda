public import StrataCore

/// The options for reading a dataset: its format, and the variations of files in that format.
public struct ReadingOptions: Sendable {
    /// The format of the dataset.
    public var format: DatasetFormat
    /// The names of the attributes to which columns are mapped, by the columns' names in the file.
    ///
    /// In a JSON document, the name of a column may be a path into objects, such as `address.city`. If a column is
    /// mapped to an attribute, a column with the name of the attribute matches nothing.
    public var mapping: [String: String] = [:]
    /// The names of the columns in the file that are skipped, even if they match an attribute.
    public var omittedColumns: Set<String> = []
    /// The texts that are added to each record as values of attributes, by attribute name.
    ///
    /// For example, `["source": "2024-01.csv"]` stores the name of the file in the attribute `source`. A column of the
    /// file for the same attribute is an error.
    public var constants: [String: String] = [:]
    /// A Boolean value that indicates whether columns that match no attribute are ignored instead of being errors.
    public var ignoresUnknownColumns = false
    /// A Boolean value that indicates whether a document may lack keys that are mapped or omitted.
    ///
    /// The keys may be in another document of the same import.
    package var mayLackMappedKeys = false
    /// The columns that a separate description declares for the file; `nil` if there is none.
    ///
    /// For a document, only the names are used, because its members have no order and may be missing.
    public var declaredColumns: DeclaredColumns?
    /// The syntax of a CSV or TSV file.
    public var dialect = CSVDialect()
    /// The spelling of the values in all columns; ``columnSpellings`` takes precedence over it.
    public var spelling = ValueSpelling()
    /// The spellings of values in single columns, by the columns' names in the file, or in a document by mapped paths.
    ///
    /// If the file does not have a column with the name, or the spelling does not fit the column's type, it is an
    /// error.
    public var columnSpellings: [String: ValueSpelling] = [:]
    /// Spellings from a command line, which the file assigns to one column or to all; they add to the other two.
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
    public var maximumRecordBytes = CSVReader.defaultRecordLimit
    /// The keys on the path to the array of records in a JSON document, separated by points.
    ///
    /// If it is `nil`, the document itself is the array.
    public var root: String?
    /// The attribute that contains the keys of a JSON object whose members are records: `hex` in `{"#ff0000": "red"}`.
    public var keyAttribute: String?
    /// The attribute that contains the members' values that are not objects: `name` in `{"#ff0000": "red"}`.
    public var valueAttribute: String?

    /// The encoding of the file; if it is `nil`, the encoding is UTF-8 or detected as UTF-16.
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
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Throws an error if a column is mapped to an unknown attribute.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records to be imported.
    ///   - model: The model that contains the entity.
    /// - Throws: ``InterchangeError/Code/columns`` with the unknown names, and similar names.
    public func check(for entity: EntityDescription, in model: ManagedObjectModel) throws(InterchangeError) {
        let plan = try ColumnPlan(DatasetShape(entity, in: model), reading: self)
        for name in [keyAttribute, valueAttribute] {
            guard let name, plan.target(of: name) == nil else { continue }
            let problem = "\(entity.name) has no attribute \(PrintableText.quoted(name))\(plan.suggestion(for: name))"
            throw InterchangeError(.columns, message: problem)
        }
    }
}
