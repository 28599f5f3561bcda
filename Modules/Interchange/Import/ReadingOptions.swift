public import StrataCore

/// How one dataset is read: its format and the ways in which files of that format differ.
public struct ReadingOptions: Sendable {
    /// The format.
    public var format: DatasetFormat
    /// Names of columns in the file, and the attributes they are.
    ///
    /// Of a JSON document the name may be a path into objects, as in `address.city`. A column that is mapped beats one that is only called
    /// like the attribute, which then matches nothing.
    public var mapping: [String: String] = [:]
    /// Names of columns in the file that are left out, also where they are called like attributes.
    public var omittedColumns: Set<String> = []
    /// Texts that each record has beside those of the file, by the names of attributes.
    ///
    /// `["source": "2024-01.csv"]` keeps the name of the file in the attribute `source`. A column of the file for the
    /// same
    /// attribute is an error.
    public var constants: [String: String] = [:]
    /// Whether columns that match nothing are dropped; otherwise they are errors.
    public var ignoresUnknownColumns = false
    /// A Boolean value that indicates whether a document may have no key that is mapped or left out, as another one
    /// has it.
    package var mayLackMappedKeys = false
    /// The columns that a description beside the file says it has; `nil` where there is none.
    ///
    /// Of a document the names alone are looked at, as its members have no order and may be left out.
    public var declaredColumns: DeclaredColumns?
    /// How a table's fields and lines are told apart.
    public var dialect = CSVDialect()
    /// How values are spelled, of all columns; what ``columnSpellings`` says of one beats it.
    public var spelling = ValueSpelling()
    /// How the values of single columns are spelled, by the columns' names in the file; of a document also by paths that are mapped.
    ///
    /// A name that the file does not have is an error, and so is a spelling that the column's values cannot have.
    public var columnSpellings: [String: ValueSpelling] = [:]
    /// Spellings of which the file has to tell whether they are one column's; they add to the other two.
    public var spellingOptions: [SpellingOption] = []
    /// Whether a date with more digits of a second than a `Date` holds is rounded, and counted in ``ImportSummary/File/roundedDates``; otherwise it is
    /// an error of its record.
    ///
    /// A date is held when it is written with the digits it was read with, but for zeros at the end: three digits in all years, six within 272 years of
    /// 2001, seven within 34 years, nine within 97 days, and others that happen to be.
    public var roundsDates = false
    /// Whether a number of a JSON document where a text, a date or a time is expected is taken as the text it is written as; otherwise it is an error.
    ///
    /// It is written as a string then: what is read is kept to the last digit, but for its kind.
    public var readsNumbersAsTexts = false
    /// The most bytes that the values of one record have together, however they are spelled; at least 1.
    ///
    /// The bytes of a record in its file are at most six times as many and a mebibyte. At most 128 MiB are of use:
    /// whatever is said here, a record is refused that has more than 255 MiB in its file where rejects are kept, or more than 340 MiB otherwise.
    public var maximumRecordBytes = CSVReader.defaultRecordLimit
    /// The keys, from the outside in and divided by points, under which a JSON document has its array; `nil` when the document is the array.
    public var root: String?
    /// The attribute that the keys of a JSON document's object are, where each of its members is a record: `hex` in `{"#ff0000": "red"}`.
    public var keyAttribute: String?
    /// The attribute that the members' values are where they are no objects: `name` in `{"#ff0000": "red"}`.
    public var valueAttribute: String?

    /// The encoding, of tables and of documents; `nil` for UTF-8, or UTF-16 where the file begins like that.
    public var encoding: TextEncoding? {
        get { dialect.encoding }
        set { dialect.encoding = newValue }
    }

    /// The dialect of a table, whose separator the format says where nobody else does.
    package var tableDialect: CSVDialect {
        var dialect = dialect
        if format == .tsv, dialect.separator == nil { dialect.separator = .tab }
        return dialect
    }

    /// Whether names that match nothing are left out.
    var leavesOutUnknown: Bool { ignoresUnknownColumns || declaredColumns?.agreement.allowsOthers ?? false }

    /// Whether anything is said of how values are spelled.
    var hasSpellings: Bool {
        spelling != ValueSpelling() || !columnSpellings.isEmpty || !spellingOptions.isEmpty
    }

    /// The names whose columns' spelling is said, as far as they are columns.
    var spelledNames: [String] { columnSpellings.keys.sorted() + spellingOptions.compactMap(\.column) }

    /// Returns how the values of a column are spelled, by its name in the file.
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

    /// A Boolean value that indicates whether the user gave signs of numbers or words for true and false.
    package var hasSpelledWordsOrNumbers: Bool { spellingOptions.contains { $0.kind != .dateFormat } }

    /// Options for a format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Makes sure that every attribute that is mapped to is there.
    ///
    /// - Parameters:
    ///   - entity: The entity that is to be imported.
    ///   - model: Its model.
    /// - Throws: ``InterchangeError/Code/columns`` naming those that are not, and the nearest ones.
    public func check(for entity: EntityDescription, in model: ManagedObjectModel) throws(InterchangeError) {
        let plan = try ColumnPlan(DatasetShape(entity, in: model), reading: self)
        for name in [keyAttribute, valueAttribute] {
            guard let name, plan.target(of: name) == nil else { continue }
            let problem = "\(entity.name) has no attribute \(PrintableText.quoted(name))\(plan.suggestion(for: name))"
            throw InterchangeError(.columns, message: problem)
        }
    }
}
