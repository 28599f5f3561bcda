import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories
import StrataStoreKit
import StrataTestSupport
import Testing

@Suite("Blocks of rows with long texts")
struct LongTextTests {
    private func producer(_ text: String, count: Int = 100) throws -> FixtureProducer {
        let json =
            #"{"entities": {"Boss": {"count": \#(count), "attributes": {"firstName": {"oneOf": ["\#(text)"]}}}}}"#
        let description = try FixtureDescription(json: Array(json.utf8), source: "test")
        return try FixtureDataset(description, model: try ReferenceModel.model()).producer(of: "Boss")
    }

    @Test("rows of usual size are generated in blocks of 4,096 rows")
    func usual() throws {
        #expect(try producer("Ada").rowsInBlock == 4096)
        #expect(try FixtureDataset.reference(isHostile: true).producer(of: "Employee").rowsInBlock >= 100)
    }

    @Test(
        "a block of rows with long texts contains at most 32 MiB of text",
        arguments: Seeds.first(2, of: [1 << 10, 1 << 20, 1 << 24 + 1]))
    func long(length: Int) throws {
        let producer = try producer(String(repeating: "x", count: length))
        var block = RowBlock(of: producer.entity)
        try producer.fill(&block, with: 0..<min(producer.rowsInBlock, producer.count))
        #expect(block.count >= 1)
        #expect(producer.rowsInBlock * length <= 32 << 20)
    }

    @Test(
        "a file with long texts has the same bytes on one and on two threads",
        arguments: Seeds.first(1, of: DatasetFormat.allCases))
    func parts(format: DatasetFormat) throws {
        let text = String(repeating: "x", count: 1 << 18)
        let json = #"{"entities": {"Boss": {"count": 70, "attributes": {"firstName": {"oneOf": ["\#(text)"]}}}}}"#
        let dataset = try FixtureDataset(
            FixtureDescription(json: Array(json.utf8), source: "test"), model: try ReferenceModel.model())
        #expect(try dataset.producer(of: "Boss").rowsInBlock < 70)
        let whole = try dataset.bytes(of: "Boss", format)
        #expect(whole.count > 70 << 18)
        #expect(try dataset.bytes(of: "Boss", format, threads: 2) == whole)
        let shorter = try FixtureDataset.reference(counts: ["Boss": 70]).bytes(of: "Boss", format)
        #expect(whole.count { $0 == 0x0A } == shorter.count { $0 == 0x0A })
    }
}
