/// An error that reports that a column of a row cannot be read as the requested type.
public struct UnreadableColumn: Error, CustomStringConvertible {
    /// The index of the column in the entity, from 0.
    public let index: Int
    /// The error that the type threw: a ``ValueError`` or an error of its own.
    public let underlying: any Error

    package init(index: Int, underlying: any Error) {
        self.index = index
        self.underlying = underlying
    }

    /// The index of the column, and the error that its type threw.
    public var description: String { "column \(index): \(underlying)" }
}

extension RowReader {
    /// Reads the value of a column, by its index in the entity, as the requested Swift type.
    ///
    /// The code that reads records converts the error to one that names the entity, the attribute and the object.
    ///
    /// - Throws: ``UnreadableColumn`` if the stored value is not a value of the type, or if the column does not exist;
    ///     ``PersistenceError`` if the row cannot be read.
    @inlinable
    public subscript<Value: AttributeValue>(index: Int) -> Value {
        get throws {
            do { return try Value.read(self, at: index) } catch { throw unreadable(error, at: index) }
        }
    }

    /// Returns the error for a column that cannot be read.
    ///
    /// The method is not inlined because it is almost never called.
    @usableFromInline
    func unreadable(_ error: any Error, at index: Int) -> any Error {
        if error is PersistenceError || error is UnreadableColumn { return error }
        return UnreadableColumn(index: index, underlying: error)
    }
}
