import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataReports

@Suite("Drawings of models")
struct ModelDrawingTests {
    private func entity(_ name: String, _ relationships: [RelationshipDescription] = []) -> EntityDescription {
        EntityDescription(
            name, [.attribute(AttributeDescription("code", .string))] + relationships.map { .relationship($0) })
    }

    private func page(_ model: ManagedObjectModel) throws -> PageReader {
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        defer { try? container.close() }
        return try PageReader(try StoreReport(reading: container.coordinator.store).page)
    }

    @Test("the boxes and labels of a random model are within the drawing, and no boxes overlap", arguments: 1...60)
    func layout(seed: Int) throws {
        var random = RandomModel(seed: UInt64(seed))
        let model = ModelSummary(try random.model())
        let layout = DiagramLayout(model)
        for (place, frame) in layout.frames.enumerated() {
            #expect(frame.x >= 0 && frame.y >= 0)
            #expect(frame.right <= layout.size.width && frame.y + frame.height <= layout.size.height)
            for other in layout.frames[(place + 1)...] {
                let isBeside = frame.right < other.x || other.right < frame.x
                #expect(isBeside || frame.y + frame.height < other.y || other.y + other.height < frame.y)
            }
        }
        let lines = DiagramLine.all(model, layout)
        #expect(lines.count == model.links.count)
        #expect(Set(lines.map(\.path)).count == lines.count)
        for line in lines {
            #expect((0...layout.size.width).contains(line.label.x) && (0...layout.size.height).contains(line.label.y))
        }
    }

    @Test("a referenced entity is drawn left of the referring entities")
    func order() throws {
        let model = ModelSummary(
            try ManagedObjectModel([
                entity("Line", [.init("order", to: "Order", .toOne)]),
                entity("Order", [.init("customer", to: "Customer", .toOne)]), entity("Customer"),
            ]))
        #expect(DiagramLayout(model).columns == [2, 1, 0])
    }

    @Test("a page draws a box per entity and a line per relationship, and describes both in text")
    func drawn() throws {
        let model = try ManagedObjectModel([
            entity(
                "Customer", [.init("orders", to: "Order", .toMany, inverse: "customer", deleteRule: .cascade)]),
            entity(
                "Order",
                [
                    .init("customer", to: "Customer", .toOne, inverse: "orders", isOptional: false),
                    .init("after", to: "Order", .toOne),
                    .init("tags", to: "Tag", .toMany, inverse: "orders"),
                ]),
            entity("Tag", [.init("orders", to: "Order", .toMany, inverse: "tags")]),
        ])
        let page = try page(model)
        let section = try #require(page.elements.first { $0.attributes["id"] == "model" })
        #expect(section.name == "section")
        #expect(page.elements.count { $0.name == "rect" } == 3)
        #expect(page.elements.count { $0.attributes["class"]?.hasPrefix("line") ?? false } == 3)
        #expect(page.elements.count { $0.attributes["class"] == "line optional" } == 2)
        for sentence in [
            "Order.customer leads to one Customer; back as Customer.orders to any number of Order.",
            "Order.after leads to one Order, or none.",
            "Order.tags leads to any number of Tag; back as Tag.orders to any number of Order.",
            "3 entities and 3 relationships: Customer, Order, Tag.",
        ] {
            #expect(page.text.contains(sentence), "\(sentence)")
        }
    }

    @Test("a model of one entity has no drawing, and only the first 40 of many entities are drawn")
    func bounds() throws {
        let alone = try page(try ManagedObjectModel([entity("A")]))
        #expect(!alone.elements.contains { $0.name == "rect" })
        let many = try page(try ManagedObjectModel((0..<100).map { entity("E\($0)") }))
        #expect(many.elements.count { $0.name == "rect" } == ModelSummary.mostBoxes)
        #expect(many.text.contains("The first 40 entities are drawn; there are 60 more."))
    }

    @Test("a page contains the titles and descriptions of entities and attributes as text")
    func titles() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "A", [.attribute(AttributeDescription("x", .string, isOptional: true, title: "The <x>"))],
                external: ExternalForm(title: "All of <A>", explanation: "And more."))
        ])
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        defer { try? container.close() }
        var changes = ChangeSet()
        changes["A"].insertions = [.init(id: 1, values: [.null])]
        _ = try container.coordinator.store.save(changes)
        let page = try PageReader(try StoreReport(reading: container.coordinator.store).page)
        for words in ["The <x>", "All of <A>", "And more."] { #expect(page.text.contains(words)) }
    }
}
