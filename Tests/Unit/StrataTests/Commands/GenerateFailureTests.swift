import Foundation
import Testing

@Suite("Write failures of generate")
struct GenerateFailureTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata generate \(line)", in: folder)
    }

    private func expect(_ result: Tool.Result, _ status: Int32, _ message: String) {
        result.expect(status: status)
        #expect(result.errors == message + "\n")
    }

    @Test("an output directory that is a file, or an output in a missing folder, exits 73")
    func inTheWay() throws {
        try folder.write("mine", to: "fixtures")
        expect(try strata("-o fixtures"), 73, "fixtures: cannot be created: Not a directory")
        expect(try strata("-o no/fixtures"), 73, "no/fixtures: cannot be created: No such file or directory")
        expect(
            try strata("--count Boss=1 -o no/b.csv"), 73, "no/b.csv: cannot be created: No such file or directory")
        let store = "\(folder.path("no/s")): the store cannot be created: there is no folder \(folder.path("no"))"
        expect(try strata("--store no/s"), 73, store)
        #expect(try folder.files == ["fixtures"])
        #expect(try folder.text("fixtures") == "mine")
    }

    @Test("generate never replaces a database, neither as the output file nor in the output directory")
    func database() throws {
        try strata("--count Boss=1 --store Boss.csv -q").expect(status: 0)
        let before = try folder.data("Boss.csv")
        expect(
            try strata("--count Boss=1 -o Boss.csv"), 73,
            "Boss.csv: the file is a SQLite database; choose another "
                + "output")
        expect(
            try strata("--count Boss=1 -o ."), 73, "./Boss.csv: the file is a SQLite database; choose another output")
        #expect(try folder.data("Boss.csv") == before)
        #expect(try folder.files == ["Boss.csv"])
    }

    @Test("generate does not replace the description that it reads, but --describe may replace it")
    func overDescription() throws {
        try strata("--describe --count Color=3 -o Color.json").expect(status: 0)
        let before = try folder.text("Color.json")
        let files = ["Color.json", "./Color.json"]
        for file in files {
            expect(
                try strata("--description Color.json -o \(file)"), 73,
                "\(file): the file is read by this command; choose another output")
        }
        expect(
            try strata("--description Color.json --format json -o ."), 73,
            "./Color.json: the file is read by this command; choose another output")
        #expect(try folder.text("Color.json") == before)
        #expect(try folder.files == ["Color.json"])
        try strata("--description Color.json --seed 7 --describe -o Color.json").expect(status: 0)
        let described = try folder.text("Color.json")
        #expect(described == before.replacingOccurrences(of: "\"seed\": 42", with: "\"seed\": 7"))
    }

    @Test("an output in a folder that is not writable exits 73 or 77")
    func readOnly() throws {
        try FileManager.default.createDirectory(atPath: folder.path("closed"), withIntermediateDirectories: false)
        try folder.write("mine", to: "closed/Boss.csv")
        try #require(chmod(folder.path("closed"), 0o555) == 0 && chmod(folder.url.path, 0o777) == 0)
        defer { chmod(folder.path("closed"), 0o755) }
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        for output in ["closed", "closed/new", "closed/b.csv"] {
            let line = "\(unprivileged)\"\(Tool.debug.path)\" generate --model reference --count Boss=1 -o \(output)"
            let result = try Tool.reference.shell(line, in: folder)
            #expect([73, 77].contains(result.status), "\(result.errors)")
            #expect(result.errors.contains("Permission denied") && result.errors.hasPrefix("closed"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("closed")) == ["Boss.csv"])
        #expect(try folder.text("closed/Boss.csv") == "mine")
    }

    @Test("an output to a full device exits 74")
    func fullDevice() throws {
        let result = try strata("--count Boss=9000 > /dev/full")
        result.expect(status: 74)
        #expect(result.errors == "<stdout>: cannot be written: No space left on device\n")
    }

    @Test(
        "generate on a full disk leaves an old dataset unchanged and creates no new dataset", .needsSmallDisk,
        arguments: ["old", "new"])
    func fullDisk(name: String) throws {
        let line =
            "strata generate --count Boss=9 -o disk/old -q && strata generate --count Boss=20000 -o disk/\(name); status=$?; "
            + "strata generate --check disk/old || exit 1; ls disk disk/old; exit $status"
        let result = try SmallDisk.run(kilobytes: 256, line, in: folder)
        expect(
            result, 74,
            "disk/\(name)/Boss.csv: cannot be written: No space left on device\n1 file of disk/old matches the manifest"
        )
        #expect(result.output == "disk:\nold\n\ndisk/old:\nBoss.csv\nmanifest.json\n")
    }

    @Test("generate ends without a message if its output pipe is closed")
    func closedPipe() throws {
        let result = try strata("--count Boss=50000 | head -n 1; exit ${PIPESTATUS[0]}")
        result.expect(status: 0)
        #expect(result.output == "id,firstName,lastName\n")
        #expect(result.errors == "")
    }
}
