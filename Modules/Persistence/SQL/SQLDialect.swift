package import StrataCore

/// The SQL that differs between engines.
///
/// ``SQLWriter`` and ``SQLLayout`` write the SQL that all engines have in common. All dialects quote names as the SQL
/// standard defines it. Each text argument is a complete expression, including its parameters. If the parameters of a
/// dialect have no numbers, the dialect uses each text exactly once and in the given order. This keeps the parameters
/// in the order of their values.
package protocol SQLDialect: Sendable {
    /// Returns a statement's parameter; the first parameter has the number 1.
    func parameter(_ number: Int) -> String
    /// Returns the parameter for a text of a condition, which the engine compares by its bytes.
    func textParameter(_ number: Int) -> String

    /// A Boolean value that indicates whether the stored model texts mark the format of the store.
    ///
    /// Earlier builds, which do not know views, must not open such a store. If the value is true, these builds
    /// recognize this from the model texts. Otherwise the database stores a format number.
    var marksModelTexts: Bool { get }

    // MARK: Tables

    /// Returns the type of the columns that store an attribute's values.
    func columnType(_ type: AttributeType) -> String
    /// The end of a column's reference to another table's row, which defers the check to the commit.
    var deferredReference: String { get }
    /// A Boolean value that indicates whether a reference can be defined only after the table that it references.
    var definesReferencesLast: Bool { get }
    /// The end of a query for a row that a save will reference, which prevents its deletion until the save has ended.
    var keepsRow: String { get }
    /// A Boolean value that indicates whether indexes of an empty table should be created after its rows are inserted.
    ///
    /// This is the case if the creation of an index does not block readers of the table.
    var buildsIndexesLast: Bool { get }
    /// Returns the options that follow a table's columns, some of which are its primary key.
    func tableOptions(keyColumns: Int) -> String
    /// Returns the beginning of the statement that creates a connection's temporary table, and the table's name.
    func temporaryTable(_ name: String) -> (creation: String, name: String)
    /// Returns the statement that creates an index of a temporary table.
    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String

    // MARK: Views

    /// The query for the names of all tables, indexes and views of the store's database.
    var relationNames: String { get }
    /// The query for the names of all views, and for the definitions that the database stores for them.
    var viewDefinitions: String { get }
    /// Returns a column's value as a view presents it.
    ///
    /// Decimals are texts with all digits, dates are ISO 8601 texts, and other values are unchanged.
    func fileValue(_ column: String, _ type: AttributeType) -> String
    /// Returns a name, shortened to the length that the engine supports, with an ending that makes it unique.
    func shortened(_ name: String, with ending: String) -> String

    // MARK: Truth and null

    /// Returns a truth constant.
    func truth(_ value: Bool) -> String
    /// Returns a condition that is true if two values are equal, including if both are null.
    func isSame(_ left: String, _ right: String) -> String
    /// Returns a condition that is true if two values differ, including if only one is null.
    func isDifferent(_ left: String, _ right: String) -> String
    /// Returns an ordering term; null is first, or last if the order is descending.
    func orderingTerm(_ value: String, isDescending: Bool) -> String

    // MARK: Values

    /// Returns arithmetic with results of a kind; overflow and division by zero are errors.
    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String
    /// Returns a value that the engine does not evaluate before it reads a row.
    ///
    /// The engine could otherwise evaluate a calculation with a constant value early, and report an error that no row
    /// causes.
    func known(_ value: String) -> String
    /// Returns null for a context that expects a value of a kind.
    func null(as kind: OperandType.Kind) -> String
    /// Returns the call of a function for a value of a kind; the result is null for null.
    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String
    /// Returns an expression that compares two decimals: -1, 0 or 1, or null if either decimal is null.
    ///
    /// The result is -1, 0 or 1 if the left decimal is less than, equal to or greater than the right one.
    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String
    /// Returns an expression that compares an integer with a floating-point number exactly.
    ///
    /// The result is -1, 0 or 1 if the integer is less than, equal to or greater than the other number. It is null if
    /// either number is null.
    ///
    /// Returns `nil` if the engine's own comparisons are exact.
    func comparison(ofInteger integer: String, withDouble double: String) -> String?
    /// Returns the greater of two numbers.
    func greater(_ left: String, _ right: String) -> String
    /// Returns the lesser of two numbers.
    func lesser(_ left: String, _ right: String) -> String
    /// Returns a value as a literal in a table's definition.
    func literal(_ value: StoredValue) -> String
    /// The expression for a new random UUID for each row.
    var newUUID: String { get }
    /// Returns a Boolean value that indicates whether the new column type stores the values of the old type unchanged.
    func keeps(_ conversion: ValueConversion) -> Bool
    /// Returns a value converted from one type to another, or `nil` if no expression converts it.
    ///
    /// Call this method only if a column does not keep the value unchanged; see ``keeps(_:)``.
    func converted(_ value: String, _ conversion: ValueConversion) -> String?
    /// Returns an expression whose value is a number, unchanged; a migration counts rows by its evaluations.
    func counted(_ number: String) -> String

    // MARK: Texts

    /// Returns a text with the letters A to Z replaced by a to z.
    func lowercased(_ text: String) -> String
    /// Returns a condition that is true if a text contains another.
    func contains(_ text: String, _ part: String) -> String
    /// Returns a condition that is true if a text ends with another.
    func endsWith(_ text: String, _ part: String) -> String
    /// Returns a pattern with `*` and `?` in the form that ``like(_:_:ignoringCase:)`` expects.
    func pattern(_ pattern: String) -> String
    /// Returns a condition that is true if a text matches a pattern.
    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String

    // MARK: Rows

    /// Returns a condition that is true if a number is in a list that is one parameter.
    func isMember(_ value: String, ofList list: String) -> String
    /// Returns the parameter value that contains a list of numbers, for ``isMember(_:ofList:)``.
    func list(_ numbers: [Int64]) -> StoredValue
    /// Returns a condition that is true if a text is in a list that is one parameter.
    func isText(_ value: String, ofList list: String) -> String
    /// Returns the parameter value that contains a list of texts without U+0000, for ``isText(_:ofList:)``.
    func list(_ texts: [String]) -> StoredValue
    /// Returns the clause that limits the rows of a result, with a leading space.
    func window(limit: String?, offset: String?) -> String
    /// The operator that joins two tables, the first of which the engine should read before the second.
    var orderedJoin: String { get }
}

extension SQLDialect {
    /// Returns the same text as ``parameter(_:)``.
    package func textParameter(_ number: Int) -> String { parameter(number) }

    /// Returns the value unchanged, for an engine that evaluates expressions only for rows.
    package func known(_ value: String) -> String { value }

    /// Returns null without a type.
    package func null(as kind: OperandType.Kind) -> String { "NULL" }

    /// Returns `nil`, for an engine whose own comparisons are exact.
    package func comparison(ofInteger integer: String, withDouble double: String) -> String? { nil }

    /// False: a reference is defined with its column.
    package var definesReferencesLast: Bool { false }
    package var keepsRow: String { "" }

    /// True: indexes are created after the rows if the options request it.
    package var buildsIndexesLast: Bool { true }

    /// Returns the pattern unchanged.
    package func pattern(_ pattern: String) -> String { pattern }
}
