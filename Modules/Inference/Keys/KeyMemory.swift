/// A limit for the memory that the distinct values of all columns use together.
///
/// The columns share one instance, so that a column with many values can use memory that other columns do not need. It
/// is not safe for use from several threads.
final class KeyMemory {
    /// The maximum memory for distinct values, 64 MiB.
    ///
    /// It is sufficient for two columns with a million values each, even if the values are not sorted.
    static let bytes = 64 * 1024 * 1024
    /// The maximum count of distinct values that are stored for one column.
    static let mostValues = 1_000_000

    /// The count of bytes that are not reserved.
    private var left = KeyMemory.bytes

    /// Reserves a number of bytes; returns `false`, without reserving any, if fewer are available.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= left else { return false }
        left -= bytes
        return true
    }

    /// Releases reserved bytes.
    func release(_ bytes: Int) { left += bytes }
}
