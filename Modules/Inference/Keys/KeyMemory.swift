/// The memory that all columns together may take for the values that they had.
final class KeyMemory {
    /// 64 MiB: two columns of a million values in any order.
    static let bytes = 64 * 1024 * 1024
    /// The most distinct values of one column.
    static let mostValues = 1_000_000

    private var left = KeyMemory.bytes

    /// Takes memory; false, and nothing taken, where there is not so much left.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= left else { return false }
        left -= bytes
        return true
    }

    func giveBack(_ bytes: Int) { left += bytes }
}
