/// Why a column of a row could not be read as the type that was asked for.
public struct UnreadableColumn: Error, CustomStringConvertible {
    /// The column's place in the entity, from 0.
    public let index: Int
    /// What the type threw: a ``ValueError``, or an error of its own.
    public let underlying: any Error

    package init(index: Int, underlying: any Error) {
        self.index = index
        self.underlying = underlying
    }

    /// The column's place, and what its type threw.
    public var description: String { "column \(index): \(underlying)" }
}

extension RowReader {
    /// The value of a column, by its place in the entity, as the Swift type asked for.
    ///
    /// Whoever reads records names the entity, the attribute and the object in the error that this becomes.
    ///
    /// - Throws: ``UnreadableColumn`` when what is stored is no such value, or there is no such column; ``PersistenceError`` when the row cannot be read.
    @inlinable
    public subscript<Value: AttributeValue>(index: Int) -> Value {
        get throws {
            do { return try Value.read(self, at: index) } catch { throw unreadable(error, at: index) }
        }
    }

    /// Not inlined: it is as good as never called.
    @usableFromInline
    func unreadable(_ error: any Error, at index: Int) -> any Error {
        if error is PersistenceError || error is UnreadableColumn { return error }
        return UnreadableColumn(index: index, underlying: error)
    }
}
