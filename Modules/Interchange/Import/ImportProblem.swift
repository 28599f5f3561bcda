/// A record that was not stored, and the reason.
///
/// An import passes problems to ``ImportOptions/onProblem``, in the order of the records. A ``RejectsFile`` stores
/// problems with their records, and an ``ImportReport`` stores their errors.
///
/// ## Topics
///
/// ### The reason
///
/// - ``error``
/// - ``isFatal``
///
/// ### The record
///
/// - ``source``
/// - ``original``
/// - ``header``
public struct ImportProblem: Sendable {
    /// The reason why the record was not stored, with file, line, record and column.
    ///
    /// One error contains all problems of the record that were found, so that the user can fix them together.
    public var error: InterchangeError
    /// The index of the dataset among the sources of the import, from 0.
    public var source: Int
    /// The verbatim bytes of the record, with its line break if it has one.
    ///
    /// If ``ImportOptions/keepsOriginals`` is `false`, the array is empty.
    ///
    /// For a record of a JSON object whose members are records, the bytes have braces around them, so they are a
    /// document. If the problem is fatal, the array may be empty.
    public var original: [UInt8]
    /// The verbatim bytes of the header, with its line break; empty if the file has no header.
    public var header: [UInt8] = []
    /// A Boolean value that indicates whether the record aborts the import instead of being skipped.
    ///
    /// If it is `true`, nothing is stored after the last commit. Such a problem may also be an error of the file as a
    /// whole.
    public var isFatal = false
}
