import StrataInterchange
import StrataPersistence
import Testing

/// Tests of names in files, which may be any text, while the names of a model are words.
@Suite("Column names in files")
struct ExternalNameTests {
    private static func container(_ external: ExternalForm = ExternalForm(name: "2nd table")) throws
        -> PersistentContainer
    {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Thing",
                [
                    .attribute(AttributeDescription("price", .decimal(scale: 2), externalName: "price (EUR)")),
                    .attribute(AttributeDescription("street", .string, isOptional: true, externalName: "Straße, Nr.")),
                    // The external name of this attribute is the model's name of another attribute.
                    .attribute(AttributeDescription("other", .string, isOptional: true, externalName: "price")),
                    .relationship(RelationshipDescription("part", to: "Part", .toOne, externalName: "part \"no\"")),
                ], external: external),
            EntityDescription(
                "Part", [.attribute(AttributeDescription("name", .string))],
                external: ExternalForm(identifiers: .column("no"))),
        ])
        return try PersistentContainer(model: model, .inMemory, mainQueue: .private)
    }

    private static let rows = """
        id,price (EUR),"Straße, Nr.",price,"part ""no\"""
        1,12.50,"Hof, 1",dear,7
        2,0.00,,,

        """

    @Test(
        "columns are imported and exported in CSV and NDJSON with their external names",
        arguments: ["csv", "ndjson"])
    func both(_ format: String) throws {
        let container = try Self.container()
        let format = try #require(DatasetFormat(rawValue: format))
        _ = try container.importing("no,name\n7,wheel\n", .csv, into: "Part")
        let rows = try container.importing(Self.rows, .csv, into: "Thing")
        #expect(rows[0].values[1] == .string("Hof, 1"))
        #expect(rows[0].values[2] == .string("dear"))
        #expect(rows[0].values[3] == .integer(7))
        #expect(try container.exported("Thing", .csv) == Self.rows)
        let text = try container.exported("Thing", format)
        let other = try Self.container()
        _ = try other.importing("no,name\n7,wheel\n", .csv, into: "Part")
        #expect(try other.importing(text, format, into: "Thing").map(\.values) == rows.map(\.values))
    }

    @Test("an import accepts external names in other letter case, with _ for a space, and the model's attribute names")
    func names() throws {
        let container = try Self.container()
        let rows = try container.importing("ID,Price_(eur),street\n1,3,x\n", .csv, into: "Thing")
        #expect(rows[0].values[0] == .decimal(ScaledDecimal(unscaled: 300, scale: 2)))
        #expect(rows[0].values[1] == .string("x"))
    }

    @Test("import errors contain the column names of the file, not the attribute names of the model")
    func errors() throws {
        let container = try Self.container()
        let missing = #expect(throws: InterchangeError.self) {
            try container.importing("id,street\n1,x\n", .csv, into: "Thing")
        }
        #expect(missing?.message == "missing column \"price (EUR)\", which is mandatory")
        let unknown = #expect(throws: InterchangeError.self) {
            try container.importing("id,price (EUR),Strasse, Nr.\n", .csv, into: "Thing")
        }
        #expect(unknown?.message.contains("unknown column") == true)
        let value = #expect(throws: InterchangeError.self) {
            try container.importing("id,price (EUR)\n1,much\n", .csv, into: "Thing")
        }
        #expect(value?.column == "price (EUR)")
    }

    @Test("rows of a file without identifiers get new identifiers and are exported without identifiers")
    func ownIdentifiers() throws {
        let container = try Self.container(ExternalForm(identifiers: .own))
        let text = "price (EUR),\"Straße, Nr.\",price,\"part \"\"no\"\"\"\n1.00,,,\n2.00,,,\n"
        #expect(try container.importing(text, .csv, into: "Thing").map(\.id) == [1, 2])
        #expect(try container.exported("Thing", .csv) == text)
        let error = #expect(throws: InterchangeError.self) {
            try container.importing("id,price (EUR)\n1,1\n", .csv, into: "Thing")
        }
        #expect(error?.message == "unknown column \"id\"")
    }

    @Test("a model with a repeated column name, or with a reference to rows without identifiers, is rejected")
    func models() throws {
        let twice = EntityDescription(
            "A", [.attribute(AttributeDescription("x", .string, externalName: "id"))])
        #expect(throws: PersistenceError.self) { try ManagedObjectModel([twice]) }
        let own = EntityDescription("A", [], external: ExternalForm(identifiers: .own))
        let other = EntityDescription("B", [.relationship(RelationshipDescription("a", to: "A", .toOne))])
        let error = #expect(throws: PersistenceError.self) { try ManagedObjectModel([own, other]) }
        #expect(error?.message == "files contain no identifiers of A, and no reference key is declared")
    }
}
