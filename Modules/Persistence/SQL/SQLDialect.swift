package import StrataCore
package import StrataStoreKit

/// The parts of SQL that differ between database engines.
///
/// ``SQLWriter`` and ``SQLLayout`` write the SQL that all engines have in common. All dialects quote names as the SQL
/// standard (ISO/IEC 9075) defines. Each text argument of a method is a complete SQL expression, possibly with
/// parameters. If a dialect's parameters have no numbers, its methods use each argument exactly once and in the order
/// of the arguments. The parameters of a statement are then in the order of their values.
package protocol SQLDialect: Sendable {
    /// Returns the SQL of a statement's parameter; the first parameter has the number 1.
    func parameter(_ number: Int) -> String
    /// Returns the SQL of a parameter for a text in a condition; the engine compares such texts by their bytes.
    func textParameter(_ number: Int) -> String

    /// A Boolean value that indicates whether the model texts in the store's metadata mark the format of the store.
    ///
    /// Earlier builds, which do not know views, must not open a store with views. If this value is true, these builds
    /// recognize such a store by its model texts. Otherwise they recognize it by a format number in the database.
    var marksModelTexts: Bool { get }

    // MARK: Tables

    /// Returns the SQL type of a column that stores an attribute's values.
    func columnType(_ type: AttributeType) -> String
    /// The end of a column definition with a reference to another table's row; it defers the check of the reference to
    /// the commit.
    var deferredReference: String { get }
    /// A Boolean value that indicates whether a reference column can be defined only after the table that it
    /// references.
    var definesReferencesLast: Bool { get }
    /// The end of a query for a row that a save will reference; it prevents the row's deletion until the save has
    /// ended.
    var keepsRow: String { get }
    /// A Boolean value that indicates whether the indexes of an empty table are created after its rows are inserted.
    ///
    /// This is an advantage if the creation of an index does not block readers of the table.
    var buildsIndexesLast: Bool { get }
    /// Returns the options that follow a table's columns in its definition; `keyColumns` is the count of primary key
    /// columns.
    func tableOptions(keyColumns: Int) -> String
    /// The order of a column in an index, with a leading space; empty if the engine's default order is that of
    /// ``orderingTerm(_:isDescending:)``.
    ///
    /// An index serves a request only if their orders agree, also for columns that contain no nulls.
    var indexOrder: String { get }
    /// Returns the beginning of the statement that creates a temporary table, and the table's name in SQL.
    func temporaryTable(_ name: String) -> (creation: String, name: String)
    /// Returns the statement that creates an index of a temporary table.
    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String

    // MARK: History

    /// The type of the column with the number of a transaction, which the database assigns and never uses again.
    var historyNumber: String { get }
    /// The number by which the database orders the commits of transactions; a number such as `0` if commits never
    /// overlap.
    var transactionOrder: String { get }
    /// The order of the first transaction that may still be running; `nil` if commits never overlap.
    var historyHorizon: String? { get }

    // MARK: Views

    /// The query for the names of all tables, indexes and views of the store's database.
    var relationNames: String { get }
    /// The query for the names of all views, and for the definitions that the database stores for them.
    var viewDefinitions: String { get }
    /// Returns the expression for a column's value in a view.
    ///
    /// In a view, decimals are texts with all digits, dates are ISO 8601 texts, and other values are unchanged.
    func fileValue(_ column: String, _ type: AttributeType) -> String
    /// Returns a name with an ending, shortened so that the result has at most the length that the engine supports.
    func shortened(_ name: String, with ending: String) -> String

    // MARK: Truth and null

    /// Returns the SQL of true or false as a condition.
    func truth(_ value: Bool) -> String
    /// Returns a condition that is true if two values are equal or both are null.
    func isSame(_ left: String, _ right: String) -> String
    /// Returns a condition that is true if two values differ or only one of them is null.
    func isDifferent(_ left: String, _ right: String) -> String
    /// Returns a term of `ORDER BY` for a value; null is first, or last if the order is descending.
    func orderingTerm(_ value: String, isDescending: Bool) -> String

    // MARK: Values

    /// Returns the expression for an arithmetic operation with a result of a kind; overflow and division by zero are
    /// errors.
    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String
    /// Returns an expression with the same value that the engine evaluates only when it has read a row.
    ///
    /// Otherwise the engine could evaluate a calculation of constants before it reads a row, and report an error
    /// although no row is read.
    func known(_ value: String) -> String
    /// Returns the expression for null in a position where the engine expects a value of a kind.
    func null(as kind: OperandType.Kind) -> String
    /// Returns the call of a function with an argument of a kind; if the argument is null, the result is null.
    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String
    /// Returns an expression that compares two decimals.
    ///
    /// The result is -1, 0 or 1 if the left decimal is less than, equal to or greater than the right one, and null if
    /// either decimal is null.
    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String
    /// Returns an expression that compares an integer with a floating-point number without rounding.
    ///
    /// The result is -1, 0 or 1 if the integer is less than, equal to or greater than the floating-point number, and
    /// null if either number is null.
    ///
    /// The method returns `nil` if the engine's own comparison operators do not round the numbers.
    func comparison(ofInteger integer: String, withDouble double: String) -> String?
    /// Returns the expression for the greater of two numbers.
    func greater(_ left: String, _ right: String) -> String
    /// Returns the expression for the lesser of two numbers.
    func lesser(_ left: String, _ right: String) -> String
    /// Returns the literal for a value in a table's definition.
    func literal(_ value: StoredValue) -> String
    /// The expression that results in a new random UUID for each row.
    var newUUID: String { get }
    /// Returns a Boolean value that indicates whether a column of the new type stores a value of the old type in the
    /// same form.
    func keeps(_ conversion: ValueConversion) -> Bool
    /// Returns an expression that converts a value from one type to another, or `nil` if SQL cannot convert it.
    ///
    /// Call this method only if ``keeps(_:)`` returns false for the conversion.
    func converted(_ value: String, _ conversion: ValueConversion) -> String?
    /// Returns an expression with the same value as a number; a migration counts rows by the evaluations of the
    /// expression.
    func counted(_ number: String) -> String

    // MARK: Aggregates

    /// Returns the expression for an aggregate over columns, whose names the expression may contain several times.
    ///
    /// Dialects call ``commonAggregate(_:of:)`` for the aggregates that they do not compute in their own way.
    func aggregate(_ aggregate: ResolvedAggregate, of columns: [String]) -> String

    // MARK: Texts

    /// Returns the expression for a text in which the letters A to Z are replaced by a to z.
    func lowercased(_ text: String) -> String
    /// Returns a condition that is true if a text contains another text.
    func contains(_ text: String, _ part: String) -> String
    /// Returns a condition that is true if a text ends with another text.
    func endsWith(_ text: String, _ part: String) -> String
    /// Returns a pattern with the wildcards `*` and `?` in the form that ``like(_:_:ignoringCase:)`` requires.
    func pattern(_ pattern: String) -> String
    /// Returns a condition that is true if a text matches a pattern from ``pattern(_:)``.
    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String

    // MARK: Rows

    /// Returns a condition that is true if a number is in a list that one parameter contains.
    func isMember(_ value: String, ofList list: String) -> String
    /// Returns the value of the parameter with a list of numbers, for ``isMember(_:ofList:)``.
    func list(_ numbers: [Int64]) -> StoredValue
    /// Returns a condition that is true if a text is in a list that one parameter contains.
    func isText(_ value: String, ofList list: String) -> String
    /// Returns the value of the parameter with a list of texts without U+0000, for ``isText(_:ofList:)``.
    func list(_ texts: [String]) -> StoredValue
    /// Returns the clause that limits the count of result rows and skips the first ones, with a leading space.
    func window(limit: String?, offset: String?) -> String
    /// The operator that joins two tables; it suggests to the engine to read the first table before the second.
    var orderedJoin: String { get }
}

extension SQLDialect {
    /// Returns the same text as ``parameter(_:)``.
    package func textParameter(_ number: Int) -> String { parameter(number) }

    /// Returns the value unchanged, for an engine that evaluates expressions only for rows.
    package func known(_ value: String) -> String { value }

    /// Returns the expression for an aggregate that all engines compute in the same way.
    package func commonAggregate(_ aggregate: ResolvedAggregate, of columns: [String]) -> String {
        let column = columns.first ?? "*"
        switch aggregate.function {
        case .count: return "count(*)"
        case .countValues: return "count(\(column))"
        case .countDistinct where columns.count == 1: return "count(DISTINCT \(column))"
        case .countDistinct: return "count(DISTINCT (\(columns.joined(separator: ", "))))"
        case .sum: return "sum(\(column))"
        case .total: return "coalesce(sum(\(column)), 0)"
        case .average: return "avg(\(column))"
        case .minimum: return "min(\(column))"
        case .maximum: return "max(\(column))"
        }
    }

    /// Returns null without a type.
    package func null(as kind: OperandType.Kind) -> String { "NULL" }

    /// Returns `nil`, because the comparison operators of most engines do not round the numbers.
    package func comparison(ofInteger integer: String, withDouble double: String) -> String? { nil }

    /// False, because most engines allow the definition of a reference together with its column.
    package var definesReferencesLast: Bool { false }
    package var keepsRow: String { "" }

    /// True, because in most engines the creation of an index does not block readers.
    package var buildsIndexesLast: Bool { true }
    package var indexOrder: String { "" }

    /// Returns the pattern unchanged, for an engine whose patterns have the wildcards `*` and `?`.
    package func pattern(_ pattern: String) -> String { pattern }
}
