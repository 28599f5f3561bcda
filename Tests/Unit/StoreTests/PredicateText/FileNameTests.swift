import StrataPersistence
import Testing

@testable import StrataCore
@testable import StrataStoreKit

@Suite("Texts with external names")
struct FileNameTests {
    /// Returns a model of orders with a composite key, customers with a text key named `id` in files, lines that refer
    /// to both, and notes whose identifier is named `number` in files.
    static func model() throws -> ManagedObjectModel {
        let order = EntityDescription(
            "Order",
            [
                .attribute(AttributeDescription("year", .integer64)),
                .attribute(AttributeDescription("no", .integer64)),
                .attribute(
                    AttributeDescription("PreisEUR", .decimal(scale: 2), isOptional: true, externalName: "Preis (EUR)")),
            ], uniquenessConstraints: [["year", "no"]], external: ExternalForm(identifiers: .own))
        let customer = EntityDescription(
            "Customer",
            [
                .attribute(AttributeDescription("id2", .string, isUnique: true, externalName: "id")),
                .attribute(AttributeDescription("row", .string, isOptional: true, externalName: "_row")),
                .relationship(RelationshipDescription("lines", to: "Line", .toMany, inverse: "customer")),
            ], external: ExternalForm(identifiers: .own))
        let line = EntityDescription(
            "Line",
            [
                .relationship(
                    RelationshipDescription(
                        "customer", to: "Customer", .toOne, inverse: "lines",
                        externalKey: ExternalKey("id2", column: "customer_id"))),
                .relationship(
                    RelationshipDescription(
                        "payer", to: "Customer", .toOne, externalKey: ExternalKey("id2", column: "payer"))),
                .relationship(
                    RelationshipDescription(
                        "order", to: "Order", .toOne,
                        externalKey: ExternalKey(["year", "no"], columns: ["order_year", "order_no"]))),
                .relationship(RelationshipDescription("note", to: "Note", .toOne)),
            ])
        let note = EntityDescription(
            "Note", [.attribute(AttributeDescription("text", .string))],
            external: ExternalForm(identifiers: .column("number")))
        return try ManagedObjectModel([order, customer, line, note])
    }

    private func text(_ entity: String) throws -> PredicateText {
        try PredicateText(entity, in: try Self.model(), names: .files)
    }

    @Test(
        "a condition with external names is parsed like the condition with the model's names",
        arguments: [
            ("Customer", "id = 'a'", "id2 = 'a'"), ("Customer", "_row = 3", "id = 3"),
            ("Customer", "`_row` = 'x'", "row = 'x'"), ("Order", "`Preis (EUR)` > 3", "PreisEUR > 3"),
            ("Order", "PreisEUR > 3", "PreisEUR > 3"), ("Order", "_row in {1, 2}", "id in {1, 2}"),
            ("Order", "no = 1 and year = 2", "`no` = 1 and year = 2"),
            ("Line", "customer_id = 'a'", "customer.id2 = 'a'"), ("Line", "customer = 'a'", "customer.id2 = 'a'"),
            ("Line", "customer_id is null", "customer.id2 is null"),
            ("Line", "customer.id beginswith 'a'", "customer.id2 beginswith 'a'"),
            ("Line", "customer_id.id = 'a'", "customer.id2 = 'a'"), ("Line", "customer._row = 1", "customer.id = 1"),
            ("Line", "order_year = 2020 and order_no = 5", "order.year = 2020 and order.no = 5"),
            ("Line", "note = 3", "note = 3"), ("Line", "note.number = 3", "note.id = 3"),
            ("Line", "id = 3", "id = 3"), ("Note", "number = 3", "id = 3"), ("Note", "id = 3", "id = 3"),
            ("Customer", "lines.@count > 1", "lines.@count > 1"),
            ("Customer", "any lines.order_year = 2020", "any lines.order.year = 2020"),
        ])
    func conditions(_ entity: String, _ files: String, _ model: String) throws {
        let expected = try PredicateText(entity, in: try Self.model()).condition(model)
        #expect(try text(entity).condition(files) == expected)
    }

    @Test(
        "a sort order with external names is parsed like the sort order with the model's names",
        arguments: [
            ("Customer", "id desc", "id2 desc"), ("Customer", "_row", "id"),
            ("Line", "customer_id, order_no desc", "customer.id2, order.no desc"), ("Note", "number", "id"),
            ("Order", "`Preis (EUR)`", "PreisEUR"), ("Line", "length(customer_id)", "length(customer.id2)"),
        ])
    func orders(_ entity: String, _ files: String, _ model: String) throws {
        let expected = try PredicateText(entity, in: try Self.model()).sort(model)
        #expect(try text(entity).sort(files) == expected)
    }

    @Test("an assignment to a column of a composite reference sets that part of the reference's key")
    func assignments() throws {
        let assignments = try text("Line").assignments(
            "customer_id = 'a', order_no = 5, order_year = 2020, note = 3")
        #expect(assignments.map(\.name) == ["customer", "order", "order", "note"])
        #expect(assignments.map(\.keyValue) == [0, 1, 0, nil])
        #expect(
            assignments.map(\.value) == [
                .constant(.string("a")), .constant(.integer(5)), .constant(.integer(2020)), .constant(.integer(3)),
            ])
        #expect(try text("Line").assignments("payer = customer_id").map(\.value) == [.property("customer")])
        #expect(try text("Line").assignments("payer = customer_id").map(\.keyValue) == [nil])
        #expect(try text("Customer").assignments("id = 'b'").map(\.name) == ["id2"])
    }

    @Test(
        "an error about a wrong name lists the valid names",
        arguments: [
            ("Customer", "id2 = 'a'", "column 1: \"id2\" is not a column of Customer; write \"id\""),
            ("Customer", "ix = 'a'", "column 1: there is no attribute \"ix\" in Customer; did you mean \"id\"?"),
            (
                "Order", "nichts = 1",
                "column 1: there is no attribute \"nichts\" in Order; there are year, no, `Preis (EUR)`, _row"
            ),
            (
                "Order", "id = 1",
                "column 1: there is no attribute \"id\" in Order; there are year, no, `Preis (EUR)`, _row"
            ),
            (
                "Line", "order = 1",
                "column 1: \"order\" is stored in several columns; use \"order_year\", \"order_no\""
            ),
            (
                "Line", "_row = 1",
                "column 1: there is no attribute \"_row\" in Line; there are id, customer_id, payer, order_year, order_no, note"
            ),
            ("Line", "customer_id = 3", "column 15: a number cannot be compared with a string; write a text in quotes"),
            ("Note", "`_row` = 3", "column 1: there is no attribute \"_row\" in Note; there are number, text"),
        ])
    func errors(_ entity: String, _ files: String, _ message: String) throws {
        let text = try text(entity)
        let error = #expect(throws: PredicateTextError.self) { try text.condition(files) }
        #expect(error?.description == message)
    }

    @Test(
        "an invalid assignment is rejected with the position and the reason",
        arguments: [
            ("Customer", "_row = 3", "column 1: the number of a row cannot be changed"),
            ("Line", "id = 3", "column 1: an object's identifier cannot be changed"),
            (
                "Line", "customer_id = lower('A')",
                "column 15: \"customer_id\" is a reference to another row; assign a constant or a reference to the "
                    + "same entity, not an expression"
            ),
            ("Line", "order_no = 1, order_no = 2", "column 15: \"order\" is assigned twice"),
        ])
    func wrongAssignments(_ entity: String, _ files: String, _ message: String) throws {
        let text = try text(entity)
        let error = #expect(throws: PredicateTextError.self) { try text.assignments(files) }
        #expect(error?.description == message)
    }

    @Test("names that are not single words are written and parsed with backticks")
    func written() throws {
        let names = ["a", "a b", "in", "no", "_row", "_x", "1a", "Имя", "a.b", "a,b", "Null", "any"]
        let entity = EntityDescription(
            "Odd",
            names.enumerated().map {
                .attribute(AttributeDescription("c\($0.offset)", .string, externalName: $0.element))
            }, external: ExternalForm(identifiers: .own))
        let model = try ManagedObjectModel([entity])
        let written = model.writtenFileNames(of: entity)
        #expect(written.dropLast() == names.map(FileName.written))
        #expect(written.contains("`a b`") && written.contains("`in`") && written.contains("no"))
        #expect(written.contains("`_row`") && written.last == "_row")
        #expect(
            model.shellNames(of: entity) == [
                "a", "c1", "in", "no", "_row", "_x", "1a", "c7", "c8", "c9", "Null", "any", "_row",
            ])
        let text = try PredicateText("Odd", in: model, names: .files)
        for (index, name) in written.enumerated().dropLast() {
            #expect(
                try text.condition("\(name) = 'x'")
                    == .compare(.property("c\(index)"), .equal, .constant(.string("x"))), "\(name)")
        }
        #expect(try text.condition("_row = 3") == .compare(.property("id"), .equal, .constant(.integer(3))))
    }

    @Test("a like pattern with % and without * causes a note")
    func notes() throws {
        var notes: [String] = []
        _ = try text("Customer").condition("id like '%n%' or not (any lines.customer_id like 'a%')") {
            notes.append($0)
        }
        _ = try text("Customer").condition("id like '*%'") { notes.append($0) }
        #expect(
            notes
                == ["%n%", "a%"].map {
                    "in \"\($0)\", % is an ordinary character; * matches any characters, and ? one"
                })
    }
}
