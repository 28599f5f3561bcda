import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories

/// The examples of the documentation of record types, line by line.
enum RecordExamples {
    struct Customer: PersistentRecord {
        let id: RecordID<Customer>
        var name: String
        var referredBy: RecordID<Customer>?

        static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name, rules: [.maximumLength(80)], isIndexed: true),
                .toOne("referredBy", \.referredBy, to: "Customer"),
            ]
        ) { row in
            Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
        }
    }
}

struct Tag: PersistentRecord {
    let id: RecordID<Tag>
    var word: String

    static let entity = RecordEntity<Tag>("Tag", id: \.id, [.attribute("word", \.word)], rules: .model) { row in
        Tag(id: try row.id(), word: try row.next())
    }
}

struct Passport: PersistentRecord {
    let id: RecordID<Passport>
    var holder: RecordID<Traveller>?

    static let entity = RecordEntity<Passport>(
        "Passport", id: \.id, [.toOne("holder", \.holder, to: "Traveller", inverse: "passport")]
    ) { row in Passport(id: try row.id(), holder: try row.next()) }
}

struct Traveller: PersistentRecord {
    let id: RecordID<Traveller>

    static let entity = RecordEntity<Traveller>("Traveller", id: \.id, [.relationship(passport)]) { row in
        Traveller(id: try row.id())
    }
}

extension Traveller {
    static var passport: ToOne<Traveller, Passport> { ToOne("passport", to: "Passport", inverse: "holder") }
}

struct Bill: PersistentRecord {
    let id: RecordID<Bill>
    var year: Int
    var number: Int?

    static let entity = RecordEntity<Bill>(
        "Bill", id: \.id,
        [
            .attribute("year", \.year),
            .attribute("number", \.number),
            .computed("numberKey", \.numberKey, isUnique: true),
        ]
    ) { row in
        Bill(id: try row.id(), year: try row.next(), number: try row.next())
    }
}

extension Bill {
    /// A number for each year; drafts have none.
    var numberKey: String? { number.map { "\(year)/\($0)" } }
}

extension Bill {
    static var lines: ToMany<Bill, BillLine> { ToMany("lines", to: "BillLine", inverse: "bill") }
}

struct BillLine: PersistentRecord {
    let id: RecordID<BillLine>
    var amount: Int
    var bill: Bill.ID

    static let entity = RecordEntity<BillLine>(
        "BillLine", id: \.id,
        [.attribute("amount", \.amount), .toOne("bill", \.bill, to: "Bill", inverse: "lines")]
    ) { row in
        BillLine(id: try row.id(), amount: try row.next(), bill: try row.next())
    }
}

struct Article: PersistentRecord {
    let id: RecordID<Article>
    var dateChanged: Date

    static let entity = RecordEntity<Article>("Article", id: \.id, [.attribute("dateChanged", \.dateChanged)]) { row in
        Article(id: try row.id(), dateChanged: try row.next())
    }
}

extension Article: LifecycleHooks {
    static func willSave(_ object: Managed<Article>, in context: ConfinedContext) throws {
        object.dateChanged = .now
    }
}

struct Shift: PersistentRecord {
    let id: RecordID<Shift>
    var start: Date
    var end: Date

    static let entity = RecordEntity<Shift>(
        "Shift", id: \.id, [.attribute("start", \.start), .attribute("end", \.end)]
    ) { row in
        Shift(id: try row.id(), start: try row.next(), end: try row.next())
    }
}

extension Shift: ValidatedRecord {
    func validate(_ validation: inout RecordValidation<Shift>) {
        validation.require(start < end, of: \.end, "a shift ends after it begins")
    }
}

func requests() {
    let request = FetchRequest<Employee>(
        where: #Predicate { $0.salary >= 50_000 }, sort: [SortKey(\.dateHired, order: .reverse)], limit: 10)
    let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
    _ = (request, prefetching)
}

func filters() {
    let busy =
        RecordFilter<Boss>.count(\.employees, .greaterOrEqual, 3)
        && .any(\.employees, matching: #Predicate { $0.salary > 90_000 })
    let theirs = RecordFilter<Employee>.related(\.boss, matching: busy)
    let expensive = RecordFilter<Bill>.any(\.lines, matching: #Predicate { $0.amount > 90_000 })
    let filter =
        RecordFilter<Employee>.matching(#Predicate { $0.salary > 50_000 })
        && .text(\.lastName, contains: "an", ignoringCase: true)
    _ = (theirs, expensive, filter)
}
