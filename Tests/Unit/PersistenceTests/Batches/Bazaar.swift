import StrataPersistence

/// Records whose initializers reject values that the model accepts, and some that reject nothing.
enum Bazaar {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [City.self, Customer.self, Tag.self])
    }

    /// The error of an invalid customer.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    struct City: PersistentRecord, Hashable {
        let id: RecordID<City>
        var name: String

        static let customers = ToMany<City, Customer>("customers", to: "Customer", inverse: "city")
        static let entity = RecordEntity<City>(
            "City", id: \.id, [.attribute("name", \.name), .relationship(customers)], rules: .model
        ) { City(id: try $0.id(), name: try $0.next()) }
    }

    /// A customer, who has a name, and a city unless without credit.
    struct Customer: PersistentRecord, Hashable {
        let id: RecordID<Customer>
        var name: String
        var credit: Int
        var city: City.ID?

        init(id: RecordID<Customer>, name: String, credit: Int, city: City.ID?) throws {
            guard !name.isEmpty else { throw Refusal(description: "a customer has a name") }
            guard city != nil || credit == 0 else { throw Refusal(description: "credit needs a city") }
            (self.id, self.name, self.credit, self.city) = (id, name, credit, city)
        }

        static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name), .attribute("credit", \.credit, default: .constant(.integer(0))),
                .toOne("city", \.city, to: "City", inverse: "customers"),
            ]
        ) { row in try Customer(id: row.id(), name: row.next(), credit: row.next(), city: row.next()) }
    }

    /// A word and its normalized form for searches.
    struct Tag: PersistentRecord, Hashable {
        let id: RecordID<Tag>
        var word: String

        var key: String { word.lowercased() }

        static let entity = RecordEntity<Tag>(
            "Tag", id: \.id,
            [.attribute("word", \.word), .computed("key", \.key, rules: [.maximumLength(8)], isUnique: true)],
            rules: .model
        ) { Tag(id: try $0.id(), word: try $0.next()) }
    }
}
