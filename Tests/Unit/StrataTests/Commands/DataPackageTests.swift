import Foundation
import Testing

@Suite("Data packages")
struct DataPackageTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func make(_ directory: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(directory), withIntermediateDirectories: true)
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private func exported(_ entity: String = "t") throws -> String {
        try strata("export --entity \(entity) --store s").output
    }

    /// Writes customers in Latin-1 with semicolons, their orders in a folder without a header, and a resource without a
    /// table.
    private func writeShop() throws {
        try make("shop/parts")
        try folder.write(
            """
            {\(TemporaryFolder.version2), "resources": [
              {"name": "orders", "path": "parts/orders.tsv", "dialect": {"header": false},
               "schema": {"fields": [{"name": "no", "type": "integer"}, {"name": "customer", "type": "string"}],
                 "primaryKey": ["no"],
                 "foreignKeys": [{"fields": ["customer"], "reference": {"resource": "customers", "fields": ["code"]}}]}},
              {"name": "customers", "path": "customers.csv", "encoding": "iso-8859-1",
               "dialect": {"delimiter": ";", "quoteChar": "'", "commentChar": "#"},
               "schema": {"fields": [{"name": "code", "type": "string", "constraints": {"required": true}},
                 {"name": "name", "type": "string"}, {"name": "balance", "type": "number", "decimalChar": ","}],
                 "primaryKey": ["code"], "missingValues": ["", "NA"]}},
              {"name": "readme", "path": "README.md"}]}
            """, to: "shop/datapackage.json")
        let customers = "# all of them\ncode;name;balance\nmu;'M\u{FC}ller; S\u{F6}hne';1,50\nxy;NA;NA\n"
        try write(customers.unicodeScalars.map { UInt8($0.value) }, to: "shop/customers.csv")
        try folder.write("1\tmu\n2\txy\n3\tmu\n", to: "shop/parts/orders.tsv")
    }

    @Test(
        "a package is imported in one transaction, by its descriptor or its directory",
        arguments: ["shop/datapackage.json", "shop", "shop/"])
    func shop(path: String) throws {
        try writeShop()
        let result = try strata("import \(path) --store s")
        result.expect(status: 0)
        #expect(
            result.errors.split(separator: "\n").sorted() == [
                "imported 2 Customers records from shop/customers.csv into s",
                "imported 3 Orders records from shop/parts/orders.tsv into s",
                "shop/datapackage.json: warning: /resources/2: “readme” has no schema and is skipped",
            ])
        #expect(try exported("customers") == "code,name,balance\nmu,Müller; Söhne,\"1,50\"\nxy,,\n")
        #expect(try exported("orders") == "no,customer\n1,mu\n2,xy\n3,mu\n")
        #expect(try strata("check --store s").output == "ok\n")
    }

    @Test("a package with a dangling reference creates no store")
    func atomic() throws {
        try writeShop()
        try folder.write("1\tmu\n2\tzz\n", to: "shop/parts/orders.tsv")
        let result = try strata("import shop --store s")
        #expect(result.status == 65 && result.errors.contains("shop/parts/orders.tsv:2"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
    }

    @Test("a package can be imported again only into a store with the package's model")
    func again() throws {
        try writeShop()
        try strata("import shop --store s").expect(status: 0)
        let again = try strata("import shop --store s --on-conflict update")
        again.expect(status: 0)
        try folder.write("id,name,hex\n", to: "colors.csv")
        try strata("import colors.csv --model reference --store other").expect(status: 0)
        let other = try strata("import shop --store other")
        #expect(other.status != 0)
        #expect(
            other.errors.contains(
                "the store was created with another model than shop/datapackage.json; nothing was changed"),
            "\(other.errors)")
        // The option `--model` overrides the package's model.
        try strata("import shop --store s --model s --on-conflict ignore").expect(status: 0)
        let reference = try strata("import shop --store new --model reference")
        reference.expect(status: 65)
        #expect(
            reference.errors.contains(
                "shop/datapackage.json: /resources/0/name: the model has no entity or join table “orders”"),
            "\(reference.errors)")
    }

    @Test("a package can be validated without a store")
    func validated() throws {
        try writeShop()
        try strata("validate shop").expect(status: 0)
        #expect(try strata("model check shop").output.hasSuffix("shop: ok\n"))
        try strata("model check shop --strict").expect(status: 65)
    }

    @Test("a directory whose descriptor names none of its datasets is not imported as a package")
    func modelNextToData() throws {
        try make("data")
        try folder.write(
            #"{\#(TemporaryFolder.version2), "resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}]}}]}"#,
            to: "data/datapackage.json")
        try folder.write(#"[{"a": "1"}]"#, to: "data/t.json")
        let result = try strata("import data --model data --store s")
        result.expect(status: 0)
        #expect(try exported() == "a\n1\n")
    }

    @Test(
        "an error in a descriptor is reported with its location, and no store is created",
        arguments: [
            (#""path": "gone.csv""#, "/resources/0/path: there is no file “gone.csv”"),
            (#""path": ["t.csv", "gone.csv"]"#, "/resources/0/path/1: there is no file “gone.csv”"),
            (#""path": "sub.csv""#, "/resources/0/path: “sub.csv” is a directory"),
            (
                #""path": "link/secret.csv""#,
                "/resources/0/path: “link/secret.csv” is a link to a location outside the descriptor's directory and "
                    + "is not read"
            ),
            (
                #""path": "t.csv", "encoding": "shift_jis""#,
                "/resources/0/encoding: the encoding “shift_jis” is not supported; convert the file to utf-8, utf-16, "
                    + "utf-16le, utf-16be, iso-8859-1 or windows-1252"
            ),
            (
                #""path": "../t.csv""#,
                "/resources/0/path: “../t.csv” must be a path below the descriptor's directory, without hidden files, "
                    + "“..” and “~”"
            ),
            (
                #""path": ["t.csv", "t.csv"], "dialect": {"headerRows": [1, 2]}"#,
                "/resources/0/dialect/headerRows: a table in several files must have exactly one header row"
            ),
            (#""path": "t.pdf", "format": "pdf""#, "/resources: no resource is a table that can be read"),
        ])
    func places(properties: String, message: String) throws {
        try folder.write("a,b\n1,2\n", to: "t.csv")
        try make("sub.csv")
        let outside = TemporaryFolder()
        try outside.write("a,b\n1,2\n", to: "secret.csv")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: outside.path(""))
        try folder.writeDescriptor(properties)
        let result = try strata("import datapackage.json --store s --quiet")
        result.expect(status: 65)
        #expect(result.errors == "datapackage.json: \(message)\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
    }

    @Test(
        "a descriptor that is not JSON is rejected with advice about the file",
        arguments: [("yaml", "YAML"), ("yml", "YAML"), ("toml", "TOML")])
    func otherFormats(ending: String, name: String) throws {
        try folder.write("resources:\n  - name: t\n", to: "datapackage.\(ending)")
        for line in ["import datapackage.\(ending) --store s", "model check datapackage.\(ending)"] {
            let result = try strata(line)
            result.expect(status: 65)
            #expect(
                (result.output + result.errors).contains(
                    "\(name) is not supported; convert the descriptor to JSON"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
    }

    @Test("a symbolic link to a dataset within the package's directory is followed")
    func innerLink() throws {
        try make("real")
        try folder.write("a,b\n1,2\n", to: "real/t.csv")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("t.csv"), withDestinationPath: folder.path("real/t.csv"))
        try folder.writeDescriptor(#""path": "t.csv""#)
        try strata("import . --store s").expect(status: 0)
    }

    @Test("wrong sizes and digests cause warnings by default, and errors with --strict")
    func digests() throws {
        try folder.write("a,b\n1,2\n", to: "t.csv")
        let md5 = "0c5c69bf5dcf84a8fdcc9ac3a6cdf6a3"
        try folder.writeDescriptor(#""path": "t.csv", "bytes": 9, "hash": "\#(md5)""#)
        let warned = try strata("import datapackage.json --store s")
        warned.expect(status: 0)
        #expect(
            warned.errors.hasPrefix(
                "datapackage.json: warning: /resources/0/bytes: “t.csv” has 8 bytes instead of 9\n"
                    + "datapackage.json: warning: /resources/0/hash: “t.csv” has the digest md5:"), "\(warned.errors)")
        let strict = try strata("import datapackage.json --store u --strict")
        #expect(strict.status == 65 && strict.errors.contains("/resources/0/hash: “t.csv” has the digest md5:"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("u")))
        try strata("import datapackage.json --store u --strict --ignore-digests").expect(status: 0)
        let none = try strata("import t.csv --entity color --model reference --store v --strict")
        #expect(none.status == 64 && none.errors.contains("--strict requires a data package, but none was given"))
    }

    @Test("the digest of a compressed file is computed from its compressed bytes")
    func compressed() throws {
        try folder.write("a,b\n1,2\n", to: "t.csv")
        let sum = try Tool.debug.shell(
            "gzip -n t.csv && sha256sum t.csv.gz | cut -d' ' -f1 && stat -c %s t.csv.gz", in: folder)
        let parts = sum.output.split(separator: "\n")
        try folder.writeDescriptor(
            #""path": "t.csv.gz", "bytes": \#(parts[1]), "hash": "sha256:\#(parts[0].uppercased())""#)
        let result = try strata("import datapackage.json --store s --strict")
        result.expect(status: 0)
        #expect(try exported() == "a,b\n1,2\n")
    }

    @Test(
        "an option for a property that the descriptor determines is rejected",
        arguments: [
            (
                "datapackage.json t.csv",
                "datapackage.json is a data package and must be imported alone; import other datasets with another "
                    + "command"
            ),
            (
                "datapackage.json --delimiter ;",
                "--delimiter cannot be combined with a data package; datapackage.json describes the format of the files"
            ),
            (
                "datapackage.json --no-header",
                "--no-header cannot be combined with a data package; datapackage.json describes the format of the files"
            ),
            (
                ". --entity t",
                "--entity can be used only for one dataset; the resources of ./datapackage.json name "
                    + "their entities"
            ),
            (
                "datapackage.json --ignore-digests",
                "--ignore-digests requires files with digests, but datapackage.json has none"
            ),
        ])
    func options(line: String, message: String) throws {
        try folder.write("a,b\n1,2\n", to: "t.csv")
        try folder.writeDescriptor(#""path": "t.csv""#)
        let result = try strata("import \(line) --store s")
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    }

    @Test("a byte that is invalid in the declared encoding is reported with its line")
    func encodings() throws {
        try write(Array("a,b\n1,2\n3,".utf8) + [0xE9, 0x0A], to: "t.csv")
        try folder.writeDescriptor(#""path": "t.csv", "encoding": "utf-8""#)
        let broken = try strata("import datapackage.json --store s")
        #expect(
            broken.status == 65 && broken.errors.hasPrefix("t.csv:3: record 2, column b: invalid UTF-8"),
            "\(broken.errors)")
        try folder.writeDescriptor(#""path": "t.csv", "encoding": "windows-1252""#)
        try strata("import datapackage.json --store s").expect(status: 0)
        #expect(try exported() == "a,b\n1,2\n3,é\n")
    }
}
