import Foundation
import Testing

@Suite("Null objects in the paths of --map")
struct NestedNullTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    @Test("a --map path yields null if an object in the path is null or missing")
    func nulls() throws {
        try folder.write(
            """
            [{"id":1,"hex":"#111111","a":{"b":{"c":"x"}}},{"id":2,"hex":"#222222","a":{"b":null}},
            {"id":3,"hex":"#333333","a":null},{"id":4,"hex":"#444444"}]
            """, to: "colors.json")
        let result = try strata("import colors.json --store s --map a.b.c=name")
        result.expect(status: 0)
        let names = "export --entity Color --store s --columns id,name --no-header"
        #expect(try strata(names).output == "1,x\n2,\n3,\n4,\n")
        try folder.write("[{\"id\":1,\"a\":null}]", to: "colors.json")
        try strata("import colors.json --store s --map a.b.c=name --on-conflict update").expect(status: 0)
        #expect(try strata(names).output == "1,\n2,\n3,\n4,\n")
    }

    @Test("a --map path to a mandatory attribute is rejected for a null object and for a value that is no object")
    func errors() throws {
        try folder.write("[{\"id\":1,\"a\":null},\n{\"id\":2,\"a\":7}]", to: "colors.json")
        let result = try strata("validate colors.json --map a.hex=hex")
        #expect(
            result.errors.hasPrefix(
                """
                colors.json:1: record 1, column a.hex: null is not allowed, hex is mandatory
                colors.json:2: record 2: unknown key "a"; missing key "hex", which is mandatory

                """), "\(result.errors)")
    }
}
