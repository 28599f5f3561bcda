import Foundation
import StrataDomain
import Synchronization

/// A minimal stand-in for any repository, which stores its records in an array.
final class ArrayRepository<Record: Identifiable & Sendable>: Repository where Record.ID == Identifier<Record> {
    private let records = Mutex<[Record.ID: Record]>([:])

    func find(_ id: Record.ID) -> Record? { records.withLock { $0[id] } }

    func fetch(_ query: Query<Record>) throws -> [Record] { try query.applied(to: records.withLock { $0.values }) }

    func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable {
        AsyncThrowingStream<Record, any Error> { continuation in
            do {
                for record in try fetch(query) { continuation.yield(record) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    func count(_ query: Query<Record>) throws -> Int { try fetch(query).count }

    func update(_ id: Record.ID, _ change: @Sendable (inout Record) throws -> Void) throws -> Record {
        try records.withLock { records in
            guard var record = records[id] else { throw DomainError.notFound(Record.self, id: id) }
            try change(&record)
            records[id] = record
            return record
        }
    }

    func delete(_ id: Record.ID) -> Bool { records.withLock { $0.removeValue(forKey: id) != nil } }

    func deleteAll() -> Int {
        records.withLock { records in
            defer { records.removeAll() }
            return records.count
        }
    }

    func insert(_ make: (Record.ID) throws -> Record) throws -> Record {
        try records.withLock { records in
            let last = records.keys.max()?.rawValue ?? 0
            let record = try make(Record.ID(last + 1))
            records[record.id] = record
            return record
        }
    }
}

extension ArrayRepository: ColorRepository where Record == Color {
    func create(hex: HexColor, name: String?, dateCreated: Date) throws -> Color {
        try insert { Color(id: $0, hex: hex, name: name, dateCreated: dateCreated) }
    }
}

extension ArrayRepository: BossRepository where Record == Boss {
    func create(firstName: String, lastName: String) throws -> Boss {
        try insert { Boss(id: $0, firstName: firstName, lastName: lastName) }
    }
}

extension ArrayRepository: EmployeeRepository where Record == Employee {
    func create(
        firstName: String,
        lastName: String,
        salary: Int,
        dateHired: Date,
        boss: Boss.ID?
    ) throws -> Employee {
        try insert { id in
            try Employee(
                id: id,
                firstName: firstName,
                lastName: lastName,
                salary: salary,
                dateHired: dateHired,
                boss: boss
            )
        }
    }
}

extension ArrayRepository: ItemRepository where Record == Item {
    func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int,
        itemId: UUID,
        dateCreated: Date
    ) throws -> Item {
        try insert { id in
            try Item(
                id: id,
                itemId: itemId,
                dateCreated: dateCreated,
                name: name,
                unitCost: unitCost,
                unitPrice: unitPrice,
                stockCount: stockCount
            )
        }
    }
}
