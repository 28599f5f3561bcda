/// The way in which fields and records of a resource are separated, as in the Table Dialect of the Data Package
/// standard.
///
/// For JSON and NDJSON, only ``property`` has a meaning. All other properties describe CSV and TSV files. A dialect has
/// no property for the end of a line, because a reader of files must accept CRLF, LF and CR.
///
/// ## Topics
///
/// ### Creating a dialect
///
/// - ``init()``
///
/// ### Separating fields
///
/// - ``delimiter``
/// - ``quote``
/// - ``doublesQuotes``
/// - ``escape``
/// - ``skipsInitialSpace``
/// - ``nullSequence``
///
/// ### Finding the header and the records
///
/// - ``headerRows``
/// - ``headerJoin``
/// - ``ignoresCaseOfHeader``
/// - ``comment``
/// - ``commentRows``
/// - ``property``
public struct ResourceDialect: Sendable, Hashable {
    /// The ASCII character between two fields (default: a comma; for a resource in the format TSV, a tab).
    ///
    /// In a dialect from a descriptor, it differs from ``quote`` and ``escape``, and it is not a line end.
    public var delimiter = UInt8(ascii: ",")
    /// The ASCII character around fields that contain delimiters, or `nil` if fields are never quoted.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// A Boolean value that indicates whether a quote inside a quoted field is written twice (default: `true`).
    public var doublesQuotes = true
    /// The ASCII character before a character without its special meaning, or `nil` if there is no such character.
    ///
    /// If a descriptor uses the quote as the escape character, the value is `nil` and ``doublesQuotes`` is `true`,
    /// because both have the same meaning.
    public var escape: UInt8?
    /// The numbers of the rows that contain the names of the columns, ascending and beginning with 1; empty if no row
    /// contains them.
    ///
    /// A table in several files has exactly one header row in each file, the first row, or none at all.
    public var headerRows = [1]
    /// The text that is inserted between the parts of a column's name, if several rows contain the names (default: a
    /// space).
    public var headerJoin = " "
    /// The text with which skipped rows begin; `nil` if no rows are skipped because of their beginning.
    public var comment: String?
    /// The numbers of the rows that are skipped, ascending and beginning with 1.
    ///
    /// A number is at most 1,000,000, and it is not in ``headerRows`` if the descriptor specifies both lists. The list
    /// is empty for a table in several files.
    public var commentRows: [Int] = []
    /// The content of an unquoted field that represents null, in addition to the texts in the schema; `nil` if there is
    /// none.
    public var nullSequence: String?
    /// A Boolean value that indicates whether blanks after a delimiter are ignored (default: `false`).
    ///
    /// In dialects before version 1.2, which only version 1 of the Data Package standard allows, the default is `true`.
    public var skipsInitialSpace = false
    /// The names of the members that lead from the root of a JSON document to its array of records, separated by
    /// periods; `nil` if the root is the array.
    public var property: String?

    /// A Boolean value that indicates whether the comparison of a header's names with the schema's fields ignores case.
    ///
    /// It can be `true` only for a descriptor of version 1 of the Data Package standard.
    public var ignoresCaseOfHeader = false

    /// Creates the default dialect of the Data Package standard.
    public init() {}
}
