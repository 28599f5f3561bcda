import StrataPersistence
import StrataStoreKit

extension ContractProbe {
    /// Saves rows without specified values.
    ///
    /// Optional columns are null. Mandatory columns have an empty text or 0.
    func insert(_ entity: String, ids: ClosedRange<Int64>) throws {
        try insert(entity, ids.map { ($0, [:]) })
    }

    /// Returns the join row with two identifiers.
    static func pair(_ ends: (Int64, Int64)) -> JoinPair { JoinPair(source: ends.0, target: ends.1) }

    /// Returns a change of the join rows of a join table.
    ///
    /// The removed join rows are listed too, because a save removes join rows before it adds join rows.
    func linking(
        _ join: String, adding added: [(Int64, Int64)] = [], removing removed: [(Int64, Int64)] = []
    ) -> ChangeSet {
        var changes = ChangeSet()
        changes.joins[join, default: .init()].added = added.map { JoinRow(Self.pair($0)) }
        changes.joins[join, default: .init()].removed = removed.map(Self.pair)
        return changes
    }

    /// Returns the join rows as texts such as `1-2`.
    ///
    /// The order is that of the store: by owner, then by position, then by the other end.
    ///
    /// - Parameters:
    ///   - join: The name of the join table, such as `Article_tags`.
    ///   - side: The end whose rows are the owners.
    ///   - ids: The owners, or `nil` for all join rows. An empty list selects no join rows.
    /// - Returns: The join rows, with the source before the target.
    /// - Throws: The error of the store.
    func pairs(_ join: String, _ side: JoinRequest.Side = .source, of ids: [Int64]? = nil) throws -> [String] {
        try store.joins(JoinRequest(join, of: side, ids: ids)).map { "\($0.pair.source)-\($0.pair.target)" }
    }
}
