/// What would happen if a store were opened with another model.
public struct MigrationPreview: Sendable {
    /// What the store would do, in the order in which it is told; empty where it need not follow.
    public let steps: [MigrationStep]
    /// How many rows the store has of entities whose values would change or go; what is only added or called otherwise leaves rows as they are.
    public let rowCount: Int
    /// What the store holds and the later model has not.
    public let drops: [MigrationDrop]
    /// What breaks rules of the later model.
    public let violations: [MigrationViolation]
    /// What no rule leads to, a sentence each.
    public let obstacles: [String]
    /// What looks like a rename that nobody declared, a sentence each.
    public let hints: [String]

    /// Whether rows or tables would change.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// Refuses what a store that is opened so would refuse.
    ///
    /// - Parameter options: What whoever opens it lets happen.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` for what no rule leads to,
    ///   ``PersistenceError/Code/dataLoss`` for what would go and was not named, ``PersistenceError/Code/validation`` for rows that break rules.
    public func check(_ options: MigrationOptions) throws {
        guard obstacles.isEmpty else { throw PersistenceError.notInferable(obstacles) }
        let unnamed = drops.filter { !options.drops.allow($0) }
        guard unnamed.isEmpty else { throw PersistenceError.dataLoss(unnamed, hints) }
        let broken = violations.filter { !options.keepsRowsThatBreakRules || !$0.mayStay }
        guard broken.isEmpty else { throw PersistenceError.brokenByRows(broken) }
    }

    /// Whether a store that is opened so would follow.
    ///
    /// - Parameter options: What whoever opens it lets happen.
    /// - Returns: Whether ``check(_:)`` would refuse nothing.
    public func isAllowed(_ options: MigrationOptions) -> Bool {
        do { try check(options) } catch { return false }
        return true
    }

    /// Describes what would happen.
    package init(
        steps: [MigrationStep], rowCount: Int = 0, drops: [MigrationDrop] = [], violations: [MigrationViolation] = [],
        obstacles: [String] = [], hints: [String] = []
    ) {
        self.steps = steps
        self.rowCount = rowCount
        self.drops = drops
        self.violations = violations
        self.obstacles = obstacles
        self.hints = hints
    }
}

extension MigrationOptions.Drops {
    /// What either lets go.
    package func union(_ other: MigrationOptions.Drops) -> MigrationOptions.Drops {
        switch (self, other) {
        case (.everything, _), (_, .everything): .everything
        case (.nothing, let drops), (let drops, .nothing): drops
        case (.named(let names), .named(let others)): .named(names.union(others))
        }
    }

    /// Whether something may go: by its own name, its entity's, or as all may.
    func allow(_ drop: MigrationDrop) -> Bool {
        switch self {
        case .nothing: false
        case .named(let names): names.contains(drop.name) || names.contains(drop.entity)
        case .everything: true
        }
    }
}

/// What a store holds and a later model has not.
public struct MigrationDrop: Sendable, Hashable {
    /// The entity, by its name in the earlier model.
    public let entity: String
    /// The attribute or relationship; `nil` where all of the entity goes.
    public let attribute: String?
    /// How many rows go, or have a value that goes; of a many-to-many relationship how many pairs.
    public let count: Int

    /// Describes what would go.
    public init(entity: String, attribute: String?, count: Int) {
        self.entity = entity
        self.attribute = attribute
        self.count = count
    }

    /// The name by which it may go: `Customer`, `Customer.fax`.
    public var name: String { attribute.map { "\(entity).\($0)" } ?? entity }
}

extension MigrationDrop: CustomStringConvertible {
    /// What would go, in words: `Customer.fax (12 values)`.
    public var description: String {
        "\(name) (\(count) \(attribute == nil ? "row" : "value")\(count == 1 ? "" : "s"))"
    }
}

/// Rows that break a rule of a later model.
public struct MigrationViolation: Sendable, Hashable {
    /// The entity, by its name in the later model.
    public let entity: String
    /// The attribute or relationship; several with commas between them where they are unique together.
    public internal(set) var attribute: String
    /// The rule, for a reader who sees the place: `is longer than 5`.
    public let reason: String
    /// How many rows break it.
    public internal(set) var count: Int
    /// The identifiers of the first ten of them.
    public internal(set) var ids: [Int64]
    /// The names of these rows by the keys of their files, such as `code “A”`; empty if the identifier is the key.
    public internal(set) var names: [String] = []
    /// Whether such rows can stay where the opener says so.
    public let mayStay: Bool

    /// How many rows are named.
    static let named = 10

    init(entity: String, attribute: String, reason: String, count: Int = 0, ids: [Int64] = [], mayStay: Bool) {
        self.entity = entity
        self.attribute = attribute
        self.reason = reason
        self.count = count
        self.ids = ids
        self.mayStay = mayStay
    }

    mutating func add(_ id: Int64) {
        count += 1
        if ids.count < Self.named { ids.append(id) }
    }
}

extension MigrationViolation: CustomStringConvertible {
    /// What breaks the rule, in words: `Customer.name is longer than 5: 12 rows, 3, 17, … first`.
    public var description: String {
        let subject = attribute.contains(",") ? "\(entity) (\(attribute))" : "\(entity).\(attribute)"
        let rows = "\(count) \(count == 1 ? "row" : "rows")"
        let listed = names.isEmpty ? ids.map(String.init).joined(separator: ", ") : names.joined(separator: "; ")
        return "\(subject) \(reason): \(rows), \(entity) \(listed)" + (count > ids.count ? ", …" : "")
    }
}
