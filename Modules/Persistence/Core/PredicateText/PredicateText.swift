public import Foundation

/// Reads predicates, sort orders and assignments written as text: for tools, configuration files and consoles.
///
/// ```swift
/// let text = try PredicateText("Employee", in: model)
/// let request = StoreRequest(
///     "Employee", where: try text.condition("salary >= 50000 and boss.lastName beginswith[c] 'a'"),
///     sort: try text.sort("dateHired desc, lastName"))
/// ```
///
/// Names and kinds are checked against the model, and constants are of the kind they are compared with. What is wrong is a ``PredicateTextError``
/// that says where. <doc:PredicateTextGrammar> has the grammar. In a program's own code `#Predicate` is checked by the compiler.
public struct PredicateText: Sendable {
    /// The entity whose names are meant.
    public let entity: EntityDescription
    private let model: ManagedObjectModel
    private let names: PropertyNames
    private let now: @Sendable () -> Date

    /// Reads texts about an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - model: The model.
    ///   - names: The names that texts use for properties (default: those of the model).
    ///   - now: What `now()` in a text is, asked once for each text that is read; the system's clock unless given. Whoever keeps a condition keeps its
    ///     instant.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has no such entity.
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

    /// Reads a predicate.
    ///
    /// O(n) in the text's length; no text traps or overflows the stack.
    public func condition(_ text: String) throws(PredicateTextError) -> FetchCondition {
        try condition(text) { _ in }
    }

    /// Reads a predicate, and reports what is right but often meant otherwise.
    ///
    /// - Parameters:
    ///   - text: The predicate.
    ///   - note: Gets a sentence without a period, such as one about `%` in a pattern of `like`.
    /// - Returns: The condition.
    /// - Throws: ``PredicateTextError`` with the place of what is wrong.
    public func condition(
        _ text: String, note: (String) -> Void
    ) throws(PredicateTextError) -> FetchCondition {
        var parser = try PredicateParser(text, resolver, names, now: now())
        let condition = try parser.predicate()
        parser.notes.forEach(note)
        return condition
    }

    /// Reads a sort order: `dateHired desc, boss.lastName`.
    ///
    /// An empty text is the order by identifier.
    public func sort(_ text: String) throws(PredicateTextError) -> [StoreRequest.Sort] {
        var parser = try PredicateParser(text, resolver, names, now: now())
        return try parser.sort()
    }

    /// Reads assignments: `salary = salary * 2, lastName = 'Ito', boss = null`.
    ///
    /// The values on the right are those before any assignment is carried out.
    public func assignments(_ text: String) throws(PredicateTextError) -> [Assignment] {
        var parser = try PredicateParser(text, resolver, names, now: now())
        return try parser.assignments()
    }

    /// A value that an attribute or a to-one relationship is to get.
    public struct Assignment: Sendable, Hashable {
        /// The attribute's or relationship's name in the model.
        public let name: String
        /// The value.
        public let value: FetchOperand
        /// Where the assignment begins in the text, in characters from 1.
        public let column: Int
        /// The place of the value in the key of the referenced row; `nil` unless ``value`` is a part of such a key.
        ///
        /// With ``PropertyNames/files``, a reference is assigned by the key of its target: one assignment for each
        /// value of the key.
        public var keyValue: Int?
    }
}
