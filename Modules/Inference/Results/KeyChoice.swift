import StrataCore

/// The key column that identifies the objects of a dataset.
struct KeyChoice {
    let column: Int
    let reason: String
    /// A Boolean value that indicates whether the key is the object identifier: an integer from 1 to 2^53 - 1.
    let isIdentifier: Bool
    /// A Boolean value that indicates whether the order of the file differs from the order of the identifiers.
    let keepsOrder: Bool
    /// A Boolean value that indicates whether the key was chosen because another dataset has a column with its name.
    let isShared: Bool

    /// Chooses the key by name among the unique columns without null; returns `nil` if no name indicates a key.
    ///
    /// A column that is named like the key of another dataset is not the key of this one, although a short file may
    /// contain each value once. An exception is the first column, as in tables with additional data about another
    /// table's objects.
    ///
    /// - Parameters:
    ///   - table: The dataset.
    ///   - decisions: The types of its columns.
    ///   - given: The key column that the user specified.
    ///   - ofDocument: The column with the keys of a document.
    ///   - part: The link to the dataset that the records are parts of.
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

    static func isCandidate(_ column: ColumnScan, _ decision: ColumnDecision) -> Bool {
        column.key.isKey && [.integer, .text, .uuid].contains(decision.kind) && column.emptyCount == 0
            && column.jsonKinds.count < 2
    }
}
