import Foundation
import StrataDomain
import StrataModelFiles
import StrataPersistence
import StrataRepositories
import StrataTestSupport
import StrataTesting
import Testing

struct Folder: PersistentRecord {
    let id: RecordID<Folder>
    var name: String
    var parent: RecordID<Folder>?

    static let entity = RecordEntity<Folder>(
        "Folder", id: \.id,
        [
            .attribute("name", \.name), .toOne("parent", \.parent, to: "Folder", inverse: "children"),
            .relationship(children),
        ]
    ) { row in
        Folder(id: try row.id(), name: try row.next(), parent: try row.next())
    }
}

extension Folder {
    static var children: ToMany<Folder, Folder> { ToMany("children", to: "Folder", inverse: "parent") }
}

@Suite("The examples about aggregates, selected values, pages and trees")
struct AskingExamples {
    /// Returns two bosses and four employees.
    private func staff() throws -> any RecordContext {
        func day(_ month: Int, _ day: Int) throws -> Date { try Day(year: 2026, month: month, day: day).startInUTC }
        return try InMemoryRecords(
            ReferenceModel.model(),
            [
                Boss(id: 1, firstName: "Ada", lastName: "Ito"), Boss(id: 2, firstName: "Bea", lastName: "Berg"),
                Employee(id: 1, firstName: "A", lastName: "An", salary: 40_000, dateHired: day(1, 15), boss: 1),
                Employee(id: 2, firstName: "B", lastName: "Bo", salary: 50_000, dateHired: day(1, 20), boss: 1),
                Employee(id: 3, firstName: "C", lastName: "Cy", salary: 80_000, dateHired: day(2, 1), boss: 2),
                Employee(id: 4, firstName: "D", lastName: "Di", salary: 30_000, dateHired: day(2, 3)),
            ])
    }

    /// Returns 60 colors in the order of their dates.
    private func palette() throws -> [Color] {
        try (16..<76).map { number in
            Color(
                id: try Color.ID(number), hex: try HexColor("#0000" + String(number, radix: 16)),
                dateCreated: Date(timeIntervalSinceReferenceDate: Double(number)))
        }
    }

    @Test("aggregates over all records have the types of their properties")
    func numbers() async throws {
        let context = try staff()
        let (count, salaries) = try await context.aggregate(FetchRequest<Employee>(), .count(), .sum(\.salary))
        #expect(count == 4 && salaries == 200_000)
        let request = FetchRequest<Employee>(where: #Predicate { $0.salary >= 50_000 })
        let mean = try await context.aggregate(request, .average(\.salary))
        #expect(mean == 65_000)
        let spread = Aggregate<Employee, Int?>.value(
            .arithmetic(
                .aggregate(.maximum(.property("salary"))), .subtract, .aggregate(.minimum(.property("salary")))))
        let difference = try await context.aggregate(FetchRequest<Employee>(), spread)
        #expect(difference == 50_000)
    }

    @Test("groups have typed keys and aggregates")
    func groups() async throws {
        let context = try staff()
        let months = try await context.aggregate(
            FetchRequest<Employee>(), by: .yearMonth(\.dateHired), select: .count(), .sum(\.salary))
        #expect(months.map(\.key) == ["2026-01", "2026-02"])
        #expect(months.map(\.values.0) == [2, 2])
        #expect(months.map(\.values.1) == [90_000, 110_000])
        do {
            let salaries = Aggregate<Employee, Int?>.sum(\.salary)
            let expensive = try await context.aggregate(
                FetchRequest<Employee>(), by: .property(\.boss), select: salaries,
                having: .compare(salaries, .greater, 1_000_000))
            #expect(expensive.isEmpty)
        }
        let salaries = Aggregate<Employee, Int?>.sum(\.salary)
        let teams = try await context.aggregate(
            FetchRequest<Employee>(), by: .property(\.boss), .yearMonth(\.dateHired), select: .count(), salaries,
            having: .compare(salaries, .greater, 60_000), order: [.value(salaries, order: .reverse)], limit: 12)
        for team in teams {
            let (boss, month) = team.key
            let (count, sum) = team.values
            print(boss?.description ?? "none", month, count, sum ?? 0)
        }
        #expect(teams.map(\.key.0) == [1, 2])
        #expect(teams.map(\.key.1) == ["2026-01", "2026-02"])
        #expect(teams.map(\.values.1) == [90_000, 80_000])
    }

    @Test("a selection by names has stored values")
    func names() async throws {
        let context = try staff()
        let model = try ReferenceModel.model()
        do {
            let byBoss = StoreSelection(
                StoreRequest("Employee"),
                [.property("boss"), .aggregate(.count), .aggregate(.sum(.property("salary")))],
                grouping: StoreSelection.Grouping(by: [.property("boss")]))
            let rows = try await context.values(byBoss, of: Employee.entity)
            let expected: [[StoredValue]] = [
                [.null, .integer(1), .integer(30_000)], [.integer(1), .integer(2), .integer(90_000)],
                [.integer(2), .integer(1), .integer(80_000)],
            ]
            #expect(rows == expected)
        }
        let text = try PredicateText("Employee", in: model)
        let byBoss = try text.selection(
            "boss.lastName, count(), avg(salary) as mean", having: "count() > 1", sort: "mean desc")
        #expect(byBoss.names == ["boss.lastName", "count()", "mean"])
        let rows = try await context.values(byBoss.selection, of: Employee.entity)
        let expected: [[StoredValue]] = [[.string("Ito"), .integer(2), .double(45_000)]]
        #expect(rows == expected)
    }

    @Test("selected columns are typed, and different ones are sorted")
    func columns() async throws {
        let context = try staff()
        let pairs = try await context.select(FetchRequest<Employee>(), \.lastName, \.salary)
        let months = try await context.select(FetchRequest<Employee>(), distinct: true, values: .yearMonth(\.dateHired))
        #expect(pairs.map(\.0) == ["An", "Bo", "Cy", "Di"])
        #expect(pairs.map(\.1) == [40_000, 50_000, 80_000, 30_000])
        #expect(months == ["2026-01", "2026-02"])
        let boss = RecordValue<Employee, String?>.related(\.boss, \Boss.lastName)
        let names = try await context.select(FetchRequest<Employee>(), values: .property(\.lastName), boss)
        #expect(names.map(\.1) == ["Ito", "Ito", "Berg", nil])
    }

    @Test("related objects are aggregated in a condition, a sort key and a selection")
    func related() async throws {
        let context = try staff()
        let salaries = FetchOperand.relatedAggregate("employees", .sum(.property("salary")), .constant(true))
        let expensive = RecordFilter<Boss>.condition(.compare(salaries, .greater, .constant(.integer(60_000))))
        let request = FetchRequest<Boss>(expensive, sort: [SortKey(salaries, order: .reverse)])
        let sum = RecordValue<Boss, Int?>.value(salaries)
        let sums = try await context.select(request, values: .property(\.lastName), sum)
        #expect(sums.map(\.0) == ["Ito", "Berg"])
        #expect(sums.map(\.1) == [90_000, 80_000])
        let text = try PredicateText("Boss", in: ReferenceModel.model())
        let same = RecordFilter<Boss>.condition(try text.condition("sum(employees.salary) > 85000"))
        let count = try await context.count(FetchRequest<Boss>(same))
        #expect(count == 1)
    }

    @Test("records without a type are selected by texts")
    func texts() async throws {
        let file = Checkout.root.appending(path: "Fixtures/shop/datapackage.json")
        let model = try ModelFile(json: Array(try String(contentsOf: file, encoding: .utf8).utf8)).model
        let (customers, orders) = (try model.dynamicEntity("Customers"), try model.dynamicEntity("Orders"))
        let context: any RecordContext = try InMemoryRecords(model)
        for (name, totals) in [("Ada Lace", [12, 13]), ("Bo Box", [99])] {
            let customer = try await context.insert(into: customers) { id in
                try DynamicRecord(customers, id: id, ["fullName": name])
            }
            for total in totals {
                _ = try await context.insert(into: orders) { id in
                    try DynamicRecord(orders, id: id, ["customer": customer.id, "totalEUR": total])
                }
            }
        }
        let text = try PredicateText("Orders", in: model)
        let byCustomer = try text.selection(
            "customer.fullName, count(), sum(totalEUR) as total", having: "count() > 1", sort: "sum(totalEUR) desc")
        let rows = try await context.select(byCustomer, of: orders)
        for row in rows {
            let name = try row.value("customer.fullName", as: String?.self)
            let total = try row.value("total", as: Decimal?.self)
            print(name ?? "", total ?? 0)
        }
        #expect(rows.map { $0["customer.fullName"] } == [.string("Ada Lace")])
        #expect(try rows.map { try $0.value("total", as: Decimal?.self) } == [25])
    }

    private func tag(_ context: any RecordContext) async throws -> String {
        let request = FetchRequest<Employee>(where: #Predicate { $0.salary >= 50_000 })
        let versions = try await context.fetchVersions(request)
        let tag = versions.map { "\($0.id)-\($0.version)" }.joined(separator: ".")
        return tag
    }

    @Test("the versions of records change with the records")
    func versions() async throws {
        let context = try staff()
        let before = try await tag(context)
        try await context.update(Employee.self, id: 2) { $0.salary = 60_000 }
        let after = try await tag(context)
        #expect(before.hasPrefix("2-") && after.hasPrefix("2-") && before != after)
    }

    private func resumed(
        _ context: any RecordContext, _ request: FetchRequest<Color>, at cursor: String?
    ) async throws -> Page<Color> {
        let token = try cursor.map { try PageToken($0) }
        let page = try await context.page(request, size: 50, after: token)
        return page
    }

    @Test("pages follow each other")
    func pages() async throws {
        let context: any RecordContext = try InMemoryRecords(ReferenceModel.model(), palette())
        let request = FetchRequest<Color>(
            sort: [SortKey(\.dateCreated, order: .reverse), SortKey(\.id, order: .reverse)])
        let first = try await context.page(request, size: 50)
        var page = try await context.page(request, size: 50)
        while let next = page.next {
            page = try await context.page(request, size: 50, after: next)
        }
        let all = try await context.fetch(request)
        #expect(first.records + page.records == all)
        #expect(first.records.count == 50 && first.previous == nil && page.next == nil)
        let next = try await resumed(context, request, at: first.next?.description)
        #expect(next.records == page.records)
        let back = try await context.page(request, size: 50, after: page.previous)
        #expect(back.records == first.records)
        var token: PageToken?
        repeat {
            let page = try await context.page(request, size: 50, after: token)
            for color in page.records { print(color.displayName) }
            token = page.next
        } while token != nil
    }

    private static func beginning(_ context: ConfinedContext, _ request: FetchRequest<Color>) throws -> [Color] {
        var page = try context.page(request, size: 50)
        var records = page.records
        while let next = page.next {
            page = try context.page(request, size: 50, after: next)
            records += page.records
        }
        return records
    }

    @Test("only the context with unsaved changes includes them")
    func pending() async throws {
        let container = try PersistentContainer(model: ReferenceModel.model(), .inMemory, mainQueue: .private)
        let colors = try palette()
        let found = try await container.backgroundContext.perform { context in
            for color in colors { try context.insert(color) }
            return try Self.beginning(context, FetchRequest<Color>(sort: [SortKey(\.dateCreated)]))
        }
        #expect(found == colors)
        let unsaved = try await container.backgroundContext.perform { context in
            try context.aggregate(FetchRequest<Color>(), .count())
        }
        #expect(unsaved == 60)
        let saved = try await container.backgroundContext.aggregate(FetchRequest<Color>(), .count())
        #expect(saved == 0)
        try container.close()
    }

    @Test("a tree has the depths of its objects")
    func tree() async throws {
        let folders = [
            Folder(id: 1, name: "Root", parent: nil), Folder(id: 2, name: "A", parent: 1),
            Folder(id: 3, name: "B", parent: 1), Folder(id: 4, name: "C", parent: 2),
        ]
        let context: any RecordContext = try InMemoryRecords(ManagedObjectModel(records: [Folder.self]), folders)
        let (root, leaf) = (folders[0].id, folders[3].id)
        let rows = try await context.descendants(Folder.self, of: [root], through: \.children)
        for row in rows { print(String(repeating: "  ", count: row.depth - 1) + row.record.name) }
        let path = try await context.ancestors(Folder.self, of: [leaf], through: \.children)
        #expect(rows.map(\.record.name) == ["A", "C", "B"])
        #expect(rows.map(\.depth) == [1, 2, 1])
        #expect(path.map(\.record.name) == ["A", "Root"])
    }
}
