import Domain
import FixtureGeneration
import Testing

@Suite("Generated names show mistakes in encoding and quoting")
struct NameTests {
    private let dataset = DatasetGenerator(seed: 1)
    private let count = 20_000

    private func names(_ entity: Entity) throws -> [String] {
        try (0..<count).compactMap { index in
            switch entity {
            case .color: try dataset.color(at: index).name
            case .boss: try dataset.boss(at: index).fullName
            case .employee: try dataset.employee(at: index).fullName
            case .item: try dataset.item(at: index).name
            }
        }
    }

    @Test("about 12 in 100 have a letter outside ASCII", arguments: Entity.allCases)
    func nonASCII(entity: Entity) throws {
        let names = try names(entity)
        let share = Double(names.count { !$0.utf8.allSatisfy { $0 < 0x80 } }) / Double(names.count)
        #expect((0.11...0.13).contains(share))
    }

    @Test("about 2 in 100 need quoting in CSV", arguments: Entity.allCases)
    func quoted(entity: Entity) throws {
        let names = try names(entity)
        let share = Double(names.count { $0.contains(",") || $0.contains("\"") }) / Double(names.count)
        #expect((0.015...0.025).contains(share))
    }

    @Test("no name is empty or has space around it", arguments: Entity.allCases)
    func trimmed(entity: Entity) throws {
        #expect(try names(entity).allSatisfy { !$0.isEmpty && $0.first != " " && $0.last != " " })
    }

    @Test("about one colour in ten has no name")
    func nameless() throws {
        #expect((17_700...18_300).contains(try names(.color).count))
    }
}
