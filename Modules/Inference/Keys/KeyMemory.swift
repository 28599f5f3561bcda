/// The memory that all columns together may use for their distinct values.
final class KeyMemory {
    /// 64 MiB: enough for two columns of a million values in any order.
    static let bytes = 64 * 1024 * 1024
    /// The maximum count of distinct values in one column.
    static let mostValues = 1_000_000

    private var left = KeyMemory.bytes

    /// Reserves memory; returns `false` without reserving if not enough is left.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= left else { return false }
        left -= bytes
        return true
    }

    func release(_ bytes: Int) { left += bytes }
}
