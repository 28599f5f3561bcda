/// The way in which fields and records of a resource are separated, as in the Table Dialect of the Data Package
/// standard.
public struct ResourceDialect: Sendable, Hashable {
    /// The ASCII character between two fields.
    public var delimiter = UInt8(ascii: ",")
    /// The ASCII character around fields that contain delimiters, or `nil` if fields are never quoted.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// A Boolean value that indicates whether a quote inside a quoted field is written twice.
    public var doublesQuotes = true
    /// The ASCII character before a character without its special meaning, or `nil` if there is no such character.
    public var escape: UInt8?
    /// The numbers of the rows that contain the names of the columns, ascending and beginning with 1; empty if no row
    /// contains them.
    public var headerRows = [1]
    /// The text that is inserted between the parts of a column's name, if several rows contain the names.
    public var headerJoin = " "
    /// The text with which skipped rows begin; `nil` if no rows are skipped because of their beginning.
    public var comment: String?
    /// The numbers of the rows that are skipped, ascending and beginning with 1.
    public var commentRows: [Int] = []
    /// The content of an unquoted field that represents null, in addition to the texts in the schema; `nil` if there is
    /// none.
    public var nullSequence: String?
    /// A Boolean value that indicates whether blanks after a delimiter are ignored.
    public var skipsInitialSpace = false
    /// The names of the members that lead from the root of a JSON document to its array of records, separated by
    /// periods; `nil` if the root is the array.
    public var property: String?

    /// A Boolean value that indicates whether the comparison of a header's names with the schema's fields ignores case.
    public var ignoresCaseOfHeader = false

    /// Creates the default dialect of the Data Package standard.
    public init() {}
}
