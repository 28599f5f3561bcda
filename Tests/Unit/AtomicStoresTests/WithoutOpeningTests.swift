import Foundation
import StrataCore
import StrataInMemory
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataAtomicStores

/// Operations on a store without opening it: reading its metadata, creating it as a copy, removing it.
@Suite("Stores that are not opened")
struct WithoutOpeningTests {
    private func make(_ kind: FileKind, in folder: TemporaryFolder) throws -> URL {
        let url = kind.file(in: folder)
        try Data(try Sample.smallFile(kind)).write(to: url)
        return url
    }

    private func faults(_ kind: FileKind, _ url: URL, _ model: ManagedObjectModel) throws -> [String] {
        var faults: [String] = []
        let summary = try kind.provider(url).check(model, options: StoreOptions(), StoreCheckOptions()) {
            faults.append("\($0.kind) \($0)")
        }
        #expect(summary.faultCount == faults.count)
        return faults
    }

    @Test("the metadata of a store can be read without a model", arguments: FileKind.allCases)
    func metadata(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = try make(kind, in: folder)
        let writer = try kind.open(url, try Sample.small())
        let metadata = try kind.provider(url).metadata(options: StoreOptions())
        #expect(metadata.information.kind == (kind == .xml ? "XML" : "binary"))
        #expect(metadata.information.identifier == Sample.identifier)
        #expect(metadata.information.formatVersion == 2)
        #expect(metadata.information.byteCount == Int64(try Data(contentsOf: url).count))
        #expect(metadata.texts == ["customer": "Ada\r\n", "a\tb": "\u{2}", "\u{3}": ""])
        #expect(metadata.modelImage == (try Sample.small().json()))
        #expect(metadata.model?.entities.map(\.name) == ["Note"])
        let information = try writer.information()
        #expect(information.kind == metadata.information.kind && information.identifier == Sample.identifier)
        #expect(information.byteCount == metadata.information.byteCount && information.formatVersion == 2)
        try writer.close()
        let missing = folder.file("none")
        #expect(failure { _ = try kind.provider(missing).metadata(options: StoreOptions()) }?.code == .storeNotFound)
    }

    @Test(
        "destroying a store removes its file unless the store is in use or the file is not a store",
        arguments: FileKind.allCases)
    func destroy(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = try make(kind, in: folder)
        var options = StoreOptions()
        options.busyTimeout = .zero
        let store = try kind.open(url, try Sample.small())
        #expect(failure { try kind.provider(url).destroy(onlyIfEmpty: false, options: options) }?.code == .locked)
        try store.close()
        try kind.provider(url).destroy(onlyIfEmpty: true, options: options)
        #expect(FileManager.default.fileExists(atPath: url.path))
        try kind.provider(url).destroy(onlyIfEmpty: false, options: options)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try kind.provider(url).destroy(onlyIfEmpty: false, options: options)
        try kind.open(url, try Sample.small()).close()
        try kind.provider(url).destroy(onlyIfEmpty: true, options: options)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        for (text, code) in [
            ("text", PersistenceError.Code.notADatabase), ("<svg/>", kind == .xml ? .foreignStore : .notADatabase),
        ] {
            try Data(text.utf8).write(to: url)
            #expect(failure { try kind.provider(url).destroy(onlyIfEmpty: false, options: options) }?.code == code)
            #expect(try Data(contentsOf: url) == Data(text.utf8))
        }
    }

    @Test("opening an XML store as a binary store throws, and so does the reverse", arguments: FileKind.allCases)
    func otherKind(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = try make(kind, in: folder)
        let other: FileKind = kind == .xml ? .binary : .xml
        #expect(failure { _ = try other.open(url, try Sample.small()) }?.code == .notADatabase)
        #expect(try Data(contentsOf: url) == Data(try Sample.smallFile(kind)))
    }

    // MARK: Copies

    private func copy(_ kind: FileKind, to url: URL, replaces: Bool = false, isCancelled: Bool = false) throws {
        let memory = InMemoryStore(try Sample.smallContents(), model: try Sample.small()) { _ in }
        var copy = StoreCopy(try memory.openSnapshots(1)[0], identifier: Sample.identifier)
        copy.replacesStore = replaces
        copy.isCancelled = { isCancelled }
        var options = StoreOptions()
        options.busyTimeout = .zero
        try kind.provider(url).create(from: copy, options: options)
    }

    @Test(
        "copying rows into a new store produces the same bytes, and a rejected copy changes nothing",
        arguments: FileKind.allCases)
    func create(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = kind.file(in: folder)
        #expect(throws: CancellationError.self) { try copy(kind, to: url, isCancelled: true) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try copy(kind, to: url)
        #expect(try Data(contentsOf: url) == Data(try Sample.smallFile(kind)))
        #expect(failure { try copy(kind, to: url) }?.code == .cannotCreate)
        let store = try kind.open(url, try Sample.small())
        #expect(failure { try copy(kind, to: url, replaces: true) }?.code == .locked)
        try store.addNote(9)
        try store.close()
        #expect(throws: CancellationError.self) { try copy(kind, to: url, replaces: true, isCancelled: true) }
        #expect(try Data(contentsOf: url) != Data(try Sample.smallFile(kind)))
        try copy(kind, to: url, replaces: true)
        #expect(try Data(contentsOf: url) == Data(try Sample.smallFile(kind)))
        // A damaged store is replaced by its backup; a file that is no store is not replaced.
        try Data(try Sample.smallFile(kind).dropLast(20)).write(to: url)
        try copy(kind, to: url, replaces: true)
        #expect(try Data(contentsOf: url) == Data(try Sample.smallFile(kind)))
        try Data("text".utf8).write(to: url)
        #expect(failure { try copy(kind, to: url, replaces: true) }?.code == .notADatabase)
        #expect(failure { try copy(kind, to: url) }?.code == .cannotCreate)
        #expect(try Data(contentsOf: url) == Data("text".utf8))
        #expect(failure { try copy(kind, to: folder.file("no/such")) }?.code == .cannotCreate)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [url.lastPathComponent])
    }

    // MARK: Checks

    @Test("a check of an intact store reports no fault, and a repair is rejected", arguments: FileKind.allCases)
    func right(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = try make(kind, in: folder)
        #expect(try faults(kind, url, try Sample.small()) == [])
        var repair = StoreCheckOptions()
        repair.repairs = true
        let error = failure {
            _ = try kind.provider(url).check(try Sample.small(), options: StoreOptions(), repair) { _ in }
        }
        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.hasPrefix("stores of the kind “\(kind == .xml ? "XML" : "binary")” cannot be repaired")
                == true)
        let other = try ManagedObjectModel([EntityDescription("Other", [])])
        #expect(failure { _ = try faults(kind, url, other) }?.code == .incompatibleModel)
    }

    @Test("a check reports a damaged file as one fault with the location")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.stbin")
        var bytes = try Sample.smallFile(.binary)
        bytes[bytes.count - 9] ^= 1
        try Data(bytes).write(to: url)
        #expect(
            try faults(.binary, url, try Sample.small()) == [
                "file store: cannot be read to the end: byte 40: the file is damaged in the \(bytes.count - 44) bytes "
                    + "from here on: checksum mismatch"
            ])
    }

    @Test("a check reports every fault of an edited file with its location")
    func edited() throws {
        let folder = try TemporaryFolder()
        let model = try ManagedObjectModel([
            EntityDescription(
                "Note",
                [
                    .attribute(AttributeDescription("text", .string, rules: [.maximumLength(3)])),
                    .attribute(AttributeDescription("code", .integer16, isOptional: true, isUnique: true)),
                    .relationship(
                        RelationshipDescription("next", to: "Note", .toOne, isOptional: true, ownsForeignKey: true)),
                    .relationship(
                        RelationshipDescription(
                            "tags", to: "Note", .toMany, inverse: "tagged", isOptional: true, maximumCount: 1)),
                    .relationship(
                        RelationshipDescription("tagged", to: "Note", .toMany, inverse: "tags", isOptional: true)),
                ])
        ])
        let rows = (1...4).map { StoredRow(id: $0, values: [.string("abc"), .integer($0), .null]) }
        let contents = InMemoryContents(
            model, rows: ["Note": rows], pairs: ["Note_tags": [JoinRow(JoinPair(source: 1, target: 2))]])
        var text = String(
            decoding: try FileKind.xml.bytes(contents, StoreTitle(Sample.identifier, model)), as: UTF8.self)
        for (old, new) in [
            ("<code>2</code>", "<code>1</code>"), ("<code>3</code>", "<code>many</code>"),
            (
                "<row id=\"3\" version=\"1\">\n      <text>abc</text>",
                "<row id=\"3\" version=\"1\">\n      <text>abcd</text>"
            ),
            ("<code>4</code>", "<next>40</next><word>x</word>"), ("next=\"5\"", "next=\"2\""),
            ("<pair ", "<pair source=\"1\" target=\"3\"/>\n    <pair source=\"9\" target=\"3\"/>\n    <pair "),
        ] {
            try #require(text.firstRange(of: old) != nil)
            text = text.replacing(old, with: new)
        }
        let url = folder.file("store.stxml")
        try Data(text.utf8).write(to: url)
        let first =
            try #require(
                text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix("  <entity") })
            + 1
        #expect(
            try Set(faults(.xml, url, model)) == [
                "type Note 3 code: not a whole number (line \(first + 11), column 7)",
                "schema Note 4 word: the model has no such attribute (line \(first + 15), column 22)",
                "sequence Note: the next identifier, 2, is already in use; the greatest identifier is 4 (line "
                    + "\(first), column 23)",
                "uniqueness Note 2 code: Note 1 has this value too, but the attribute is unique (line \(first + 5), "
                    + "column 5)",
                "reference Note 4 next: refers to Note 40, which does not exist (line \(first + 13), column 5)",
                "reference Note 9 tags: Note 9, which has a join row with 3, does not exist (line \(first + 20), "
                    + "column 5)",
                "rule Note 3 text: is longer than 3", "rule Note 1 tags: is above the maximum count of 1",
            ])
        #expect(try Data(contentsOf: url) == Data(text.utf8))
    }
}
