/// One of the things that are wrong with a record.
struct RecordProblem {
    /// The column's or key's name.
    let column: String?
    /// What is wrong with its value.
    let message: String
}

extension InterchangeError {
    /// Says what else is wrong with the record, so that whoever mends it does so once.
    ///
    /// The error keeps its column, which is the first one's.
    mutating func add(_ others: some Collection<RecordProblem>) {
        guard !others.isEmpty else { return }
        var named = column
        let texts = others.map { problem in
            defer { named = problem.column }
            guard let column = problem.column, column != named else { return problem.message }
            return "column \(PrintableText.escaped(column)): \(problem.message)"
        }
        message += "; \(PrintableText.listed(texts))"
    }
}
