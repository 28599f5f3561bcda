import Foundation
import Testing

@testable import strata

@Suite("Documents with nested objects and arrays")
struct FlattenTests {
    private let folder = TemporaryFolder()

    private static let orders = """
        [
          {"number": "A-1", "customer": {"name": "Ada", "address": {"city": "Bonn", "zip": "00501"}}, "paid": true,
           "items": [{"sku": "x1", "qty": 2, "price": 1.50}, {"sku": "x2", "qty": 1, "price": 12.25, "tags": ["a", "b"]}],
           "notes": []},
          {"number": "A-2", "customer": {"name": "Ben", "address": null}, "paid": false, "items": [], "notes": ["late"]}
        ]

        """

    private func strata(_ words: String...) throws -> Tool.Result {
        try Tool.debug.run(words, in: folder)
    }

    private func rows(_ entity: String) throws -> String {
        try strata("export", "--entity", entity, "--store", "o.sqlite", "--format", "ndjson").output
    }

    @Test("--flatten turns objects into columns and arrays into ordered datasets that reference their owners")
    func tables() throws {
        try folder.write(Self.orders, to: "orders.json")
        let result = try strata("import", "orders.json", "--flatten", "--store", "o.sqlite")
        result.expect(status: 0)
        #expect(result.errors.contains("orders_number refers to orders.number"), "\(result.errors)")
        #expect(result.errors.contains("strata model infer orders.json --flatten"), "\(result.errors)")
        #expect(
            try rows("orders") == """
                {"number":"A-1","customer.name":"Ada","customer.address.city":"Bonn","customer.address.zip":"00501","paid":true,"customer.address":null}
                {"number":"A-2","customer.name":"Ben","customer.address.city":null,"customer.address.zip":null,"paid":false,"customer.address":null}

                """)
        #expect(
            try rows("orders_items") == """
                {"orders_number":"A-1","record_id":1,"sku":"x1","qty":2,"price":1.50,"position":1}
                {"orders_number":"A-1","record_id":2,"sku":"x2","qty":1,"price":12.25,"position":2}

                """)
        #expect(
            try rows("orders_items_tags") == """
                {"orders_items_record_id":2,"value":"a","position":1}
                {"orders_items_record_id":2,"value":"b","position":2}

                """)
        #expect(try rows("orders_notes") == "{\"orders_number\":\"A-2\",\"value\":\"late\",\"position\":1}\n")
        try strata("check", "--store", "o.sqlite").expect(status: 0)
    }

    @Test("--flatten imports a second document into the same store, and errors contain line numbers of the document")
    func more() throws {
        try folder.write(Self.orders, to: "orders.json")
        try strata("import", "orders.json", "--flatten", "--store", "o.sqlite", "--quiet").expect(status: 0)
        let begin = "[{\"number\":\"A-3\",\"customer\":{\"name\":\"Cy\"},\"paid\":true,\n\"items\":[{\"sku\":\"x1\",\n"
        for (text, message) in [
            (
                begin + "\"qty\":1,\"price\":1.2},\n{\"sku\":\"x2\",\"qty\":true,\"price\":1.2}]}]",
                "more.json (orders_items):4: record 2, column qty: true found, but a whole number is expected"
            ),
            (
                begin + "\"qty\":1,\"price\":1.2}], \"customer.name\":\"Zed\"}]",
                "more.json:1: \"customer.name\" occurs twice, as a key and as the path of a nested key"
            ),
            (
                begin + "\"qty\":1,\"qty\":2}]}]",
                "more.json:3: the key \"qty\" occurs twice"
            ),
            (
                "[{\"number\":\"A-3\",\"lines\":[1]}]",
                "more.json contains an array lines, but the model has no entity for the array; the entity must have "
                    + "the name orders_lines"
            ),
        ] {
            try folder.write(text, to: "more.json")
            let failed = try strata("import", "more.json", "--entity", "orders", "--flatten", "--store", "o.sqlite")
            #expect(failed.status != 0 && failed.errors.contains(message), "\(failed.errors)")
        }
        try folder.write(begin + "\"qty\":1,\"price\":1.2}]}]", to: "more.json")
        let kept = try strata("import", "more.json", "--entity", "orders", "--flatten", "--store", "o.sqlite")
        kept.expect(status: 0)
        #expect(try rows("orders_items").hasSuffix("\"sku\":\"x1\",\"qty\":1,\"price\":1.20,\"position\":1}\n"))
    }

    @Test(
        "flattened records without a key are numbered after the records of previously imported documents",
        arguments: [false, true])
    func numbers(atOnce: Bool) throws {
        func order(_ number: String, _ sku: String, _ tags: String) -> String {
            "[{\"number\":\"\(number)\",\"items\":[{\"sku\":\"\(sku)\",\"tags\":[\(tags)]}]}]"
        }
        try folder.write(order("A-1", "x", "\"a\",\"b\""), to: "orders.json")
        try strata("import", "orders.json", "--flatten", "--store", "o.sqlite", "--quiet").expect(status: 0)
        try folder.write(order("A-2", "y", "\"c\""), to: "b.json")
        try folder.write(order("A-3", "z", "\"d\""), to: "c.json")
        for files in atOnce ? [["b.json", "c.json"]] : [["b.json"], ["c.json"]] {
            let more = ["--entity", "orders", "--flatten", "--store", "o.sqlite", "--on-conflict", "replace"]
            let result = try Tool.debug.run(["import"] + files + more, in: folder)
            result.expect(status: 0)
        }
        #expect(
            try strata(
                "export", "--entity", "orders_items_tags", "--store", "o.sqlite", "--format", "csv", "--columns",
                "value,ordersItemsRecord.sku=sku,ordersItemsRecord.orders.number=number"
            ).output == "value,sku,number\na,x,A-1\nb,x,A-1\nc,y,A-2\nd,z,A-3\n")
    }

    @Test("--flatten reads a document twice, also from a pipe, and rejects invalid combinations")
    func usage() throws {
        try folder.write(Self.orders, to: "orders.json")
        let piped = try Tool.debug.shell(
            "cat orders.json | strata import - --format json --flatten --store p.sqlite", in: folder)
        piped.expect(status: 0)
        try folder.write("a\n1\n", to: "a.csv")
        for (words, message) in [
            ("a.csv", "--flatten can be used only for JSON"),
            ("orders.json --commit-every 1 --resume", "--flatten and --resume cannot be combined"),
        ] {
            let line = "import \(words) --flatten --store r.sqlite --model reference --entity Color"
            let refused = try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
            #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
        }
        let inferred = try Tool.debug.shell(
            "cat orders.json | strata model infer - --format json --flatten --quiet | grep '\"name\": \"data_items_tags\"'",
            in: folder)
        inferred.expect(status: 0)
        let keys = (0..<300).map { "\"k\($0)\": [1]" }.joined(separator: ", ")
        try folder.write("[{\(keys)}]", to: "wide.json")
        let wide = try strata("model", "infer", "wide.json", "--flatten")
        #expect(wide.status == 65 && wide.errors.contains("more than 200 tables"), "\(wide.errors)")
    }
}
