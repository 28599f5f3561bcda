/// A problem of one record of a dataset.
struct RecordProblem {
    /// The name of the column or key that the problem concerns, or `nil` if it concerns none.
    let column: String?
    /// The description of the problem.
    let message: String
}

extension InterchangeError {
    /// Appends other problems of the record to the error's message, so that the user can fix all of them at once.
    ///
    /// The column of the error remains the column of the first problem.
    ///
    /// A problem in the same column as the problem before it does not repeat the name of the column.
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
