import Domain
import FixtureGeneration
import Testing

@Suite("The same seed gives the same rows")
struct DeterminismTests {
    /// A change to one of these numbers is a new dataset version, never an update of the table.
    @Test(
        "the first thousand rows of version 1 are what they always were",
        arguments: [
            (Entity.color, 42, 0xAFFC_5F01_389C_4B0D),
            (.boss, 42, 0x0CEA_2D2A_EAA0_C368),
            (.employee, 42, 0xEA22_5147_C576_1FC3),
            (.item, 42, 0x9120_4E2C_FCEA_F02F),
            (.color, 0, 0x8CEC_B216_0F50_78ED),
            (.boss, 0, 0x75A1_2AF6_521A_6AE8),
            (.employee, 0, 0x45BE_33A7_93D0_39B5),
            (.item, 0, 0x208E_BA05_EC97_4004),
        ] as [(Entity, UInt64, UInt64)]
    )
    func pinned(entity: Entity, seed: UInt64, expected: UInt64) throws {
        let dataset = DatasetGenerator(seed: seed)
        var fingerprint = Fingerprint()
        for index in 0..<1_000 { fingerprint.add(try entity.row(dataset, index)) }
        #expect(DatasetGenerator.datasetVersion == 1)
        #expect(fingerprint.value == expected)
    }

    @Test("a row is the same whatever was made before it", arguments: Entity.allCases)
    func addressed(entity: Entity) throws {
        let forward = DatasetGenerator(seed: 7)
        let rows = try (0...1_000).map { try entity.row(forward, $0) }
        let backward = DatasetGenerator(seed: 7)
        for index in (0...1_000).reversed() where index % 97 == 0 || index > 990 {
            #expect(try entity.row(backward, index) == rows[index])
        }
    }

    @Test("only the boss depends on the number of bosses")
    func growth() throws {
        let dataset = DatasetGenerator(seed: 7)
        for index in 0..<200 {
            var few = try dataset.employee(at: index, bosses: 2)
            let many = try dataset.employee(at: index, bosses: 2_000)
            #expect((few.boss == nil) == (many.boss == nil))
            few.boss = many.boss
            #expect(few == many)
        }
    }

    @Test("other seeds give other rows, and entities do not echo each other")
    func independence() throws {
        let names = try (0..<4).flatMap { seed in
            let dataset = DatasetGenerator(seed: UInt64(seed))
            return [
                try (0..<20).map { try dataset.boss(at: $0).fullName },
                try (0..<20).map { try dataset.employee(at: $0).fullName },
            ]
        }
        #expect(Set(names).count == 8)
    }
}
