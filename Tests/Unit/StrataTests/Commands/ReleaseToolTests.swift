import Foundation
import Testing

/// Tests of the release build that `make test-strict` and `make test-release` name in the environment.
@Suite("Release build", .releaseTool)
struct ReleaseToolTests {
    /// A size in bytes that ICU alone would exceed: any use of Foundation beyond its essentials links it.
    ///
    /// The tool has 26.2 MB since it generates code from models; 25 MB is the goal.
    private static let maximumSize = 27_000_000

    @Test("the release tool is smaller than 27 MB")
    func size() throws {
        let path = try #require(Tool.release).path
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < Self.maximumSize)
    }

    @Test("the release tool depends only on libsqlite3 and the C and C++ libraries")
    func libraries() throws {
        let path = try #require(Tool.release).path
        let result = try Tool.debug.shell("ldd \"\(path)\"", in: TemporaryFolder())
        let allowed = [
            "linux-vdso", "libsqlite3", "libm", "libstdc++", "libgcc_s", "libc", "ld-linux-x86-64", "ld-linux-aarch64",
        ]
        let names = result.output.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first?.split(separator: "/").last.map(String.init)
        }
        #expect(names.contains("libsqlite3.so.0"))
        for name in names { #expect(allowed.contains { name.hasPrefix("\($0).so") }, "\(name)") }
    }

    @Test("the release tool contains no symbol table", .needs("readelf"))
    func stripped() throws {
        let path = try #require(Tool.release).path
        let result = try Tool.debug.shell("readelf -SW \"\(path)\"", in: TemporaryFolder())
        result.expect(status: 0)
        #expect(!result.output.contains(" .symtab ") && !result.output.contains(" .debug_info "))
    }

    @Test("the release tool behaves like the debug build")
    func works() throws {
        let tool = try #require(Tool.release).namingReferenceModel
        let arguments = ["generate", "--entity", "item", "--count", "500", "--seed", "9", "--format", "json"]
        let made = try tool.run(arguments, in: TemporaryFolder())
        #expect(made.output == (try Tool.reference.run(arguments, in: TemporaryFolder())).output)
        let folder = TemporaryFolder()
        try folder.write(made.output, to: "i.json")
        try tool.run(["import", "i.json", "--entity", "item", "--store", "s"], in: folder).expect(status: 0)
        let exported = try tool.run(["export", "--entity", "item", "--store", "s", "--format", "json"], in: folder)
        #expect(exported.output == made.output)
    }
}
