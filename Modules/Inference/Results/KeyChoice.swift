import StrataCore

/// The column by which a dataset's objects are told apart.
struct KeyChoice {
    let column: Int
    let reason: String
    /// Whether it is an object's identifier: a whole number from 1 to 2^53 - 1.
    let isIdentifier: Bool
    /// Whether the file is in another order than that of the identifiers.
    let keepsOrder: Bool
    /// A Boolean value that indicates whether it was chosen because another dataset has a column of its name.
    let isShared: Bool

    /// Chooses by name among the columns that are unique and have no null; `nil` where no name says it.
    ///
    /// - Parameters:
    ///   - table: The dataset.
    ///   - decisions: What its columns are.
    ///   - given: The column that somebody says is it.
    ///   - ofDocument: The column of the keys of a document.
    ///   - part: What refers to the dataset that it is part of.
    ///   - names: The names of all datasets: what is called like another one's key is none here, though a short file has each of its values once,
    ///     unless it is the first column, as in tables that say more of another's objects.
    init?(
        _ table: TableScan, _ decisions: [ColumnDecision], given: String?, ofDocument: String? = nil,
        part: PartOfDataset?, among names: NamedTables
    ) {
        let candidates = table.columns.indices.filter {
            // What refers to the owner is called like the owner's key.
            Self.isCandidate(table.columns[$0], decisions[$0]) && table.columns[$0].name != part?.column
        }
        var chosen: (place: Int, reason: String)?
        if let given {
            guard let place = table.columns.firstIndex(where: { $0.name == given }) else { return nil }
            chosen = (place, "as you said")
        } else if let ofDocument, let place = candidates.first(where: { table.columns[$0].name == ofDocument }) {
            chosen = (place, "the keys of the document")
        } else {
            let ranked = candidates.compactMap { place -> (place: Int, rank: Int)? in
                let name = table.columns[place].name
                guard place == 0 || !names.isKeyOfAnother(name, than: table.name) else { return nil }
                return NamedTables.keyRank(name, of: table.name).map { (place: place, rank: $0) }
            }
            // Of equals the first column is it; of columns that only end so it has to be the first of all.
            if let best = ranked.min(by: { ($0.rank, $0.place) < ($1.rank, $1.place) }) {
                chosen = (best.place, "unique in all \(table.records) records, and called like a key")
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
