import Foundation
import StrataCore
import StrataInMemory
import StrataModelFiles
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataAtomicStores

/// Data that is written is read unchanged, and writing it again produces the same file.
@Suite("Files and their contents")
struct RoundTripTests {
    @Test(
        "unusual values are read unchanged, and writing them again produces the same bytes",
        arguments: FileKind.allCases,
        Seeds.first(2, of: Seeds.areAll ? 0..<60 : 0..<1000))
    func hostile(_ kind: FileKind, _ seed: UInt64) throws {
        let (model, contents) = (try Sample.model(), try Sample.contents(seed: seed))
        let title = StoreTitle(Sample.identifier, model)
        let bytes = try kind.bytes(contents, title)
        let read = try kind.decoded(bytes, model)
        #expect(read.head.identifier == Sample.identifier)
        #expect(read.isModelSame)
        #expect(read.head.metadata == contents.metadata)
        for entity in model.entities {
            #expect(read.contents.nextIdentifier(of: entity.name) == contents.nextIdentifier(of: entity.name))
            let (found, wanted) = (read.contents.rows(of: entity.name), contents.rows(of: entity.name))
            #expect(found.count == wanted.count)
            for (row, other) in zip(found, wanted) {
                #expect(row.id == other.id && row.version == other.version)
                for (value, expected) in zip(row.values, other.values) {
                    #expect(Self.isSame(value, expected), "seed \(seed): \(expected) came back as \(value)")
                }
            }
        }
        for join in model.joins { #expect(read.contents.pairs(of: join.name) == contents.pairs(of: join.name)) }
        #expect(try kind.bytes(read.contents, title) == bytes, "seed \(seed)")
    }

    /// Returns a Boolean value that indicates whether two values are equal bit by bit: texts that only look equal are
    /// not.
    private static func isSame(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): Array(left.utf8) == Array(right.utf8)
        case (.double(let left), .double(let right)): left.bitPattern == (right + 0).bitPattern
        case (.date(let left), .date(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left.unscaled == right.unscaled && left.scale == right.scale
        default: left == right && left.isNull == right.isNull
        }
    }

    @Test(
        "a store with a random model is read with the same rows and the same model", arguments: FileKind.allCases,
        Seeds.first(6, of: Seeds.areAll ? 0..<150 : 0..<2000))
    func models(_ kind: FileKind, _ seed: UInt64) throws {
        var drawn = RandomModel(seed: seed)
        let model = try drawn.model()
        var random = SeededGenerator(seed: seed)
        let memory = InMemoryStore(model: model)
        for number in 1...Int64(6) {
            for entity in model.entities {
                var changes = ChangeSet()
                let values = entity.columns.map { column in
                    column.isOptional && random.next() % 4 == 0
                        ? .null
                        : column.type.coding.sample(number, after: nil)?.converted(to: column.type) ?? .null
                }
                changes[entity.name].insertions = [.init(id: number, values: values)]
                do { _ = try memory.save(changes) } catch is PersistenceError { continue }
            }
        }
        let (contents, title) = (try memory.contents(), StoreTitle(Sample.identifier, model))
        let hasNulls = model.entities.contains { entity in
            contents.rows(of: entity.name).contains { row in
                zip(entity.columns, row.values).contains { !$0.isOptional && $1.isNull }
            }
        }
        guard !hasNulls else {
            #expect(failure { _ = try kind.bytes(contents, title) }?.code == .validation)
            return
        }
        let bytes = try kind.bytes(contents, title)
        // A file contains only the names of the rules of Swift types.
        let read = try kind.decoded(bytes, model)
        for entity in model.entities {
            #expect(read.contents.rows(of: entity.name) == contents.rows(of: entity.name), "seed \(seed)")
        }
        #expect(try kind.bytes(read.contents, StoreTitle(Sample.identifier, read.model)) == bytes, "seed \(seed)")
        let unknown = try kind.decoded(bytes, try ManagedObjectModel([]))
        #expect(ModelFile.text(of: unknown.model) == ModelFile.text(of: model), "seed \(seed)")
    }

    @Test("an XML store is written with one value in each line")
    func readable() throws {
        let text = String(decoding: try Sample.smallFile(.xml), as: UTF8.self)
        let model = try #require(text.firstRange(of: #/(?s)  <model>.*<\/model>\n/#))
        #expect(
            text.replacingCharacters(in: model, with: "") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <strata-store format="2" identifier="01020304-0506-0708-090A-0B0C0D0E0F10">
                  <metadata>
                    <entry key="Aw==" key-form="base64"></entry>
                    <entry key="a&#9;b" form="base64">Ag==</entry>
                    <entry key="customer">Ada&#13;
                </entry>
                  </metadata>
                  <entity name="Note" next="12">
                    <row id="1" version="3">
                      <text>a &lt; b &amp; c</text>
                      <count>-7</count>
                      <code>x"y</code>
                      <next>4</next>
                    </row>
                    <row id="4" version="1">
                      <text>two
                lines</text>
                    </row>
                    <row id="5" version="9">
                      <text></text>
                      <count>32767</count>
                      <code form="base64">AQ==</code>
                      <next>5</next>
                    </row>
                  </entity>
                  <pairs name="Note_tags">
                    <pair source="1" target="5" source-position="2"/>
                  </pairs>
                </strata-store>

                """)
        #expect(text[model].hasPrefix("  <model>{\n"))
    }

    @Test("a value that no file can contain is rejected before the file is written", arguments: FileKind.allCases)
    func refused(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let url = kind.file(in: folder)
        let store = try kind.open(url, try Sample.small())
        let before = try Data(contentsOf: url)
        for values: [StoredValue] in [
            [.null, .null, .null, .null], [.string("a\u{0}b"), .null, .null, .null],
            [.string(""), .integer(40_000), .null, .null], [.string(""), .string("7"), .null, .null],
        ] {
            var changes = ChangeSet()
            changes["Note"].insertions = [.init(id: 1, values: values)]
            let error = failure { _ = try store.save(changes) }
            #expect(error?.code == .validation)
            #expect(error?.failures.first?.id == 1)
            #expect(try store.count(StoreRequest("Note")) == 0)
        }
        #expect(try Data(contentsOf: url) == before)
        try store.close()
    }

    @Test("the checksum of a block is the CRC-32 that zip and Ethernet use")
    func checksum() {
        for (text, value): (String, UInt32) in [
            ("", 0), ("123456789", 0xCBF4_3926), ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] {
            var checksum = Checksum()
            checksum.add(Array(text.utf8))
            #expect(checksum.value == value)
        }
    }
}
