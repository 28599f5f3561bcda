public import StrataCore

/// An error for a column of a row that cannot be read as the requested Swift type.
///
/// Only code that reads columns itself receives this error. Fetches of records throw a ``PersistenceError`` with code
/// ``PersistenceError/Code/unreadable`` instead, with this error's cause in ``PersistenceError/underlying``.
public struct UnreadableColumn: Error, CustomStringConvertible {
    /// The index of the column in the entity, from 0.
    public let index: Int
    /// The error that the requested type threw: a ``ValueError``, or an error that the type defines itself.
    public let underlying: any Error

    package init(index: Int, underlying: any Error) {
        self.index = index
        self.underlying = underlying
    }

    /// The index of the column, and the error that its type threw.
    public var description: String { "column \(index): \(underlying)" }
}

extension RowReader {
    /// Reads the value of the column at an index in the entity as the requested Swift type.
    ///
    /// The code that reads records replaces the thrown error with one that names the entity, the attribute and the
    /// object.
    ///
    /// - Throws: ``UnreadableColumn`` if the stored value is not a value of the type, or if the column does not exist;
    ///   ``PersistenceError`` if the row cannot be read.
    @inlinable
    public subscript<Value: AttributeValue>(index: Int) -> Value {
        get throws {
            do { return try Value.read(self, at: index) } catch { throw unreadable(error, at: index) }
        }
    }

    /// Returns the error for a column of the row that cannot be read as the requested type.
    ///
    /// The method is not inlined, because it is called only in case of an error.
    @usableFromInline
    func unreadable(_ error: any Error, at index: Int) -> any Error {
        if error is PersistenceError || error is UnreadableColumn { return error }
        return UnreadableColumn(index: index, underlying: error)
    }
}
