/// A column's value in its stored form, borrowed from a row source; valid while its row is the current one.
package enum RawValue {
    case null
    /// An integer, a Boolean, or the digits of a decimal.
    case integer(Int64)
    /// A floating-point number, or the seconds of an instant.
    case real(Double)
    /// The unchecked bytes of a text or a UUID.
    case text(UnsafeBufferPointer<UInt8>)
    /// Binary data.
    case blob(UnsafeRawBufferPointer)
}

/// A source of rows whose memory can be borrowed, so that values can be written as bytes without a ``StoredValue``.
package protocol RawRowSource: RowSource {
    /// Returns the column's value in its stored form, without a check of its type.
    func raw(at index: Int) -> RawValue
}

extension RowReader {
    /// The row's source, if its memory can be borrowed.
    package var raw: (any RawRowSource)? { source as? any RawRowSource }

    /// Returns a Boolean value that indicates whether the row is read from a source that ``raw`` returned before.
    ///
    /// The comparison takes less time than another access to ``raw``.
    package func isRead(from raw: any RawRowSource) -> Bool { source === raw }
}
