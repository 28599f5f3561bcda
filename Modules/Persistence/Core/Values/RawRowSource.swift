/// A column's value in the form in which the store keeps it, one of its ``StorageClass``, borrowed for as long as the row is stood on.
package enum RawValue {
    case null
    /// A whole number, a truth value, or the digits of a decimal.
    case integer(Int64)
    /// A floating-point number, or the seconds of an instant.
    case real(Double)
    /// A text's bytes, which nobody has checked, or a UUID's.
    case text(UnsafeBufferPointer<UInt8>)
    /// Binary data.
    case blob(UnsafeRawBufferPointer)
}

/// A source whose memory can be borrowed, so that whoever writes the values as bytes makes no value of each before.
package protocol RawRowSource: RowSource {
    /// The column's value as it is kept, whatever its type ought to be.
    func raw(at index: Int) -> RawValue
}

extension RowReader {
    /// The row's source, where its memory can be borrowed.
    package var raw: (any RawRowSource)? { source as? any RawRowSource }

    /// Whether the row is read from that source, which ``raw`` gave before: looking it up again takes longer.
    package func isRead(from raw: any RawRowSource) -> Bool { source === raw }
}
