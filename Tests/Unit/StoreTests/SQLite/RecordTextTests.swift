import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@testable import StrataSQLite

/// Short strings, which are stored inline, and long ones are read in different ways.
@Suite("Texts of records")
struct RecordTextTests {
    struct Note: PersistentRecord {
        let id: LibraryID
        var title: String

        static let entity = RecordEntity<Note>("Note", id: \.id, [.attribute("title", \.title)]) {
            Note(id: try $0.id(), title: try $0.next())
        }
    }

    /// Texts of up to 40 bytes: ASCII, with a multibyte character at either end, with a zero byte, and invalid UTF-8.
    private static let texts: [[UInt8]] = (0...40).flatMap { length in
        let letters = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        return [
            letters, Array("é".utf8) + letters, letters + Array("é".utf8), letters + Array("👍".utf8),
            letters + [0] + letters, letters + [0xC3], [0x80] + letters, letters + [0xFF] + letters,
        ]
    }

    @Test("texts of any length are read verbatim, and repaired if they are not UTF-8")
    func texts() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Note.self]), .sqlite(at: file), mainQueue: .private)
        try write(to: file.path)
        let expected = Self.texts.map { String(decoding: $0, as: UTF8.self) }
        try container.newBackgroundContext().performAndWait { context in
            let request = FetchRequest<Note>()
            let (records, objects) = (try context.fetchRecords(request), try context.fetch(request))
            #expect(records.map(\.title) == expected)
            #expect(objects.map(\.title) == expected)
        }
        try container.close()
    }

    private func write(to path: String) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        for (index, text) in Self.texts.enumerated() {
            let digits = text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try connection.execute("INSERT INTO Note VALUES (\(index + 1), 1, CAST(x'\(digits)' AS TEXT))")
        }
    }
}
