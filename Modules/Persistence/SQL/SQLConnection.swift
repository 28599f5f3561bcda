package import StrataCore
package import StrataStoreKit

/// A connection to a database, which only one thread may use at a time.
///
/// All SQL stores share code that uses this protocol. Each engine implements this protocol and ``SQLStatement`` by its
/// client library.
package protocol SQLConnection: AnyObject {
    associatedtype Statement: SQLStatement

    /// Returns a statement for an SQL text: the cached prepared statement if it is not in use, otherwise a new one.
    func statement(_ sql: String) throws -> Statement
    /// Runs one or more statements that return no rows and have no parameters.
    func execute(_ sql: String) throws
    /// The count of rows that the last statement changed.
    var changes: Int { get }
    /// Returns the first column of a statement's first row as text, or `nil` if there is no row or the value is null.
    func text(_ sql: String, _ values: StoredValue...) throws -> String?
    /// Returns the first column of all result rows of a statement as text.
    func texts(_ sql: String, _ values: StoredValue...) throws -> [String]
    /// Returns the row that a query finds by an identifier, with all columns; `nil` if there is no such row.
    func storedRow(_ id: Int64, of entity: EntityDescription, by sql: String) throws -> StoredRow?

    /// Throws if the engine has ended the transaction by itself, or if an error has made the transaction unusable.
    func checkInTransaction() throws
    /// Passes the rows that a request selects to `body`.
    func fetch(_ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow) throws
    /// Returns the count of rows that a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int
    /// Passes the join rows that a request selects to `body`.
    func joins(_ request: ResolvedJoinRequest, in layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow) throws
    /// Runs a statement that changes or deletes rows of one table, and returns the identifiers of these rows in
    /// ascending order.
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64]
    /// Throws if the transaction has made a reference dangling, which the engine itself would report only at the
    /// commit.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws
}

extension SQLConnection {
    /// Returns the row of an entity with an identifier, or `nil` if there is no such row.
    func storedRow(_ id: Int64, of entity: EntityDescription, in layout: SQLLayout) throws -> StoredRow? {
        try storedRow(id, of: entity, by: layout.selection(entity))
    }
}

/// A statement of a connection, with its parameters and its current result row.
package protocol SQLStatement: AnyObject {
    /// Binds a value to a parameter; the first parameter has the number 1.
    func bind(_ value: StoredValue, at index: Int32) throws
    /// Binds an integer to a parameter; the first parameter has the number 1.
    func bind(_ number: Int64, at index: Int32) throws
    /// Advances to the next row; returns true if the statement is positioned on a row, and false if it is done.
    func step() throws -> Bool
    /// Returns the integer in a column of the current row; the first column has the number 0.
    func integer(at column: Int32) -> Int64
    /// Binds a cell of a block to a parameter without a copy of the cell's bytes.
    ///
    /// The block must not change until the statement is reset or rewound.
    func bind(_ block: RowBlock, row: Int, column: Int, at index: Int32) throws
    /// Returns the value in a column of the current row, or `nil` if the value does not have the type.
    func value(at column: Int32, as type: AttributeType) throws -> StoredValue?
    /// Ends one run of a series of runs, each of which binds all parameters again.
    func rewind()
    /// Ends the statement's use, clears its bound values, and makes it available for the next use.
    func reset()
}

extension SQLConnection {
    /// Runs the statement with an SQL text until it is done.
    package func run(_ sql: String, _ values: StoredValue...) throws { try run(sql, values) }

    /// Runs the statement with an SQL text until it is done.
    package func run(_ sql: String, _ values: [StoredValue]) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Returns the first column of a statement's first row as an integer, or `nil` if the statement returns no row.
    package func number(_ sql: String, _ values: StoredValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(at: 0) : nil
    }
}

extension SQLStatement {
    /// Returns the first columns of the current row as integers, with 0 for null.
    package func integers(_ count: Int) -> [Int64] { (0..<Int32(count)).map(integer) }

    /// Returns the integer in a column of the current row, or `nil` for null.
    func optionalInteger(at column: Int32) throws -> Int64? {
        if case .integer(let number)? = try value(at: column, as: .integer64) { number } else { nil }
    }

    /// Returns the bytes of a column of the current row; for null, an empty array.
    func bytes(at column: Int32) throws -> [UInt8] {
        if case .binary(let data)? = try value(at: column, as: .binary) { Array(data) } else { [] }
    }

    /// Runs the statement with values for its parameters until it is done, and makes it available for the next use.
    package func run(_ values: [StoredValue]) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Binds a value to each parameter, in order.
    package func bind(_ values: [StoredValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index) + 1) }
    }
}
