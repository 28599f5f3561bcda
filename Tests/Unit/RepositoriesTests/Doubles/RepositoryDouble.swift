import Foundation
import StrataDomain

/// A test double of a repository, which returns its records and never changes them.
struct RepositoryDouble<Record: Identifiable & Sendable>: Repository where Record.ID: Comparable & Sendable {
    var records: [Record] = []
    func find(_ id: Record.ID) -> Record? { records.first { $0.id == id } }
    func fetch(_ query: Query<Record>) throws -> [Record] { try query.applied(to: records) }
    func update(_ id: Record.ID, _ change: @Sendable (inout Record) throws -> Void) async throws -> Record {
        var record = try await get(id)
        try change(&record)
        return record
    }
    func delete(_ id: Record.ID) -> Bool { find(id) != nil }
    func deleteAll() -> Int { records.count }
}

extension RepositoryDouble: ColorRepository where Record == Color {
    func create(hex: HexColor, name: String?, dateCreated: Date) -> Color {
        Color(id: 99, hex: hex, name: name, dateCreated: dateCreated)
    }
}

extension RepositoryDouble: BossRepository where Record == Boss {
    func create(firstName: String, lastName: String) -> Boss {
        Boss(id: 99, firstName: firstName, lastName: lastName)
    }
}

extension RepositoryDouble: EmployeeRepository where Record == Employee {
    func create(
        firstName: String, lastName: String, salary: Int, dateHired: Date, boss: Boss.ID?
    ) throws -> Employee {
        try Employee(
            id: 99, firstName: firstName, lastName: lastName, salary: salary, dateHired: dateHired, boss: boss)
    }
}

extension RepositoryDouble: ItemRepository where Record == Item {
    func create(
        name: String, unitCost: Decimal, unitPrice: Decimal, stockCount: Int, itemId: UUID, dateCreated: Date
    ) throws -> Item {
        try Item(
            id: 99, itemId: itemId, dateCreated: dateCreated, name: name, unitCost: unitCost, unitPrice: unitPrice,
            stockCount: stockCount)
    }
}
