import CStrataSQLite
import StrataCore

/// The rows of a table of another program, in the order of their numbers or of their key.
final class ForeignRows {
    private let statement: SQLiteStatement

    init(_ table: ForeignTable, on connection: SQLiteConnection) throws {
        let columns = table.columns.map { ForeignName.quoted($0.name) }.joined(separator: ", ")
        let order = table.order.isEmpty ? "" : " ORDER BY \(table.order.joined(separator: ", "))"
        statement = try connection.statement("SELECT \(columns) FROM \(ForeignName.quoted(table.name))\(order)")
        statement.markInUse()
    }

    func step() throws -> Bool { try statement.step() }

    /// Returns a value of the current row, valid until the next step.
    func raw(_ column: Int) -> RawValue { SQLiteValues.raw(statement.handle, Int32(column)) }

    func end() { statement.reset() }
}
