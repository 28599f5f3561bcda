/// The statement by which a database answers a request, and the database's plan for it, for the analysis of slow
/// requests.
public struct StatementExplanation: Sendable, Hashable {
    /// The text of the statement in SQL, with placeholders instead of values.
    public let statement: String
    /// The steps of the database's plan, one on each line; the form depends on the kind and version of the database.
    public let plan: String

    /// Creates an explanation.
    public init(statement: String, plan: String) { (self.statement, self.plan) = (statement, plan) }
}
