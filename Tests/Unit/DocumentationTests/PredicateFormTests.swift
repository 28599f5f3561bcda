import Foundation
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

/// The forms of `#Predicate` on the page “Predicates”, with the rows that each one selects in two kinds of stores.
@Suite("Forms of predicates")
struct PredicateFormTests {
    enum Kind: String, AttributeValue, CaseIterable, Codable { case staff, visitor }

    struct Guest: PersistentRecord {
        let id: RecordID<Guest>
        var name: String
        var nick: String?
        var age: Int
        var score: Double
        var price: Decimal
        var isVIP: Bool
        var born: Day
        var kind: Kind
        var host: RecordID<Guest>?

        static let entity = RecordEntity<Guest>(
            "Guest", id: \.id,
            [
                .attribute("name", \.name), .attribute("nick", \.nick), .attribute("age", \.age),
                .attribute("score", \.score), .attribute("price", \.price, scale: 2), .attribute("isVIP", \.isVIP),
                .attribute("born", \.born), .attribute("kind", \.kind, raw: \Kind.rawValue),
                .toOne("host", \.host, to: "Guest"),
            ]
        ) { row in
            try Guest(
                id: row.id(), name: row.next(), nick: row.next(), age: row.next(), score: row.next(), price: row.next(),
                isVIP: row.next(), born: row.next(), kind: row.next(), host: row.next())
        }
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let code: String
        let predicate: Predicate<Guest>
        /// The selected rows, or `nil` for a form that is rejected.
        let ids: [Int64]?
        init(_ code: String, _ predicate: Predicate<Guest>, _ ids: [Int64]?) {
            (self.code, self.predicate, self.ids) = (code, predicate, ids)
        }
        var testDescription: String { code }
    }

    // swift-format-ignore
    static let forms: [Form] = {
        let (name, names, ages) = ("Ann", ["Ann", "Cy"], Set([20, 40]))
        let (visitor, first) = (Kind.visitor, RecordID<Guest>(rawValue: 1))
        guard let day = try? Day(year: 2000, month: 1, day: 1) else { return [] }
        return [
            Form("$0.name == name", #Predicate { $0.name == name }, [1]),
            Form("$0.name != name", #Predicate { $0.name != name }, [2, 3]),
            Form("$0.age < 40", #Predicate { $0.age < 40 }, [1, 2]),
            Form("$0.age >= 30 && $0.age <= 40", #Predicate { $0.age >= 30 && $0.age <= 40 }, [2, 3]),
            Form("$0.age == 20 || $0.isVIP", #Predicate { $0.age == 20 || $0.isVIP }, [1, 3]),
            Form("!$0.isVIP", #Predicate { !$0.isVIP }, [1, 2]),
            Form("$0.nick == nil", #Predicate { $0.nick == nil }, [2]),
            Form("$0.nick != nil", #Predicate { $0.nick != nil }, [1, 3]),
            Form("($0.nick ?? $0.name) == \"Bob\"", #Predicate { ($0.nick ?? $0.name) == "Bob" }, [2]),
            Form("$0.nick?.isEmpty == true", #Predicate { $0.nick?.isEmpty == true }, [3]),
            Form("$0.nick?.contains(\"a\") == true", #Predicate { $0.nick?.contains("a") == true }, [1]),
            Form("$0.name.isEmpty", #Predicate { $0.name.isEmpty }, []),
            Form("$0.name.contains(\"n\")", #Predicate { $0.name.contains("n") }, [1]),
            Form("$0.name.starts(with: \"B\")", #Predicate { $0.name.starts(with: "B") }, [2]),
            Form("names.contains($0.name)", #Predicate { names.contains($0.name) }, [1, 3]),
            Form("ages.contains($0.age)", #Predicate { ages.contains($0.age) }, [1, 3]),
            Form("(20..<40).contains($0.age)", #Predicate { (20..<40).contains($0.age) }, [1, 2]),
            Form("(20...$0.age).contains(30)", #Predicate { (20...$0.age).contains(30) }, [2, 3]),
            Form("$0.age + 10 == 40", #Predicate { $0.age + 10 == 40 }, [2]),
            Form("$0.age * 2 - 1 > 60", #Predicate { $0.age * 2 - 1 > 60 }, [3]),
            Form("$0.age / 3 == 10", #Predicate { $0.age / 3 == 10 }, [2]),
            Form("$0.age % 20 == 0", #Predicate { $0.age % 20 == 0 }, [1, 3]),
            Form("-$0.score < -1.5", #Predicate { -$0.score < -1.5 }, [2, 3]),
            Form("$0.score / 2 > 1", #Predicate { $0.score / 2 > 1 }, [3]),
            Form("$0.price < 2", #Predicate { $0.price < 2 }, [1]),
            Form("$0.born > day", #Predicate { $0.born > day }, [3]),
            Form("$0.kind == visitor", #Predicate { $0.kind == visitor }, [2, 3]),
            Form("$0.kind.rawValue == \"staff\"", #Predicate { $0.kind.rawValue == "staff" }, [1]),
            Form("$0.host == first", #Predicate { $0.host == first }, [2]),
            Form("$0.id.rawValue > 1", #Predicate { $0.id.rawValue > 1 }, [2, 3]),
            Form("$0.isVIP ? $0.age > 30 : $0.age > 20", #Predicate { $0.isVIP ? $0.age > 30 : $0.age > 20 }, [2, 3]),
            Form("if let nick = $0.nick { nick == name } else { false }", #Predicate { if let nick = $0.nick { nick == name } else { false } }, []),
            Form("$0.nick! == name", #Predicate { $0.nick! == name }, nil),
            Form("$0.name.count > 2", #Predicate { $0.name.count > 2 }, nil),
        ]
    }()

    private static func records() throws -> [Guest] {
        func guest(
            _ id: Int64, _ name: String, _ nick: String?, _ age: Int, vip: Bool = false, year: Int, host: Int64? = nil
        ) throws -> Guest {
            Guest(
                id: try #require(RecordID(rawValue: id)), name: name, nick: nick, age: age, score: Double(id),
                price: Decimal(id), isVIP: vip, born: try Day(year: year, month: 2, day: 3),
                kind: id == 1 ? .staff : .visitor, host: host.flatMap { RecordID(rawValue: $0) })
        }
        return [
            try guest(1, "Ann", "anna", 20, year: 1990), try guest(2, "Bob", nil, 30, year: 1995, host: 1),
            try guest(3, "Cy", "", 40, vip: true, year: 2001),
        ]
    }

    @Test("a predicate form selects the expected rows or is rejected", arguments: forms, [true, false])
    func selected(_ form: Form, _ isInMemory: Bool) async throws {
        let folder = try TemporaryFolder()
        let description: PersistentStoreDescription = isInMemory ? .inMemory : .sqlite(at: folder.file("s"))
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Guest.self]), description, mainQueue: .private)
        try await container.performBatchInsert(Guest.entity, records: try Self.records())
        let records: any RecordContext = container.backgroundContext
        let request = FetchRequest<Guest>(where: form.predicate)
        if let ids = form.ids {
            #expect(try await records.fetch(request).map(\.id.rawValue) == ids)
        } else {
            let error = await #expect(throws: PersistenceError.self) { try await records.fetch(request) }
            #expect(error?.code == .invalidRequest && error?.entity == "Guest")
        }
        try container.close()
    }

    @Test("the page about predicates lists exactly the tested forms")
    func page() throws {
        let package = Checkout.root
        let page = try String(
            contentsOf: package.appendingPathComponent(
                "Modules/Persistence/Stack/StrataPersistence.docc/Predicates.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| `(.+?)` \|/).map { String($0.1).replacing("\\|", with: "|") }
        }
        #expect(Set(rows) == Set(Self.forms.map(\.code)))
        for form in Self.forms { #expect(source.contains("#Predicate { \(form.code) }")) }
    }
}
