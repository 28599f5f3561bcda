import Foundation
import StrataContainers
import StrataTestSupport
import Testing

/// Tests of data packages in ZIP archives, which are read like directories.
@Suite("Data packages in ZIP archives")
struct ArchivedPackageTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private final class Sink { var bytes: [UInt8] = [] }

    private func zip(_ name: String, _ entries: [(name: String, text: String)]) throws {
        let sink = Sink()
        var zip = ZipWriter { sink.bytes += $0 }
        for entry in entries { try zip.add(entry.name, Array(entry.text.utf8)) }
        try zip.finish()
        try Data(sink.bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private static let people = "id;city\n1;2\n"
    private static let cities = "[{\"id\": 2, \"name\": \"Rome\"}]"

    /// Returns a descriptor of people and cities.
    private static func descriptor(people: String = "people.csv", extra: String = "") -> String {
        """
        {"name": "p", "resources": [
        {"name": "people", "path": "\(people)"\(extra), "dialect": {"delimiter": ";"}, "schema": {"primaryKey": "id",
        "fields": [{"name": "id", "type": "integer"}, {"name": "city", "type": "integer"}], "foreignKeys":
        [{"fields": "city", "reference": {"resource": "cities", "fields": "id"}}]}},
        {"name": "cities", "path": "data/cities.json", "schema": {"primaryKey": "id", "fields":
        [{"name": "id", "type": "integer"}, {"name": "name", "type": "string"}]}}]}
        """
    }

    private static func entries(in folder: String = "", _ descriptor: String = descriptor()) -> [(String, String)] {
        [
            (folder + "datapackage.json", descriptor), (folder + "people.csv", people),
            (folder + "data/cities.json", cities), ("__MACOSX/" + folder + "datapackage.json", "x"),
        ]
    }

    @Test("an archive is read like the directory of the package", arguments: ["", "p-main/"])
    func read(inside: String) throws {
        try zip("p.zip", Self.entries(in: inside))
        for (name, text) in Self.entries(in: "dir/" + inside) where !name.hasPrefix("_") {
            try folder.write(text, to: name)
        }
        let directory = inside.isEmpty ? "dir" : "dir/p-main"
        for line in [
            "query X --entity people --select 'id, city.name' --format csv", "stats X --entity cities --format csv",
            "export X --entity cities", "model show X", "model check X", "validate X",
            "validate X --strict",
        ] {
            let (archived, plain) = (
                try run(line.replacing("X", with: "p.zip")), try run(line.replacing("X", with: directory))
            )
            func normalized(_ text: String) -> String {
                // The descriptor is named by the archive in some messages, and by its path in others.
                text.replacing("p.zip: ", with: directory + ": ")
                    .replacing("p.zip:" + inside, with: directory + "/").replacing("p.zip", with: directory)
            }
            #expect(archived.status == plain.status)
            #expect(normalized(archived.output) == plain.output, "\(line): \(archived.errors)")
            #expect(normalized(archived.errors) == plain.errors, "\(line)")
        }
        #expect(try run("model infer p.zip").errors.contains("cities.json: 1 record of Cities"))
        let result = try run("import p.zip --store s")
        result.expect(status: 0)
        #expect(result.errors.contains("imported 1 Cities record from p.zip:\(inside)data/cities.json into s\n"))
        #expect(try run("query --store s --entity people --select 'city.name' --format csv").output.contains("Rome"))
    }

    @Test("the sizes and digests of resources in an archive are compared")
    func digests() throws {
        let hash = "md5:" + String(repeating: "0", count: 32)
        try zip("p.zip", Self.entries(Self.descriptor(extra: ", \"bytes\": 99, \"hash\": \"\(hash)\"")))
        let result = try run("validate p.zip")
        result.expect(status: 0)
        #expect(result.errors.contains("“people.csv” has \(Self.people.utf8.count) bytes instead of 99"))
        try run("validate p.zip --strict").expect(status: 65)
        try run("validate p.zip --ignore-digests -q").expect(status: 0)
    }

    @Test(
        "paths that leave the archive, and missing files, are errors",
        arguments: [
            ("../outside.csv", "“../outside.csv” must be a path below the descriptor's directory"),
            ("/etc/passwd", "“/etc/passwd” must be a path below the descriptor's directory"),
            ("p.zip:people.csv", "there is no file “p.zip:people.csv”"),
            ("missing.csv", "p.zip:p/datapackage.json: /resources/0/path: there is no file “missing.csv”"),
            ("outside.csv", "there is no file “outside.csv”"),
            ("https://example.com/people.csv", "is a remote file, which is not fetched"),
        ])
    func hostile(path: String, expected: String) throws {
        try folder.write(Self.people, to: "outside.csv")
        try folder.write(Self.people, to: "p/outside.csv")
        try folder.write(Self.people, to: "people.csv")
        try zip("p.zip", Self.entries(in: "p/", Self.descriptor(people: path)))
        for command in ["import p.zip --store s", "validate p.zip", "query p.zip --entity people --select id"] {
            let result = try run(command)
            #expect(result.status == 65, "\(result.errors)")
            #expect(result.errors.contains(expected), "\(result.errors)")
            #expect(try !folder.files.contains("s"))
        }
    }

    @Test("an archive with several descriptors, or with other data files, requires the name of the descriptor")
    func ambiguous() throws {
        try zip("two.zip", Self.entries(in: "a/") + Self.entries(in: "b/").dropLast())
        let two = try run("import two.zip --store s")
        two.expect(status: 65)
        #expect(
            two.errors
                == "two.zip: the archive contains several data packages; name the descriptor, as in "
                + "two.zip:a/datapackage.json\n")
        try run("import two.zip:b/datapackage.json --store s -q").expect(status: 0)
        try zip("more.zip", Self.entries(in: "a/") + [("other.csv", "id\n1\n")])
        let more = try run("validate more.zip")
        more.expect(status: 65)
        #expect(more.errors.contains("a data package and data files in other folders"), "\(more.errors)")
        try zip("top.zip", Self.entries() + Self.entries(in: "old/").dropLast())
        #expect(try run("validate top.zip").errors.contains("record from top.zip:people.csv"))
        try zip("same.zip", Self.entries() + Self.entries())
        try run("validate same.zip").expect(status: 65)
    }

    @Test("a descriptor that describes none of the files is not a data package, unless it is alone")
    func otherDescriptors() throws {
        try zip("d.zip", [("datapackage.json", Self.descriptor()), ("colors.csv", "id\n1\n")])
        #expect(try run("import d.zip --store s").errors.contains("from d.zip:colors.csv into s"))
        try zip("alone.zip", [("datapackage.json", Self.descriptor())])
        let alone = try run("import alone.zip --store t")
        alone.expect(status: 65)
        #expect(alone.errors.contains("there is no file “people.csv”"), "\(alone.errors)")
        try zip("bad.zip", [("datapackage.json", "{"), ("colors.csv", "id\n1\n")])
        try run("import bad.zip --store t").expect(status: 65)
        let entity = try run("validate d.zip:datapackage.json --entity people")
        #expect(entity.errors.contains("--entity can be used only for one dataset"), "\(entity.errors)")
    }
}
