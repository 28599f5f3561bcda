import StrataCore

/// The column that the inference chose as the key of a dataset.
///
/// Uniqueness alone does not make a column a key, because many columns of a short file are unique by chance. A name or
/// a reference from another dataset must also indicate it.
struct KeyChoice {
    /// The index of the column in the dataset.
    let column: Int
    /// The reason for the choice, for the report.
    let reason: String
    /// A Boolean value that indicates whether the values of the key are used as row identifiers.
    ///
    /// Such values are integers from 1 to 2^53 - 1.
    let isIdentifier: Bool
    /// A Boolean value that indicates whether records are not ordered by key in the file, so that the file's order must
    /// be stored.
    let keepsOrder: Bool
    /// A Boolean value that indicates whether the key was chosen because another dataset has a column with the key's
    /// name.
    let isShared: Bool

    /// Chooses a key by name among the unique columns without null; returns `nil` if no name suggests a key.
    ///
    /// A column with the name of another dataset's key is not a key of this dataset, even if a short file contains each
    /// value once. The first column is an exception: it can be a key, as in tables with additional data about another
    /// table's rows.
    ///
    /// - Parameters:
    ///   - table: The statistics of the dataset.
    ///   - decisions: The types that were chosen for the dataset's columns.
    ///   - given: The name of the key column that the user specified, or `nil`.
    ///   - ofDocument: The name of the column that contains the keys of a document's members, or `nil`.
    ///   - part: The reference to the dataset whose records contain this dataset's records, or `nil`.
    ///   - names: The names of all datasets.
    init?(
        _ table: TableScan, _ decisions: [ColumnDecision], given: String?, ofDocument: String? = nil,
        part: ParentReference?, among names: NamedTables
    ) {
        let candidates = table.columns.indices.filter {
            // The column that references the owner is named like the owner's key.
            Self.isCandidate(table.columns[$0], decisions[$0]) && table.columns[$0].name != part?.column
        }
        var chosen: (place: Int, reason: String)?
        if let given {
            guard let place = table.columns.firstIndex(where: { $0.name == given }) else { return nil }
            chosen = (place, "as specified")
        } else if let ofDocument, let place = candidates.first(where: { table.columns[$0].name == ofDocument }) {
            chosen = (place, "the keys of the document")
        } else {
            let ranked = candidates.compactMap { place -> (place: Int, rank: Int)? in
                let name = table.columns[place].name
                guard place == 0 || !names.isKeyOfAnother(name, than: table.name) else { return nil }
                return NamedTables.keyRank(name, of: table.name).map { (place: place, rank: $0) }
            }
            // Among columns of equal rank, the first one is chosen.
            if let best = ranked.min(by: { ($0.rank, $0.place) < ($1.rank, $1.place) }) {
                chosen = (best.place, "unique in all \(table.records) records, and has the name of a key")
            }
        }
        guard let chosen else { return nil }
        self.init(table, decisions, column: chosen.place, reason: chosen.reason)
    }

    init(
        _ table: TableScan, _ decisions: [ColumnDecision], column: Int, reason: String, isShared: Bool = false
    ) {
        (self.column, self.reason, self.isShared) = (column, reason, isShared)
        let scan = table.columns[column].key
        let isInteger = decisions[column].kind == .integer
        isIdentifier = isInteger && scan.least >= 1 && scan.greatest <= 9_007_199_254_740_991
        keepsOrder = isIdentifier && !scan.areRising
    }

    /// Returns a Boolean value that indicates whether a column can be a key: unique, without null and empty texts, and
    /// an integer, a text or a UUID.
    static func isCandidate(_ column: ColumnScan, _ decision: ColumnDecision) -> Bool {
        column.key.isKey && [.integer, .text, .uuid].contains(decision.kind) && column.emptyCount == 0
            && column.jsonKinds.count < 2
    }
}
