/// A problem of a record.
struct RecordProblem {
    /// The column's or key's name.
    let column: String?
    /// The description of the problem.
    let message: String
}

extension InterchangeError {
    /// Appends the other problems of the record, so that the user can fix all of them at once.
    ///
    /// The error keeps its column, which is the column of the first problem.
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
