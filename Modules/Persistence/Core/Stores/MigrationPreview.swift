/// A preview of the effects of opening a store with another model.
///
/// ```swift
/// let preview = try PersistentContainer.canMigrate(model: model, .sqlite(at: url))
/// for drop in preview.drops { print("would lose \(drop)") }
/// ```
///
/// The preview reads the store and changes nothing; other processes may use the store meanwhile. It counts the stored
/// data that would be deleted, and checks the rows by the new rules, so that it can take as long as reading these rows.
/// Another writer may change the store between the preview and the migration; the migration checks everything again.
///
/// If the store is opened with a migration plan, the preview has the steps of all stages. Violations and drops are
/// those of the first stage, because the rows of later stages do not exist yet.
///
/// ## Topics
///
/// ### Effects
///
/// - ``steps``
/// - ``isPhysical``
/// - ``rowCount``
/// - ``MigrationStep``
///
/// ### Obstacles
///
/// - ``drops``
/// - ``violations``
/// - ``obstacles``
/// - ``hints``
/// - ``MigrationDrop``
/// - ``MigrationViolation``
///
/// ### Deciding
///
/// - ``check(_:)``
/// - ``isAllowed(_:)``
public struct MigrationPreview: Sendable {
    /// The steps of the migration, in the order in which they are reported; empty if the store needs no migration.
    public let steps: [MigrationStep]
    /// The count of stored rows in those entities whose values would be changed or deleted.
    ///
    /// If properties of an entity are only added or renamed, its rows are not counted.
    public let rowCount: Int
    /// The stored data that would be deleted because the later model lacks it.
    public let drops: [MigrationDrop]
    /// The rules of the later model that stored rows break.
    ///
    /// Correct the rows before the migration, or retain those that permit it with
    /// ``MigrationOptions/keepsRowsThatBreakRules``.
    public let violations: [MigrationViolation]
    /// The changes between both models that no rule covers, one sentence each.
    ///
    /// A stage of a migration plan must cover them; no option can.
    public let obstacles: [String]
    /// The changes between both models that may be a rename that was not declared, one sentence each.
    ///
    /// For example, an attribute is removed and another one of the same type is added. If it is a rename, declare the
    /// earlier name with `renamedFrom`; otherwise the data of the removed attribute is lost.
    public let hints: [String]

    /// A Boolean value that indicates whether tables or rows of the store would change.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// Throws an error if opening the store with some options would fail.
    ///
    /// The method only compares the preview with the options, and does not read the store.
    ///
    /// - Parameter options: The options with which the store would be opened.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` for changes that no rule
    ///   covers, ``PersistenceError/Code/dataLoss`` for data that would be deleted and was not named, or
    ///   ``PersistenceError/Code/validation`` for rows that break rules.
    public func check(_ options: MigrationOptions) throws {
        guard obstacles.isEmpty else { throw PersistenceError.notInferable(obstacles) }
        let unnamed = drops.filter { !options.drops.allow($0) }
        guard unnamed.isEmpty else { throw PersistenceError.dataLoss(unnamed, hints) }
        let broken = violations.filter { !options.keepsRowsThatBreakRules || !$0.mayStay }
        guard broken.isEmpty else { throw PersistenceError.brokenByRows(broken) }
    }

    /// Returns a Boolean value that indicates whether opening the store with some options would migrate it.
    ///
    /// - Parameter options: The options with which the store would be opened.
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
    /// Returns the stored data that this option, or the other one, permits to delete.
    package func union(_ other: MigrationOptions.Drops) -> MigrationOptions.Drops {
        switch (self, other) {
        case (.everything, _), (_, .everything): .everything
        case (.nothing, let drops), (let drops, .nothing): drops
        case (.named(let names), .named(let others)): .named(names.union(others))
        }
    }

    /// Returns a Boolean value that indicates whether this option permits to delete the data of a drop.
    ///
    /// The option permits it by the name of the property, by the name of its entity, or by permitting to delete all
    /// data.
    package func allow(_ drop: MigrationDrop) -> Bool {
        switch self {
        case .nothing: false
        case .named(let names): names.contains(drop.name) || names.contains(drop.entity)
        case .everything: true
        }
    }
}

/// Stored data that a migration deletes because the later model lacks it.
public struct MigrationDrop: Sendable, Hashable {
    /// The name of the entity in the earlier model.
    public let entity: String
    /// The name of the attribute or relationship in the earlier model; `nil` if the whole entity is deleted.
    public let attribute: String?
    /// The count of rows that are deleted or that lose a value.
    ///
    /// For a many-to-many relationship, it is the count of deleted join rows.
    public let count: Int

    /// Creates a description of dropped data.
    public init(entity: String, attribute: String?, count: Int) {
        self.entity = entity
        self.attribute = attribute
        self.count = count
    }

    /// The name with which ``MigrationOptions/drops`` permits to delete the data: `Customer` or `Customer.fax`.
    public var name: String { attribute.map { "\(entity).\($0)" } ?? entity }
}

extension MigrationDrop: CustomStringConvertible {
    /// The deleted data as text: `Customer.fax (12 values)`.
    public var description: String {
        "\(name) (\(count) \(attribute == nil ? "row" : "value")\(count == 1 ? "" : "s"))"
    }
}

/// A rule of a later model that stored rows break, and those rows.
///
/// Only the first ten rows are listed, so that the memory is limited for any count of rows.
public struct MigrationViolation: Sendable, Hashable {
    /// The name of the entity in the later model.
    public let entity: String
    /// The attribute or relationship that breaks the rule; names that are unique together are separated by commas.
    public package(set) var attribute: String
    /// The broken rule as text, for a message that already names the attribute: `is longer than 5`.
    public let reason: String
    /// The count of rows that break the rule.
    public package(set) var count: Int
    /// The identifiers of the first ten rows that break the rule.
    public package(set) var ids: [Int64]
    /// The names of the rows in ``ids`` by their keys in files, such as `code “A”`; empty if files contain the
    /// identifiers.
    public package(set) var names: [String] = []
    /// A Boolean value that indicates whether ``MigrationOptions/keepsRowsThatBreakRules`` can retain these rows
    /// unchanged.
    public let mayStay: Bool

    /// The maximum count of rows whose identifiers and names a violation contains.
    package static let named = 10

    package init(entity: String, attribute: String, reason: String, count: Int = 0, ids: [Int64] = [], mayStay: Bool) {
        self.entity = entity
        self.attribute = attribute
        self.reason = reason
        self.count = count
        self.ids = ids
        self.mayStay = mayStay
    }

    package mutating func add(_ id: Int64) {
        count += 1
        if ids.count < Self.named { ids.append(id) }
    }
}

extension MigrationViolation: CustomStringConvertible {
    /// The violation as text: `Customer.name is longer than 5: 12 rows, 3, 17, … first`.
    public var description: String {
        let subject = attribute.contains(",") ? "\(entity) (\(attribute))" : "\(entity).\(attribute)"
        let rows = "\(count) \(count == 1 ? "row" : "rows")"
        let listed = names.isEmpty ? ids.map(String.init).joined(separator: ", ") : names.joined(separator: "; ")
        return "\(subject) \(reason): \(rows), \(entity) \(listed)" + (count > ids.count ? ", …" : "")
    }
}
