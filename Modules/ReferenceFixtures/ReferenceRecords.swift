public import StrataDomain
public import StrataFixtures

extension Color: FixtureRecord {
    /// The entity with the fields `hex`, `name`, and `dateCreated`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.color }

    /// Creates a color from a row.
    ///
    /// - Throws: `FixtureError` if the row lacks a field or a value has another type. `DomainError` if a value is
    ///   invalid.
    public init(fixture row: FixtureRow) throws {
        self.init(
            id: try row.identifier(), hex: try row["hex"], name: try row["name"], dateCreated: try row["dateCreated"])
    }
}

extension Boss: FixtureRecord {
    /// The entity with the fields `firstName` and `lastName`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.boss }

    /// Creates a boss from a row.
    ///
    /// - Throws: `FixtureError` if the row lacks a field or a value has another type. `DomainError` if a value is
    ///   invalid.
    public init(fixture row: FixtureRow) throws {
        self.init(id: try row.identifier(), firstName: try row["firstName"], lastName: try row["lastName"])
    }
}

extension Employee: FixtureRecord {
    /// The entity with the fields `firstName`, `lastName`, `salary`, `dateHired`, and `boss`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.employee }

    /// Creates an employee from a row.
    ///
    /// - Throws: `FixtureError` if the row lacks a field or a value has another type. `DomainError` if a value is
    ///   invalid.
    public init(fixture row: FixtureRow) throws {
        try self.init(
            id: row.identifier(), firstName: row["firstName"], lastName: row["lastName"], salary: row["salary"],
            dateHired: row["dateHired"], boss: row["boss"])
    }
}

extension Item: FixtureRecord {
    /// The entity with the fields `itemId`, `dateCreated`, `name`, `unitCost`, `unitPrice`, and `stockCount`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.item }

    /// Creates an item from a row.
    ///
    /// - Throws: `FixtureError` if the row lacks a field or a value has another type. `DomainError` if a value is
    ///   invalid.
    public init(fixture row: FixtureRow) throws {
        try self.init(
            id: row.identifier(), itemId: row["itemId"], dateCreated: row["dateCreated"], name: row["name"],
            unitCost: row["unitCost"], unitPrice: row["unitPrice"], stockCount: row["stockCount"])
    }
}

extension Fixtures {
    /// Returns the first colors, or the colors from a number on.
    ///
    /// - Parameters:
    ///   - count: The number of colors, at least 0. The default is the number in the description.
    ///   - first: The number of the first color, from 0.
    /// - Returns: The colors, in the order of their numbers.
    /// - Throws: `FixtureError` if a row cannot be generated, or if `count` or `first` is out of range.
    public func colors(count: Int? = nil, from first: Int = 0) throws -> [Color] {
        try records(count: count, from: first)
    }

    /// Returns one color, optionally changed.
    ///
    /// - Parameters:
    ///   - index: The number of the row, from 0. The identifier is `index` + 1.
    ///   - change: A closure that can change the generated record.
    /// - Returns: The color.
    /// - Throws: `FixtureError` if the row cannot be generated, and the errors of `change`.
    public func color(at index: Int = 0, _ change: (inout Color) throws -> Void = { _ in }) throws -> Color {
        try record(at: index, change)
    }

    /// Returns the first bosses, or the bosses from a number on.
    ///
    /// - Parameters:
    ///   - count: The number of bosses, at least 0. The default is the number in the description.
    ///   - first: The number of the first boss, from 0.
    /// - Returns: The bosses, in the order of their numbers.
    /// - Throws: `FixtureError` if a row cannot be generated, or if `count` or `first` is out of range.
    public func bosses(count: Int? = nil, from first: Int = 0) throws -> [Boss] {
        try records(count: count, from: first)
    }

    /// Returns one boss, optionally changed.
    ///
    /// - Parameters:
    ///   - index: The number of the row, from 0. The identifier is `index` + 1.
    ///   - change: A closure that can change the generated record.
    /// - Returns: The boss.
    /// - Throws: `FixtureError` if the row cannot be generated, and the errors of `change`.
    public func boss(at index: Int = 0, _ change: (inout Boss) throws -> Void = { _ in }) throws -> Boss {
        try record(at: index, change)
    }

    /// Returns the first employees, or the employees from a number on.
    ///
    /// The number of bosses in the description determines the bosses of the employees, for any `count`.
    ///
    /// - Parameters:
    ///   - count: The number of employees, at least 0. The default is the number in the description.
    ///   - first: The number of the first employee, from 0.
    /// - Returns: The employees, in the order of their numbers.
    /// - Throws: `FixtureError` if a row cannot be generated, or if `count` or `first` is out of range.
    public func employees(count: Int? = nil, from first: Int = 0) throws -> [Employee] {
        try records(count: count, from: first)
    }

    /// Returns one employee, optionally changed.
    ///
    /// - Parameters:
    ///   - index: The number of the row, from 0. The identifier is `index` + 1.
    ///   - change: A closure that can change the generated record.
    /// - Returns: The employee.
    /// - Throws: `FixtureError` if the row cannot be generated, and the errors of `change`.
    public func employee(at index: Int = 0, _ change: (inout Employee) throws -> Void = { _ in }) throws -> Employee {
        try record(at: index, change)
    }

    /// Returns the first items, or the items from a number on.
    ///
    /// - Parameters:
    ///   - count: The number of items, at least 0. The default is the number in the description.
    ///   - first: The number of the first item, from 0.
    /// - Returns: The items, in the order of their numbers.
    /// - Throws: `FixtureError` if a row cannot be generated, or if `count` or `first` is out of range.
    public func items(count: Int? = nil, from first: Int = 0) throws -> [Item] {
        try records(count: count, from: first)
    }

    /// Returns one item, optionally changed.
    ///
    /// - Parameters:
    ///   - index: The number of the row, from 0. The identifier is `index` + 1.
    ///   - change: A closure that can change the generated record.
    /// - Returns: The item.
    /// - Throws: `FixtureError` if the row cannot be generated, and the errors of `change`.
    public func item(at index: Int = 0, _ change: (inout Item) throws -> Void = { _ in }) throws -> Item {
        try record(at: index, change)
    }
}
