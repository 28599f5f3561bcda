public import StrataDomain
public import StrataFixtures

extension Color: FixtureRecord {
    /// `hex`, `name`, and `dateCreated`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.color }

    /// Makes a colour of a row.
    public init(fixture row: FixtureRow) throws {
        self.init(
            id: try row.identifier(), hex: try row["hex"], name: try row["name"], dateCreated: try row["dateCreated"])
    }
}

extension Boss: FixtureRecord {
    /// `firstName` and `lastName`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.boss }

    /// Makes a boss of a row.
    public init(fixture row: FixtureRow) throws {
        self.init(id: try row.identifier(), firstName: try row["firstName"], lastName: try row["lastName"])
    }
}

extension Employee: FixtureRecord {
    /// `firstName`, `lastName`, `salary`, `dateHired`, and `boss`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.employee }

    /// Makes an employee of a row.
    public init(fixture row: FixtureRow) throws {
        try self.init(
            id: row.identifier(), firstName: row["firstName"], lastName: row["lastName"], salary: row["salary"],
            dateHired: row["dateHired"], boss: row["boss"])
    }
}

extension Item: FixtureRecord {
    /// `itemId`, `dateCreated`, `name`, `unitCost`, `unitPrice`, and `stockCount`.
    public static var fixtureEntity: FixtureEntity { ReferenceEntities.item }

    /// Makes an item of a row.
    public init(fixture row: FixtureRow) throws {
        try self.init(
            id: row.identifier(), itemId: row["itemId"], dateCreated: row["dateCreated"], name: row["name"],
            unitCost: row["unitCost"], unitPrice: row["unitPrice"], stockCount: row["stockCount"])
    }
}

extension Fixtures {
    /// Colours: the first ones, or some from one on.
    ///
    /// - Parameters:
    ///   - count: How many; as many as the description has unless given.
    ///   - first: The number of the first one.
    /// - Returns: The colours.
    /// - Throws: `FixtureError`.
    public func colors(count: Int? = nil, from first: Int = 0) throws -> [Color] {
        try records(count: count, from: first)
    }

    /// One colour, and what is to be different about it.
    ///
    /// - Parameters:
    ///   - index: Its number, from 0; the id is one more.
    ///   - change: Changes what was made.
    /// - Returns: The colour.
    /// - Throws: `FixtureError`, or what `change` throws.
    public func color(at index: Int = 0, _ change: (inout Color) throws -> Void = { _ in }) throws -> Color {
        try record(at: index, change)
    }

    /// Bosses: the first ones, or some from one on.
    ///
    /// - Parameters:
    ///   - count: How many; as many as the description has unless given.
    ///   - first: The number of the first one.
    /// - Returns: The bosses.
    /// - Throws: `FixtureError`.
    public func bosses(count: Int? = nil, from first: Int = 0) throws -> [Boss] {
        try records(count: count, from: first)
    }

    /// One boss, and what is to be different about them.
    ///
    /// - Parameters:
    ///   - index: Their number, from 0; the id is one more.
    ///   - change: Changes what was made.
    /// - Returns: The boss.
    /// - Throws: `FixtureError`, or what `change` throws.
    public func boss(at index: Int = 0, _ change: (inout Boss) throws -> Void = { _ in }) throws -> Boss {
        try record(at: index, change)
    }

    /// Employees: the first ones, or some from one on; their bosses are among as many as the description has.
    ///
    /// - Parameters:
    ///   - count: How many; as many as the description has unless given.
    ///   - first: The number of the first one.
    /// - Returns: The employees.
    /// - Throws: `FixtureError`.
    public func employees(count: Int? = nil, from first: Int = 0) throws -> [Employee] {
        try records(count: count, from: first)
    }

    /// One employee, and what is to be different about them.
    ///
    /// - Parameters:
    ///   - index: Their number, from 0; the id is one more.
    ///   - change: Changes what was made.
    /// - Returns: The employee.
    /// - Throws: `FixtureError`, or what `change` throws.
    public func employee(at index: Int = 0, _ change: (inout Employee) throws -> Void = { _ in }) throws -> Employee {
        try record(at: index, change)
    }

    /// Items: the first ones, or some from one on.
    ///
    /// - Parameters:
    ///   - count: How many; as many as the description has unless given.
    ///   - first: The number of the first one.
    /// - Returns: The items.
    /// - Throws: `FixtureError`.
    public func items(count: Int? = nil, from first: Int = 0) throws -> [Item] {
        try records(count: count, from: first)
    }

    /// One item, and what is to be different about it.
    ///
    /// - Parameters:
    ///   - index: Its number, from 0; the id is one more.
    ///   - change: Changes what was made.
    /// - Returns: The item.
    /// - Throws: `FixtureError`, or what `change` throws.
    public func item(at index: Int = 0, _ change: (inout Item) throws -> Void = { _ in }) throws -> Item {
        try record(at: index, change)
    }
}
