import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories
import StrataTestSupport
import Testing

/// The digests of version 1, which never change: another digest requires a new dataset version.
@Suite("Digests of the files of dataset version 1")
struct DigestTests {
    struct Case: Sendable, CustomStringConvertible {
        let entity: String
        let format: DatasetFormat
        let seed: UInt64
        let isHostile: Bool
        let sha256: String

        var description: String { "\(entity).\(format.rawValue), seed \(seed)\(isHostile ? ", hostile" : "")" }
    }

    @Test("a generated file of 1,000 rows has the recorded digest", arguments: Seeds.spread(17, of: table))
    func digest(expected: Case) throws {
        let dataset = try FixtureDataset.reference(
            seed: expected.seed, counts: ["Color": 1_000, "Boss": 20, "Employee": 1_000, "Item": 1_000],
            isHostile: expected.isHostile)
        #expect(dataset.description.datasetVersion == 1)
        let digest = RunningDigest()
        try dataset.bytes(of: expected.entity, expected.format).withUnsafeBytes { digest.update($0) }
        #expect(digest.finish().sha256 == expected.sha256)
    }

    @Test("files of a description with bounded references, fixed rows and other features have recorded digests")
    func described() throws {
        let json = #"""
            {"seed": 5, "referenceDate": "2020-06-15", "locales": {"ja": 1, "vi": 2, "hi": 3, "ar": 1}, "entities": {
              "Boss": {"count": 30, "attributes": {"lastName": {"unique": true}}},
              "Color": {"count": 1920, "attributes": {
                "hex": {"unique": true}, "name": {"oneOf": {"red": 5, "blue": 2, "a, \"b\"": 1}, "nulls": 0.25},
                "dateCreated": {"dates": {"from": "2020-01-01", "weekdays": [0, 1, 2, 3, 2, 1, 0]}}}},
              "Employee": {"count": 300, "attributes": {
                "firstName": {"code": {"prefix": "E", "digits": 4}, "unique": true},
                "salary": {"normal": {"mean": 50000, "deviation": 9000, "minimum": 30000, "maximum": 80000}},
                "boss": {"reference": {"without": 0.1, "perTarget": [4, 15]}}},
                "fixed": [{"firstName": "E0007", "boss": 30}, {"boss": null}]},
              "Item": {"count": 100, "attributes": {
                "unitCost": {"uniform": {"minimum": 1.25, "maximum": 99.75, "step": 0.25}},
                "unitPrice": {"markup": {"percent": [0, 10]}}, "name": {"kind": "fullName"}}}}}
            """#
        let description = try FixtureDescription(json: Array(json.utf8), source: "test")
        let dataset = try FixtureDataset(description, model: try ReferenceModel.model())
        let digests = try dataset.producers.map { producer in
            let digest = RunningDigest()
            try dataset.bytes(of: producer.entity.name, .csv).withUnsafeBytes { digest.update($0) }
            return digest.finish().sha256
        }
        #expect(digests == Self.described)
    }
}
