import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataStoreKit

// The examples of the documentation of containers, contexts and batches, line by line.

func firstStack(_ url: URL) async throws {
    let model = try ManagedObjectModel(records: [Color.self])
    let container = try PersistentContainer(model: model, .sqlite(at: url))
    let navy = try await container.backgroundContext.insert(Color.self) { id in
        Color(id: id, hex: try HexColor("#000080"), name: "Navy", dateCreated: .now)
    }
    try container.close()
    _ = navy
}

func usedStack() async throws {
    let container = try PersistentContainer(
        model: ReferenceModel.model(), .sqlite(at: URL(fileURLWithPath: "app.sqlite")), mainQueue: .private)
    let colors: any ColorRepository = StoredColorRepository(container.backgroundContext)

    let navy = try await colors.create(hex: HexColor("#000080"), name: "Navy")
    try await colors.update(navy.id) { $0.name = "Navy blue" }
    for color in try await colors.newestFirst(limit: 10) { print(color.hex, color.displayName) }

    try container.close()
}

func closedStack(_ model: ManagedObjectModel, _ url: URL) throws {
    let container = try PersistentContainer(model: model, .sqlite(at: url))
    defer { try? container.close() }
    print(container.coordinator.store.model)
}

func raised(_ container: PersistentContainer, _ id: Boss.ID) async throws -> Int {
    try await container.backgroundContext.performTransaction { context in
        let boss = try context.existingObject(with: id, of: Boss.self)
        let team = try context.objects(\.employees, of: boss)
        for employee in team { employee.salary += employee.salary / 10 }
        return team.count
    }
}

func renamed(_ context: ManagedObjectContext, _ id: Color.ID) async throws {
    try await context.perform { context in
        let color = try context.existingObject(with: id, of: Color.self)
        color.name = "Navy"
        try context.save()
    }
}

func names(_ context: ManagedObjectContext) async throws -> [String?] {
    let names = try await context.perform { context in
        try context.fetch(FetchRequest<Color>()).map { $0.name }
    }
    return names
}

func stocked(_ context: ManagedObjectContext, _ id: Item.ID) async throws -> Int {
    let count = try await context.performTransaction { context in
        let item = try context.existingObject(with: id, of: Item.self)
        item.stockCount += 12
        return item.stockCount
    }
    return count
}

func moved(_ context: ConfinedContext, from: Managed<Item>, to: Managed<Item>, amount: Int) throws {
    try context.transaction { context in
        from.stockCount -= amount
        to.stockCount += amount
        try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
    }
}

func related(_ context: ConfinedContext, _ boss: Managed<Boss>, _ employee: Managed<Employee>) throws {
    let team = try context.objects(\.employees, of: boss)
    try context.add(employee, to: \.employees, of: boss)
    _ = team
}

func superior(_ context: ConfinedContext, _ employee: Managed<Employee>) throws {
    let boss = try context.object(\.boss, of: employee, as: Boss.self)
    _ = boss
}

func skipped(_ context: ConfinedContext) throws {
    let shifts = try context.fetchRecords(FetchRequest<Shift>().skippingUnreadableRows { print("left out: \($0)") })
    _ = shifts
}

func streamed(_ context: any RecordContext) async throws {
    for try await item in context.stream(FetchRequest<Item>(sort: [SortKey(\.name)])) { print(item.name) }
}

func batched(_ container: PersistentContainer, _ rows: [[StoredValue]]) throws {
    let raised = try container.batchUpdate(
        "Employee", where: .compare(.property("salary"), .less, .constant(.integer(50_000))),
        set: ["salary": .arithmetic(.property("salary"), .multiply, .constant(.integer(2)))])
    try container.batchUpdate(
        Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    try container.batchInsert(into: "Color") { inserter in
        for (index, row) in rows.enumerated() {
            try inserter.insert(values: row, location: RowLocation(line: index + 1, record: index + 1))
        }
    }
    _ = raised
}

struct FullDisk: RecordContext {
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw PersistenceError(.diskFull, "the disk is full")
    }
}

struct Warehouse {
    let records: any RecordContext

    func move(_ count: Int, from source: Item.ID, to destination: Item.ID) async throws -> Item {
        try await records.transaction { unit in
            try unit.update(Item.self, id: source) { $0.stockCount -= count }
            return try unit.update(Item.self, id: destination) { $0.stockCount += count }
        }
    }
}

func checkedStore(_ model: ManagedObjectModel, _ url: URL) throws {
    let summary = try PersistentContainer.check(model: model, .sqlite(at: url)) { fault in print(fault) }
    print(summary.faultCount == 0 ? "ok" : "\(summary.faultCount) faults")
}

func listedFaults(_ model: ManagedObjectModel, _ url: URL) throws {
    try PersistentContainer.check(model: model, .sqlite(at: url)) { print($0) }
    // Employee 7 salary: is less than 0
}

func raisedSalaries(_ records: any RecordContext) async throws {
    try await records.transaction { unit in
        _ = try unit.batchUpdate(
            Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    }
}

func numbered(_ records: any RecordContext) async throws {
    try await records.transaction(retrying: 3, after: [.conflict, .locked, .uniqueness]) { unit in
        let last = try unit.fetch(FetchRequest<Bill>(sort: [SortKey(\.number, order: .reverse)], limit: 1)).first
        try unit.insert(Bill.self) { Bill(id: $0, year: 2026, number: (last?.number ?? 0) + 1) }
    }
}

func found(_ unit: any RecordTransaction) throws -> Bool {
    let bill = try unit.find(Bill.self, by: \.numberKey, "2026/7")
    return bill != nil
}

func made(_ unit: any RecordTransaction) throws -> (Bill, Bool) {
    let (bill, isNew) = try unit.findOrInsert(Bill.self) { Bill(id: $0, year: 2026, number: 7) }
    return (bill, isNew)
}

func tagged(_ records: any RecordContext, _ id: Item.ID) async throws -> Versioned<Item>? {
    guard let found = try await records.findVersioned(Item.self, id: id) else { return nil }
    let updated = try await records.update(Item.self, id: id, ifVersion: found.version) { $0.stockCount -= 1 }
    return updated
}
