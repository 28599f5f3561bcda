import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataStoreKit

// The examples of the documentation of values, queries and rows, line by line.

func queried(_ colors: any ColorRepository) async throws -> (Query<Employee>, [Color]) {
    let least = 50_000
    let highest = Query<Employee>(where: #Predicate { $0.salary >= least }, sort: [.descending(\.salary)], limit: 10)

    func rename(_ id: Color.ID, to name: String, in colors: any ColorRepository) async throws -> Color {
        try await colors.update(id) { $0.name = name }
    }

    let since = Date(timeIntervalSinceReferenceDate: 0)
    let query = Query<Color>(where: #Predicate { $0.dateCreated >= since }, sort: [.ascending(\.name)], limit: 20)
    let named = try await colors.fetch(query)
    return (highest, named)
}

func colored() throws {
    let teal = try HexColor("#0aa")
    print(teal, teal.green)  // #00AAAA 170
}

func days() throws -> [Day] {
    let day = try Day(year: 2000, month: 2, day: 29)
    let next = try Day(year: 2000, month: 3, day: 1)  // next > day
    return [day, next]
}

func times() throws -> [TimeOfDay] {
    let opens = try TimeOfDay(hour: 8, minute: 30)
    let closes = try TimeOfDay(hour: 18, minute: 0)  // closes > opens
    return [opens, closes]
}

enum AttributeValueExample {
    struct SKU: RawRepresentable, AttributeValue {
        let rawValue: String

        init?(rawValue: String) {
            guard rawValue.count == 8 else { return nil }
            self.rawValue = rawValue
        }
    }
}

func predicateText(_ model: ManagedObjectModel) throws -> StoreRequest {
    let text = try PredicateText("Employee", in: model)
    let request = StoreRequest(
        "Employee", where: try text.condition("salary >= 50000 and boss.lastName beginswith[c] 'a'"),
        sort: try text.sort("dateHired desc, lastName"))
    return request
}

func rowBlock(_ entity: EntityDescription) -> RowBlock {
    var block = RowBlock(of: entity)
    block.beginRow(id: 7, location: RowLocation(line: 2, record: 1))
    block.setInteger(50_000, column: 2)
    return block
}

func snapshots(_ store: any PersistentStore) throws {
    let snapshots = try store.openSnapshots(2)
    let cursor = try snapshots[0].openCursor(StoreRequest("Color"))
    _ = cursor
}

func readRows(_ store: any PersistentStore) throws {
    try store.fetch(StoreRequest("Color")) { row in
        let hex: String = try row[0]  // by the column's place
        return hex == "#000000" ? .stop : .next
    }
}
