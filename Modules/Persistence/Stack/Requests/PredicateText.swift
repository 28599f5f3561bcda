public import Foundation
public import StrataCore
import StrataStoreKit

/// A parser of textual predicates, sort orders and assignments for tools, configuration files and consoles.
///
/// ```swift
/// let text = try PredicateText("Employee", in: model)
/// let request = StoreRequest(
///     "Employee", where: try text.condition("salary >= 50000 and boss.lastName beginswith[c] 'a'"),
///     sort: try text.sort("dateHired desc, lastName"))
/// ```
///
/// Names and kinds are validated against the model. A constant gets the kind of the value with which it is compared.
/// The parser throws a ``PredicateTextError`` with the location of an error in the text. <doc:PredicateTextGrammar> has
/// the grammar. In the code of a program, prefer `#Predicate`, which the compiler checks.
///
/// A text may be from an untrusted user: no text causes a trap, a stack overflow or an evaluation of code, and a text
/// has at most 1,000,000 characters. But a condition can be expensive, because it may not use an index. Do not insert
/// values into a text; combine a parsed condition with a ``FetchCondition`` that contains the value as a constant.
///
/// A parser is a value that any thread may use, for any count of texts.
///
/// ## Topics
///
/// ### Creating a parser
///
/// - ``init(_:in:names:now:)``
/// - ``PropertyNames``
/// - ``entity``
///
/// ### Parsing
///
/// - ``condition(_:)``
/// - ``condition(_:note:)``
/// - ``sort(_:)``
/// - ``selection(_:where:groupBy:having:sort:distinct:limit:offset:)``
/// - ``assignments(_:)``
/// - ``Assignment``
///
/// ### Errors
///
/// - ``PredicateTextError``
public struct PredicateText: Sendable {
    /// The entity whose names the parsed texts use.
    public let entity: EntityDescription
    private let model: ManagedObjectModel
    private let names: PropertyNames
    private let now: @Sendable () -> Date

    /// Creates a parser of texts about an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - model: The model that contains the entity.
    ///   - names: The kind of names that texts use for properties (default: names in the model).
    ///   - now: A closure that returns the value of `now()`, called once for each parsed text (default: the system's
    ///     clock). The resulting condition contains this time as a constant.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such
    ///   entity.
    public init(
        _ entity: String, in model: ManagedObjectModel, names: PropertyNames = .model,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.entity = try model.entity(named: entity)
        self.model = model
        self.names = names
        self.now = now
    }

    private var resolver: ConditionResolver { ConditionResolver(entity: entity, model: model) }

    /// Parses a textual predicate and returns its condition.
    ///
    /// No text causes a trap or a stack overflow.
    ///
    /// An empty text is an error; `TRUEPREDICATE` selects all rows.
    ///
    /// - Parameter text: The textual predicate.
    /// - Returns: The condition, for a request on ``entity``.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    /// - Complexity: O(*n*) in the length of the text.
    public func condition(_ text: String) throws(PredicateTextError) -> FetchCondition {
        try condition(text) { _ in }
    }

    /// Parses a textual predicate, returns its condition, and reports parts that are valid but often mistaken.
    ///
    /// - Parameters:
    ///   - text: The textual predicate.
    ///   - note: A closure that receives each report, a sentence without a period, such as one about `%` in a pattern
    ///     of `like`.
    /// - Returns: The condition.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    public func condition(
        _ text: String, note: (String) -> Void
    ) throws(PredicateTextError) -> FetchCondition {
        var parser = try PredicateParser(text, resolver, names, now: now())
        let condition = try parser.predicate()
        parser.notes.forEach(note)
        return condition
    }

    /// Parses a sort order, such as `dateHired desc, boss.lastName`, and returns its sort keys.
    ///
    /// An empty text is the order by identifier.
    ///
    /// - Parameter text: Paths or expressions, each with an optional direction, separated by commas.
    /// - Returns: The sort keys, most important first; an empty array for an empty text.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    public func sort(_ text: String) throws(PredicateTextError) -> [StoreRequest.Sort] {
        var parser = try PredicateParser(text, resolver, names, now: now())
        return try parser.sort()
    }

    /// Parses the columns of a selection, and the keys, condition and order of its groups.
    ///
    /// ```swift
    /// let text = try PredicateText("Employee", in: model)
    /// let byBoss = try text.selection(
    ///     "boss.lastName, count(), avg(salary) as mean", having: "count() > 1", sort: "mean desc")
    /// ```
    ///
    /// Without groups, the sort keys, limit and offset apply to rows. If a column contains an aggregate and `groupBy`
    /// is `nil`, the columns without an aggregate are the keys. The sort keys and the condition on groups can use the
    /// names after `as`, which take precedence over attributes with the same name.
    ///
    /// - Parameters:
    ///   - columns: The columns, separated by commas, each with an optional name after `as`.
    ///   - condition: The condition on rows; `nil` for all rows.
    ///   - groupBy: The keys of groups, separated by commas.
    ///   - having: The condition on groups; `nil` for all groups.
    ///   - sort: The sort keys of groups, or of rows if there are no groups.
    ///   - distinct: A Boolean value that indicates whether equal results are returned once.
    ///   - limit: The maximum count of results; `nil` for no limit.
    ///   - offset: The count of results to skip.
    /// - Returns: The selection and the names of its columns.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    public func selection(
        _ columns: String, where condition: String? = nil, groupBy: String? = nil, having: String? = nil,
        sort: String = "", distinct: Bool = false, limit: Int? = nil, offset: Int = 0
    ) throws(PredicateTextError) -> NamedSelection {
        var (groups, now) = (resolver, now())
        groups.permitsAggregates = true
        var parser = try PredicateParser(columns, groups, names, now: now)
        let parsed = try parser.columns()
        var rows = StoreRequest(entity.name)
        if let condition {
            parser = try PredicateParser(condition, resolver, names, now: now)
            rows.condition = try parser.predicate()
        }
        var keys: [FetchOperand]?
        if let groupBy {
            parser = try PredicateParser(groupBy, resolver, names, now: now)
            keys = try parser.columns().map(\.operand)
        } else if having != nil || parsed.contains(where: { $0.operand.hasAggregate }) {
            keys = parsed.map(\.operand).filter { !$0.hasAggregate }
        }
        let aliases = Dictionary(parsed.map { ($0.name, $0.operand) }, uniquingKeysWith: { first, _ in first })
        parser = try PredicateParser(sort, keys == nil ? resolver : groups, names, now: now)
        parser.aliases = aliases
        let order = try parser.sort()
        var grouping: StoreSelection.Grouping?
        if let keys {
            grouping = StoreSelection.Grouping(by: keys, order: order, limit: limit, offset: offset)
            if let having {
                parser = try PredicateParser(having, groups, names, now: now)
                parser.aliases = aliases
                grouping?.having = try parser.predicate()
            }
        } else {
            (rows.sort, rows.limit, rows.offset) = (order, limit, offset)
        }
        return NamedSelection(
            selection: StoreSelection(rows, parsed.map(\.operand), distinct: distinct, grouping: grouping),
            names: parsed.map(\.name))
    }

    /// Parses assignments, such as `salary = salary * 2, lastName = 'Ito', boss = null`.
    ///
    /// The expressions on the right use the row's values before any of the assignments.
    ///
    /// - Parameter text: Assignments of attributes and to-one relationships, separated by commas.
    /// - Returns: The assignments in the order of the text.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    public func assignments(_ text: String) throws(PredicateTextError) -> [Assignment] {
        var parser = try PredicateParser(text, resolver, names, now: now())
        return try parser.assignments()
    }

    /// The assignment of a value to an attribute or a to-one relationship.
    public typealias Assignment = PredicateAssignment
}
