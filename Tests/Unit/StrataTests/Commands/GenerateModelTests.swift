import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("Fixtures of any model")
struct GenerateModelTests {
    private let folder = TemporaryFolder()
    private static let shop = Checkout.root.appendingPathComponent("Fixtures/shop").path

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.debug.shell("strata \(line.replacing("SHOP", with: "'\(Self.shop)'"))", in: folder)
    }

    @Test(
        "datasets generated for any model can be imported, checked and generated again",
        arguments: Seeds.spread(2, of: ["csv", "tsv", "json", "ndjson"]))
    func directory(_ format: String) throws {
        let counts = "--count customers=40,orders=90 --seed 7"
        let made = try strata("generate --model SHOP \(counts) --format \(format) -o made")
        #expect(made.errors == "generated 130 records of 2 entities to made\n")
        try strata("import made --model SHOP --store s.sqlite -q").expect(status: 0)
        #expect(try strata("check --store s.sqlite").output == "ok\n")
        try strata("generate --check made --model SHOP -q").expect(status: 0)
        try strata("generate --check made --model s.sqlite -q").expect(status: 0)
        try strata("generate --check made --model SHOP \(counts) -q").expect(status: 0)
        let other = try strata("generate --check made --model SHOP --count customers=41,orders=90 --seed 7")
        #expect(
            other.errors.contains(
                "was generated from another description: the count of Customers is 40 in the "
                    + "manifest, but 41 is given"))
    }

    @Test("generate fills a store and uses its model")
    func store() throws {
        try strata("generate --model SHOP --count 20 --store s.sqlite").expect(status: 0)
        let info = try strata("info --store s.sqlite | tail -n 3").output
        #expect(info == "Customers    20\nOrders       20\nLog          20\n")
        let again = try strata("generate --count log=5 --store s.sqlite")
        #expect(again.status != 0 && again.errors.contains("generated rows are numbered from 1"), "\(again)")
        #expect(try strata("check --store s.sqlite").output == "ok\n")
    }

    @Test("generate writes a single entity to standard output with the model's external column names")
    func single() throws {
        let table = try strata("generate --model SHOP --entity orders --count orders=3,customers=2 --seed 1")
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first == "order no.,customer,total (EUR),paid")
        #expect(try strata("generate --model SHOP --entity log --count 3").output.hasPrefix("what happened,at\n"))
    }

    @Test("a description that --describe prints for some options generates the same files as these options")
    func description() throws {
        try strata("generate --model SHOP --count 30 --seed 5 -q -o a").expect(status: 0)
        try strata("generate --model SHOP --count 30 --seed 5 --describe > d.json").expect(status: 0)
        #expect(try strata("generate --model SHOP --description d.json -q -o b && diff -r a b").output == "")
        let own = #"{"entities": {"Log": {"count": 3, "attributes": {"whatHappened": {"oneOf": ["closed"]}}}}}"#
        try Data(own.utf8).write(to: folder.url.appendingPathComponent("own.json"))
        #expect(
            try strata("generate --model SHOP --description own.json --entity log").output.split(separator: "\n")
                .dropFirst().allSatisfy { $0.hasPrefix("closed,") })
    }

    @Test("generate rejects an unknown entity or a mandatory reference to no rows before it writes a file")
    func refused() throws {
        let unknown = try strata("generate --model SHOP --count order=3 -o made")
        unknown.expect(status: 64)
        #expect(unknown.errors.contains("no entity \"order\" is described; did you mean Orders?"), "\(unknown.errors)")
        let alone = try strata("generate --model SHOP --count orders=3 -o made")
        let reason =
            "Orders.customer: the reference is mandatory, but there are no Customers rows; give Customers a count"
        #expect(alone.errors.contains(reason), "\(alone.errors)")
        _ = try strata("generate --model SHOP --count 4 -q -o shop")
        let other = try strata("generate --check shop")
        #expect(other.status == 64 && other.errors.contains("generate requires a model"), "\(other.errors)")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains("made"))
    }

    @Test("the printed workflow contains the model file")
    func workflow() throws {
        _ = try strata("generate --model SHOP --count 4 -q -o shop")
        let yaml = try strata("generate --check shop --model model.json --workflow acme/strata@main").output
        #expect(yaml.contains("          model: 'model.json'\n"))
    }

    @Test("decimals of every scale are generated, whatever the attribute's name", arguments: [2, 9, 15, 16, 17])
    func decimals(digits: Int) throws {
        let folder = TemporaryFolder()
        let names = ["salary", "price", "latitude", "longitude", "percent", "weight", "height", "age", "total", "x"]
        let rows = (1...3).map { row in
            names.map { _ in "1." + String(repeating: "0", count: digits - 1) + "\(row)" }.joined(separator: ",") + "\n"
        }
        try folder.write(names.joined(separator: ",") + "\n" + rows.joined(), to: "f.csv")
        for line in [
            "import f.csv --store s -q", "generate -q --model s --count F=100 --output made",
            "validate made/f.csv --model s -q",
        ] {
            let result = try Tool.debug.shell("strata " + line, in: folder)
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
    }
}
