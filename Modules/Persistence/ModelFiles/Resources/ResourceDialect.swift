/// How the fields, lines and records of a resource are told apart, as the standard's dialect says.
public struct ResourceDialect: Sendable, Hashable {
    /// The ASCII character between two fields.
    public var delimiter = UInt8(ascii: ",")
    /// The ASCII character around fields that hold delimiters; `nil` where there is none.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// Whether a quote inside a field in quotes is written twice.
    public var doublesQuotes = true
    /// The ASCII character behind which every other one is no more than a character; `nil` where there is none.
    public var escape: UInt8?
    /// The numbers of the rows, from 1, that name the columns, rising; empty where none does.
    public var headerRows = [1]
    /// What stands between the parts of a name that is in several rows.
    public var headerJoin = " "
    /// What rows begin with that are left out.
    public var comment: String?
    /// The numbers of rows, from 1, that are left out, rising.
    public var commentRows: [Int] = []
    /// A field without quotes that means null, beside what the schema says.
    public var nullSequence: String?
    /// Whether blanks behind a delimiter are no part of the field.
    public var skipsInitialSpace = false
    /// The keys under which a JSON document has its records, divided by points.
    public var property: String?

    /// Whether names in the header may be written in other case than the schema has them.
    public var ignoresCaseOfHeader = false

    /// The standard's own dialect.
    public init() {}
}
