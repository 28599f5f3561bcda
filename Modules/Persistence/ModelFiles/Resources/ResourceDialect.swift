/// The separation of the fields, lines and records of a resource, as in the dialect of the standard.
public struct ResourceDialect: Sendable, Hashable {
    /// The ASCII character between two fields.
    public var delimiter = UInt8(ascii: ",")
    /// The ASCII character around fields that contain delimiters, or `nil` if there is none.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// A Boolean value that indicates whether a quote inside a quoted field is written twice.
    public var doublesQuotes = true
    /// The ASCII character that removes the special meaning of the next character, or `nil` if there is none.
    public var escape: UInt8?
    /// The ascending numbers of the rows with the names of the columns, beginning with 1; empty if there are none.
    public var headerRows = [1]
    /// The text between the parts of a name that is distributed over several rows.
    public var headerJoin = " "
    /// The text at the beginning of rows that are skipped.
    public var comment: String?
    /// The ascending numbers of the rows that are skipped, beginning with 1.
    public var commentRows: [Int] = []
    /// The content of an unquoted field that means null, in addition to the texts in the schema.
    public var nullSequence: String?
    /// A Boolean value that indicates whether blanks after a delimiter are not part of the field.
    public var skipsInitialSpace = false
    /// The path of keys to the records of a JSON document, separated by periods.
    public var property: String?

    /// A Boolean value that indicates whether names in the header may differ from the schema in case.
    public var ignoresCaseOfHeader = false

    /// Creates the default dialect of the standard.
    public init() {}
}
