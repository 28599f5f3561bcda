package import StrataCore

/// One connection to a database; no two threads are inside it at once.
///
/// What the engines' stores do with statements is written once for all of them; an engine's library stands behind this and ``SQLStatement``.
package protocol SQLConnection: AnyObject {
    associatedtype Statement: SQLStatement

    /// The statement of a text: a prepared one where there is one and it is free.
    func statement(_ sql: String) throws -> Statement
    /// Runs statements that give no rows and take no values.
    func execute(_ sql: String) throws
    /// The number of rows the last statement changed.
    var changes: Int { get }
    /// The first column of a statement's first row as a text; `nil` where there is no row, or null.
    func text(_ sql: String, _ values: StoredValue...) throws -> String?
    /// The first column of all of a statement's rows as texts.
    func texts(_ sql: String, _ values: StoredValue...) throws -> [String]
    /// The row that a statement selects by its identifier, with all columns; `nil` where there is none.
    func storedRow(_ id: Int64, of entity: EntityDescription, by sql: String) throws -> StoredRow?

    /// Refuses to go on where the engine has ended the transaction by itself, or what fails has spoilt it.
    func checkInTransaction() throws
    /// Gives the rows a request selects to `body`.
    func fetch(_ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow) throws
    /// The number of rows a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int
    /// Gives the pairs of a request to `body`.
    func joins(_ request: ResolvedJoinRequest, in layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow) throws
    /// Runs a statement that changes or deletes rows of one table, and gives their identifiers, ascending.
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64]
    /// Throws where references lead nowhere that are checked at the transaction's end only, as far as it has changed any.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws
}

extension SQLConnection {
    /// The row of an identifier; `nil` where there is none.
    func storedRow(_ id: Int64, of entity: EntityDescription, in layout: SQLLayout) throws -> StoredRow? {
        try storedRow(id, of: entity, by: layout.selection(entity))
    }
}

/// A statement of a connection.
package protocol SQLStatement: AnyObject {
    /// Binds one parameter; the first has the number 1.
    func bind(_ value: StoredValue, at index: Int32) throws
    /// Binds one parameter to a whole number.
    func bind(_ number: Int64, at index: Int32) throws
    /// True when the statement stands on a row, false when it is done.
    func step() throws -> Bool
    /// A whole number of the row that the statement stands on; the first column has the number 0.
    func integer(at column: Int32) -> Int64
    /// Binds one parameter to a cell where it lies: the block stays as it is until the run has ended.
    func bind(_ block: RowBlock, row: Int, column: Int, at index: Int32) throws
    /// A value of the row that the statement stands on; `nil` where it is none of the type.
    func value(at column: Int32, as type: AttributeType) throws -> StoredValue?
    /// Ends one run of a series in which every run binds all parameters anew.
    func rewind()
    /// Frees the statement for its next use; the values it was bound to are forgotten.
    func reset()
}

extension SQLConnection {
    /// Runs one statement to its end.
    package func run(_ sql: String, _ values: StoredValue...) throws { try run(sql, values) }

    /// Runs one statement to its end.
    package func run(_ sql: String, _ values: [StoredValue]) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The first column of a statement's first row as a number; `nil` when it gives no row.
    package func number(_ sql: String, _ values: StoredValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(at: 0) : nil
    }
}

extension SQLStatement {
    /// The first columns of the current row as whole numbers; null is 0.
    package func integers(_ count: Int) -> [Int64] { (0..<Int32(count)).map(integer) }

    /// A whole number of the current row, or null.
    func optionalInteger(at column: Int32) throws -> Int64? {
        if case .integer(let number)? = try value(at: column, as: .integer64) { number } else { nil }
    }

    /// Bytes of the current row; null is none.
    func bytes(at column: Int32) throws -> [UInt8] {
        if case .binary(let data)? = try value(at: column, as: .binary) { Array(data) } else { [] }
    }

    /// Runs the statement to its end and frees it.
    package func run(_ values: [StoredValue]) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Binds all parameters.
    package func bind(_ values: [StoredValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index) + 1) }
    }
}
