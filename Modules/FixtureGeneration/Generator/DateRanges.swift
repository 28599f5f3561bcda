/// The instants between which dates lie, in whole seconds since 2001-01-01T00:00:00Z.
///
/// Fixed numbers, so that neither a calendar nor the clock decides.
enum DateRanges {
    private static let day = 86_400

    /// 1995-01-01T00:00:00Z, 2,192 days before the reference date.
    private static let start1995 = -2_192 * day

    /// 2010-01-01T00:00:00Z, 3,287 days after the reference date.
    private static let start2010 = 3_287 * day

    /// 2025-01-01T00:00:00Z, 8,766 days after the reference date; the last second before it is still in.
    private static let start2025 = 8_766 * day

    /// When employees were hired: 1995 to 2024.
    static let hired = start1995..<start2025

    /// When colours and items were recorded: 2010 to 2024.
    static let recorded = start2010..<start2025
}
