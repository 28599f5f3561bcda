package import StrataCore

/// What one engine's SQL has of its own.
///
/// What engines have in common is written once, by ``SQLWriter`` and ``SQLLayout``. Names are quoted as the standard has it, in every dialect. A text that is given here is an expression already, parameters included: a dialect
/// whose parameters have no numbers names each text once and in the given order, so that they stand in the order of their values.
package protocol SQLDialect: Sendable {
    /// A statement's parameter; the first has the number 1.
    func parameter(_ number: Int) -> String
    /// The parameter of a condition's text, which is compared by its bytes.
    func textParameter(_ number: Int) -> String

    /// Whether builds that know no views learn from the texts of the model that they cannot open a store; otherwise
    /// the database has a number for the format.
    var marksModelTexts: Bool { get }

    // MARK: Tables

    /// The type of the columns that hold an attribute's values.
    func columnType(_ type: AttributeType) -> String
    /// What a column's reference to another table's row ends with: it is checked when the transaction ends.
    var deferredReference: String { get }
    /// Whether a reference can be defined only when the table is there that it leads to.
    var definesReferencesLast: Bool { get }
    /// What stands at the end of a question for a row that a save is going to refer to: what keeps it from going until the save has ended.
    var keepsRow: String { get }
    /// Whether indexes of an empty table are better made after its rows: where making them keeps nobody from reading it.
    var buildsIndexesLast: Bool { get }
    /// What stands behind a table's columns, of which some are its primary key.
    func tableOptions(keyColumns: Int) -> String
    /// A table that only its connection sees, to make it.
    func temporaryTable(_ name: String) -> (creation: String, name: String)
    /// Makes an index of such a table.
    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String

    // MARK: Views

    /// Gives the names of all tables, indexes and views of the store's database.
    var relationNames: String { get }
    /// Gives the names of all views, and what the database keeps of them.
    var viewDefinitions: String { get }
    /// A column's value as a view has it: decimals as texts with all digits, dates as ISO 8601 texts, and others as
    /// they are.
    func fileValue(_ column: String, _ type: AttributeType) -> String
    /// A name as long as the engine keeps names, with an ending that tells it from others.
    func shortened(_ name: String, with ending: String) -> String

    // MARK: Truth and null

    /// A truth that is known.
    func truth(_ value: Bool) -> String
    /// Whether two values are the same, where null is a value.
    func isSame(_ left: String, _ right: String) -> String
    /// Whether two values differ, where null is a value.
    func isDifferent(_ left: String, _ right: String) -> String
    /// A value that rows are ordered by, null first, or last where the order is the reverse.
    func orderingTerm(_ value: String, isDescending: Bool) -> String

    // MARK: Values

    /// Arithmetic of which overflow and division by zero are errors, with results of a kind.
    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String
    /// A value that is known before a row is read, where what is calculated of it must not be: an error would be one of no row.
    func known(_ value: String) -> String
    /// Null, where a value of a kind is expected.
    func null(as kind: OperandType.Kind) -> String
    /// What a function makes of a value of a kind; null of null.
    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String
    /// -1, 0 or 1 as one decimal is less than, equal to or greater than the other; null where either is.
    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String
    /// -1, 0 or 1 as a whole number is less than, equal to or greater than a floating-point number, exactly; null where either is.
    ///
    /// `nil` where the engine's own comparisons are exact.
    func comparison(ofInteger integer: String, withDouble double: String) -> String?
    /// The greater of two numbers.
    func greater(_ left: String, _ right: String) -> String
    /// The lesser of two numbers.
    func lesser(_ left: String, _ right: String) -> String
    /// A value as it stands in a table's definition.
    func literal(_ value: StoredValue) -> String
    /// A fresh random identifier for each row.
    var newUUID: String { get }
    /// Whether a column of the later type has what one of the earlier type has, as it is.
    func keeps(_ conversion: ValueConversion) -> Bool
    /// What a value of one type is as one of another, where a column does not keep it; `nil` where no expression says that.
    func converted(_ value: String, _ conversion: ValueConversion) -> String?
    /// A number that is given back as it is; whoever migrates counts the rows by it.
    func counted(_ number: String) -> String

    // MARK: Texts

    /// A text whose letters A to Z are a to z.
    func lowercased(_ text: String) -> String
    /// Whether a text contains another.
    func contains(_ text: String, _ part: String) -> String
    /// Whether a text ends with another.
    func endsWith(_ text: String, _ part: String) -> String
    /// A pattern with `*` and `?` as ``like(_:_:ignoringCase:)`` takes it.
    func pattern(_ pattern: String) -> String
    /// Whether a text matches a pattern.
    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String

    // MARK: Rows

    /// Whether a number is in a list that is one parameter.
    func isMember(_ value: String, ofList list: String) -> String
    /// The value of such a parameter.
    func list(_ numbers: [Int64]) -> StoredValue
    /// Whether a text is in a list that is one parameter.
    func isText(_ value: String, ofList list: String) -> String
    /// The value of such a parameter; no text has U+0000.
    func list(_ texts: [String]) -> StoredValue
    /// The rows that are wanted of all, beginning with a space.
    func window(limit: String?, offset: String?) -> String
    /// Joins two tables, where the first should be read before the second.
    var orderedJoin: String { get }
}

extension SQLDialect {
    /// As any other.
    package func textParameter(_ number: Int) -> String { parameter(number) }

    /// As it is: the engine calculates for rows only.
    package func known(_ value: String) -> String { value }

    /// Of no kind.
    package func null(as kind: OperandType.Kind) -> String { "NULL" }

    /// The engine's own are.
    package func comparison(ofInteger integer: String, withDouble double: String) -> String? { nil }

    /// With its column.
    package var definesReferencesLast: Bool { false }
    package var keepsRow: String { "" }

    /// Where the options ask for it.
    package var buildsIndexesLast: Bool { true }

    /// As it is.
    package func pattern(_ pattern: String) -> String { pattern }
}
