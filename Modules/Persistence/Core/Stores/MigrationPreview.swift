/// The effects of opening a store with another model.
public struct MigrationPreview: Sendable {
    /// The steps of the migration, in the order in which they are reported; empty if the store needs no migration.
    public let steps: [MigrationStep]
    /// The count of stored rows in entities whose values would change or be deleted.
    ///
    /// Rows of entities with only added or renamed properties do not change.
    public let rowCount: Int
    /// The stored data that the later model lacks.
    public let drops: [MigrationDrop]
    /// The violations of rules of the later model.
    public let violations: [MigrationViolation]
    /// The changes that no rule covers, one sentence each.
    public let obstacles: [String]
    /// The changes that look like an undeclared rename, one sentence each.
    public let hints: [String]

    /// A Boolean value that indicates whether rows or tables would change.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// Throws if opening the store with these options would fail.
    ///
    /// - Parameter options: The changes that the opener permits.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` for changes that no rule
    ///     covers, ``PersistenceError/Code/dataLoss`` for data that would be deleted and was not named, or
    ///     ``PersistenceError/Code/validation`` for rows that break rules.
    public func check(_ options: MigrationOptions) throws {
        guard obstacles.isEmpty else { throw PersistenceError.notInferable(obstacles) }
        let unnamed = drops.filter { !options.drops.allow($0) }
        guard unnamed.isEmpty else { throw PersistenceError.dataLoss(unnamed, hints) }
        let broken = violations.filter { !options.keepsRowsThatBreakRules || !$0.mayStay }
        guard broken.isEmpty else { throw PersistenceError.brokenByRows(broken) }
    }

    /// Returns a Boolean value that indicates whether a store that is opened with these options would be migrated.
    ///
    /// - Parameter options: The changes that the opener permits.
    /// - Returns: `true` if ``check(_:)`` would not throw.
    public func isAllowed(_ options: MigrationOptions) -> Bool {
        do { try check(options) } catch { return false }
        return true
    }

    /// Creates a preview.
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
    /// Returns the drops that either of two options permits.
    package func union(_ other: MigrationOptions.Drops) -> MigrationOptions.Drops {
        switch (self, other) {
        case (.everything, _), (_, .everything): .everything
        case (.nothing, let drops), (let drops, .nothing): drops
        case (.named(let names), .named(let others)): .named(names.union(others))
        }
    }

    /// Returns a Boolean value that indicates whether data may be dropped.
    ///
    /// The option permits the drop by the name of the property, by the name of its entity, or for all data.
    func allow(_ drop: MigrationDrop) -> Bool {
        switch self {
        case .nothing: false
        case .named(let names): names.contains(drop.name) || names.contains(drop.entity)
        case .everything: true
        }
    }
}

/// Stored data that a later model lacks.
public struct MigrationDrop: Sendable, Hashable {
    /// The name of the entity in the earlier model.
    public let entity: String
    /// The attribute or relationship; `nil` if the whole entity is dropped.
    public let attribute: String?
    /// The count of rows that are dropped, or that have a dropped value.
    ///
    /// For a many-to-many relationship, it is the count of join rows.
    public let count: Int

    /// Creates a description of dropped data.
    public init(entity: String, attribute: String?, count: Int) {
        self.entity = entity
        self.attribute = attribute
        self.count = count
    }

    /// The name that permits the drop: `Customer`, `Customer.fax`.
    public var name: String { attribute.map { "\(entity).\($0)" } ?? entity }
}

extension MigrationDrop: CustomStringConvertible {
    /// The dropped data in words: `Customer.fax (12 values)`.
    public var description: String {
        "\(name) (\(count) \(attribute == nil ? "row" : "value")\(count == 1 ? "" : "s"))"
    }
}

/// Rows that break a rule of a later model.
public struct MigrationViolation: Sendable, Hashable {
    /// The name of the entity in the later model.
    public let entity: String
    /// The attribute or relationship; names that are unique together are separated by commas.
    public internal(set) var attribute: String
    /// The rule, for a message that already names the location: `is longer than 5`.
    public let reason: String
    /// The count of rows that break the rule.
    public internal(set) var count: Int
    /// The identifiers of the first ten of these rows.
    public internal(set) var ids: [Int64]
    /// The names of these rows by the keys of their files, such as `code “A”`; empty if the identifier is the key.
    public internal(set) var names: [String] = []
    /// A Boolean value that indicates whether such rows may stay unchanged if the opener permits it.
    public let mayStay: Bool

    /// The maximum count of rows that are named.
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
    /// The violation in words: `Customer.name is longer than 5: 12 rows, 3, 17, … first`.
    public var description: String {
        let subject = attribute.contains(",") ? "\(entity) (\(attribute))" : "\(entity).\(attribute)"
        let rows = "\(count) \(count == 1 ? "row" : "rows")"
        let listed = names.isEmpty ? ids.map(String.init).joined(separator: ", ") : names.joined(separator: "; ")
        return "\(subject) \(reason): \(rows), \(entity) \(listed)" + (count > ids.count ? ", …" : "")
    }
}
