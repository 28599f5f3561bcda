import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Files that refer by keys: forward, to themselves, by several values and through other references.
@Suite("References by keys")
struct KeyedReferenceTests {
    private static func key(_ name: String, _ type: AttributeType = .string) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, type, isUnique: true))
    }

    private static func optional(_ name: String) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, .string, isOptional: true))
    }

    /// Returns a model of nested categories, orders with lines, and returns of lines, without identifiers in files.
    static func model(ids: ExternalForm.Identifiers = .own) throws -> ManagedObjectModel {
        func entity(
            _ name: String, _ properties: [EntityDescription.Property], together: [[String]] = []
        ) -> EntityDescription {
            EntityDescription(
                name, properties, uniquenessConstraints: together, external: ExternalForm(identifiers: ids))
        }
        return try ManagedObjectModel([
            entity(
                "Category",
                [
                    key("code"),
                    .relationship(
                        RelationshipDescription(
                            "parent", to: "Category", .toOne, inverse: "children",
                            externalKey: ExternalKey("code", column: "parent code"))),
                    .relationship(
                        RelationshipDescription("children", to: "Category", .toMany, inverse: "parent")),
                ]),
            entity(
                "Return",
                [
                    optional("reason"),
                    .relationship(
                        RelationshipDescription(
                            "line", to: "Line", .toOne,
                            externalKey: ExternalKey(["number", "order"], columns: ["line no.", "order no."]))),
                ]),
            entity(
                "Line",
                [
                    .attribute(AttributeDescription("number", .integer64)),
                    .relationship(
                        RelationshipDescription(
                            "order", to: "Order", .toOne, inverse: "lines", isOptional: false,
                            externalKey: ExternalKey("no", column: "order"))),
                    optional("text"),
                ], together: [["order", "number"]]),
            entity(
                "Order",
                [
                    key("no"),
                    .relationship(
                        RelationshipDescription(
                            "lines", to: "Line", .toMany, inverse: "order", deleteRule: .cascade)),
                ]),
        ])
    }

    private func run(
        _ container: PersistentContainer, _ files: [(entity: String, text: String)],
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions(format: .csv)
        change(&options)
        return try DatasetImporter(container: container, options: options).run(
            files.map { ImportSource(entity: $0.entity, input: ByteInput(bytes: Array($0.text.utf8), name: $0.entity)) }
        )
    }

    private static let categories = "code,parent code\nchair,furniture\nfurniture,\nstool,chair\nroot,root\n"

    @Test("records may refer by key to later records, earlier records or themselves, and are exported unchanged")
    func itself() throws {
        for (container, _) in try containers(try Self.model()) {
            let summary = try run(container, [("Category", Self.categories)])
            #expect(summary.count == 4 && summary.files[0].counts.inserted == 4)
            let rows = try container.coordinator.store.rows(StoreRequest("Category"))
            #expect(rows.map { $0.values[1] } == [.integer(2), .null, .integer(1), .integer(4)])
            #expect(try container.exported("Category", .csv) == Self.categories)
            // The next import finds the stored rows.
            _ = try run(container, [("Category", "code,parent code\nsofa,stool\n")])
            #expect(try container.exported("Category", .csv) == Self.categories + "sofa,stool\n")
            #expect(
                try container.exported("Category", .ndjson).split(separator: "\n").first
                    == #"{"code":"chair","parent code":"furniture"}"#)
        }
    }

    private static let returns = "reason,line no.,order no.\nbroken,2,B\n,,\nlate,1,A\n"
    private static let lines = "number,order,text\n1,A,one\n2,B,two\n1,B,three\n"
    private static let orders = "no\nB\nA\n"

    @Test(
        "a key of several values, one of them through another reference, is resolved for any order of files",
        arguments: 0..<6)
    func several(order: Int) throws {
        var files = [("Return", Self.returns), ("Line", Self.lines), ("Order", Self.orders)]
        for step in 0..<order { files.swapAt(step % 2, step % 2 + 1) }
        for (container, _) in try containers(try Self.model()) {
            _ = try run(container, files)
            for (entity, text) in files { #expect(try container.exported(entity, .csv) == text) }
        }
    }

    @Test("references by key are also resolved if the file contains identifiers")
    func identifiers() throws {
        let text = "id,code,parent code\n7,chair,furniture\n3,furniture,\n9,stool,chair\n"
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(container, [("Category", text)])
            #expect(
                try container.exported("Category", .csv)
                    == "id,code,parent code\n3,furniture,\n7,chair,furniture\n9,stool,chair\n")
        }
    }

    @Test("a key that no row has is an error with the line, column and values, and nothing is stored")
    func missing() throws {
        for (container, _) in try containers(try Self.model()) {
            let error = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Category", "code,parent code\na,b\nb,\nc,nowhere\n")])
            }
            #expect(
                error.description
                    == "Category:4: record 3, column parent code: there is no Category with code \"nowhere\", neither in the store nor in this import"
            )
            let several = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Return", Self.returns), ("Line", Self.lines), ("Order", "no\nA\n")])
            }
            #expect(several.description.hasPrefix("Return:2: record 1, column "))
            #expect(
                several.description.hasSuffix(
                    "there is no Line with number \"2\" and order.no \"B\", neither in the store nor in this import"))
            #expect(try container.coordinator.store.count(StoreRequest("Category")) == 0)
            #expect(try container.coordinator.store.count(StoreRequest("Line")) == 0)
        }
    }

    @Test("a dangling reference becomes null, or its record is rejected together with all referring records")
    func left() throws {
        let text = "code,parent code\na,b\nb,nowhere\nc,\nd,a\n"
        for (container, _) in try containers(try Self.model()) {
            let summary = try run(container, [("Category", text)]) { $0.onMissingReference = .null }
            #expect(summary.files[0].counts.nulledReferences == 1)
            #expect(try container.exported("Category", .csv) == "code,parent code\na,b\nb,\nc,\nd,a\n")
        }
        for (container, _) in try containers(try Self.model()) {
            var lines: [Int] = []
            _ = try run(container, [("Category", text)]) {
                $0.onError = .reject
                $0.onProblem = { lines.append($0.error.line ?? 0) }
            }
            #expect(lines.sorted() == [2, 3, 5])
            #expect(try container.exported("Category", .csv) == "code,parent code\nc,\n")
        }
    }

    @Test("a record is rejected if a later record already refers to the same one-to-one counterpart")
    func counterparts() throws {
        for (container, _) in try containers(try LinkModels.counterparts()) {
            // The count exceeds the write buffer of a store: the last record is read after the third is stored.
            let others = (0..<20_000).map { "o\($0),\n" }.joined()
            var errors: [String] = []
            _ = try container.importing("code,to\nx,z\ny,x\nz,\n\(others)w,z\n", .csv, into: "A") {
                $0.onError = .reject
                $0.onProblem = { errors.append($0.error.description) }
            }
            #expect(errors.count == 2, "\(errors)")
            #expect(errors.contains { $0.hasPrefix("data:2: ") && $0.contains("already") }, "\(errors)")
            #expect(errors.contains { $0.hasPrefix("data:3: ") && $0.contains("there is no A") }, "\(errors)")
        }
    }

    @Test("a key that no row has is dangling even if a row has the greatest possible identifier")
    func lastIdentifier() throws {
        let text = "id,code,parent code\n9007199254740991,MAX,\n2,B,NOPE\n"
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            let error = try #require(throws: InterchangeError.self) { _ = try run(container, [("Category", text)]) }
            #expect(error.message.hasPrefix("there is no Category with code \"NOPE\""))
        }
    }

    @Test("an update that refers to a rejected record is rejected, and its row is unchanged")
    func rejectedUpdate() throws {
        for order in ["q2,NOPE\nb,q2\n", "b,q2\nq2,NOPE\n"] {
            for (container, _) in try containers(try Self.model()) {
                _ = try run(container, [("Category", "code,parent code\na,\nb,a\n")])
                var lines: [Int] = []
                let summary = try run(container, [("Category", "code,parent code\n" + order)]) {
                    $0.onConflict = .update
                    $0.onError = .reject
                    $0.onProblem = { lines.append($0.error.line ?? 0) }
                }
                #expect(lines.sorted() == [2, 3], "\(order)")
                #expect(summary.files[0].counts.inserted == 0 && summary.files[0].counts.updated == 0)
                #expect(try container.exported("Category", .csv) == "code,parent code\na,\nb,a\n")
            }
        }
    }

    @Test("the import ends if a rejected update cannot be reverted because another row uses the former key")
    func valueTakenMeanwhile() throws {
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(container, [("Category", "id,code\n1,A\n")])
            let error = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Category", "id,code,parent code\n1,Z,NOPE\n4,A,\n")]) {
                    $0.onConflict = .update
                    $0.onError = .reject
                }
            }
            #expect(
                error.description == """
                    Category:2: record 1, column code: object 1: another object already has this value, which must be \
                    unique (“A”)
                    """)
            #expect(try container.exported("Category", .csv) == "id,code,parent code\n1,A,\n")
        }
    }

    @Test("a reference by key is resolved to the row that has the key when the record is read")
    func renamed() throws {
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(container, [("Category", "id,code\n1,A\n")])
            _ = try run(container, [("Category", "id,code,parent code\n1,Z,\n4,A,\n5,C,A\n")]) {
                $0.onConflict = .update
            }
            #expect(
                try container.exported("Category", .csv) == "id,code,parent code\n1,Z,\n4,A,\n5,C,A\n")
        }
    }

    @Test("a cached key is looked up again after a record changes the key")
    func renamedBehindAsked() throws {
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(container, [("Category", "id,code\n1,A\n")])
            _ = try run(container, [("Category", "id,code,parent code\n3,B,A\n1,Z,\n4,A,\n5,C,A\n")]) {
                $0.onConflict = .update
            }
            #expect(
                try container.exported("Category", .csv) == "id,code,parent code\n1,Z,\n3,B,Z\n4,A,\n5,C,A\n")
        }
    }

    @Test("an update may exchange the keys of rows, and references in the same import use the final keys")
    func exchangedKeys() throws {
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(
                container,
                [
                    ("Category", "id,code\n1,A\n2,B\n3,C\n"), ("Order", "id,no\n1,x\n2,y\n"),
                    ("Line", "id,order,number\n1,x,1\n"),
                ])
            let categories = "id,code,parent code\n1,B,C\n2,A,B\n3,C,A\n"
            let summary = try run(
                container,
                [
                    ("Line", "id,order,number,text\n1,y,1,moved\n"), ("Order", "id,no\n1,y\n2,x\n"),
                    ("Category", categories),
                ]
            ) { $0.onConflict = .update }
            #expect(summary.files.map(\.counts.updated) == [1, 2, 3])
            #expect(try container.exported("Category", .csv) == categories)
            #expect(try container.exported("Line", .csv) == "id,number,order,text\n1,1,y,moved\n")
            #expect(try container.exported("Order", .csv) == "id,no\n1,y\n2,x\n")
        }
    }

    @Test("a record with a key that another row retains is rejected with its line")
    func keptKeys() throws {
        for (container, _) in try containers(try Self.model(ids: .column("id"))) {
            _ = try run(container, [("Category", "id,code\n1,A\n2,B\n3,C\n")])
            var lines: [Int] = []
            let text = "id,code,parent code\n1,B,\n2,C,\n4,A,\n5,E,A\n"
            let summary = try run(container, [("Category", text)]) {
                $0.onConflict = .update
                $0.onError = .reject
                $0.onProblem = { lines.append($0.error.line ?? 0) }
            }
            #expect(lines == [2, 3, 4] && summary.files[0].counts.inserted == 1)
            #expect(
                try container.exported("Category", .csv) == "id,code,parent code\n1,A,\n2,B,\n3,C,\n5,E,A\n")
        }
    }

    @Test("a file with only some columns of a key is rejected")
    func halfAKey() throws {
        for (container, _) in try containers(try Self.model()) {
            let error = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Return", "reason,line no.\nx,\n")]) { $0.onConflict = .update }
            }
            #expect(
                error.message.contains(
                    "missing column \"order no.\": \"line no.\", \"order no.\" identify one object together"),
                "\(error)")
        }
    }

    @Test("a record with only some values of a key, or without a mandatory key, is rejected")
    func partial() throws {
        for (container, _) in try containers(try Self.model()) {
            let error = try #require(throws: InterchangeError.self) {
                _ = try run(
                    container,
                    [("Order", Self.orders), ("Line", Self.lines), ("Return", "reason,line no.,order no.\nx,,A\n")])
            }
            #expect(
                error.description
                    == "Return:2: record 1, column line no.: is null, but line no., order no. identify one object "
                    + "together: either all or none of them must have values"
            )
            let mandatory = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Line", "number,order\n1,\n")])
            }
            #expect(mandatory.description.contains("column order: null is not allowed, order is mandatory"))
            let absent = try #require(throws: InterchangeError.self) {
                _ = try run(container, [("Line", "number\n1\n")])
            }
            #expect(absent.description.contains("missing column \"order\", which is mandatory"))
        }
    }

    @Test("a record with an existing key updates the row and its reference, or is ignored")
    func conflicts() throws {
        for (container, _) in try containers(try Self.model()) {
            _ = try run(container, [("Category", "code,parent code\na,\nb,a\n")])
            _ = try run(container, [("Category", "code,parent code\nb,z\nz,\n")]) { $0.onConflict = .ignore }
            #expect(try container.exported("Category", .csv) == "code,parent code\na,\nb,a\nz,\n")
            _ = try run(container, [("Category", "code,parent code\nb,y\ny,\n")]) { $0.onConflict = .update }
            #expect(try container.exported("Category", .csv) == "code,parent code\na,\nb,y\nz,\ny,\n")
            // A missing column changes nothing.
            _ = try run(container, [("Category", "code\nb\n")]) { $0.onConflict = .update }
            #expect(try container.exported("Category", .csv) == "code,parent code\na,\nb,y\nz,\ny,\n")
        }
    }

    @Test("references by key find rows that the same import committed earlier")
    func committing() throws {
        let count = 5_000
        let text = "code,parent code\n" + (0..<count).map { "c\($0),\($0 == 0 ? "" : "c\($0 / 2)")\n" }.joined()
        for (container, _) in try containers(try Self.model()) {
            _ = try run(container, [("Category", text)]) { $0.commitInterval = 1_000 }
            #expect(try container.exported("Category", .csv) == text)
        }
    }
}
