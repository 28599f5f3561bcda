import Foundation
import StrataCore
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataSQLite

@Suite("Damaged databases of other programs")
struct ForeignDatabaseMutationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let script = """
        PRAGMA page_size = 512;
        CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born DATE, active BOOLEAN);
        CREATE TABLE book(isbn TEXT PRIMARY KEY, price DECIMAL(10,2), author_id INTEGER REFERENCES author, x AS (price * 2));
        CREATE TABLE pair(a INTEGER, b TEXT, PRIMARY KEY(b, a)) WITHOUT ROWID;
        CREATE TABLE child(x INTEGER, y TEXT, v BLOB, FOREIGN KEY(x, y) REFERENCES pair(a, b));
        CREATE VIEW v AS SELECT name, count(*) AS n FROM author GROUP BY name;
        """

    private func makeDatabase() throws -> [UInt8] {
        let connection = try SQLiteConnection(path: folder.file("base.db").path, access: .create, busyTimeout: .zero)
        try connection.execute(Self.script)
        for number in 1...20 {
            try connection.execute(
                """
                INSERT INTO author VALUES(\(number), 'name \(number)', '2020-01-\(number + 9)', \(number % 2));
                INSERT INTO book VALUES('isbn \(number)', \(number).5, \(number), 1);
                INSERT INTO pair VALUES(\(number), 'b');
                INSERT INTO child VALUES(\(number), 'b', zeroblob(\(number * 40)));
                """.replacingOccurrences(of: ", \(number), 1);", with: ", \(number));").replacingOccurrences(
                    of: "INTO book VALUES", with: "INTO book(isbn, price, author_id) VALUES"))
        }
        connection.close()
        return [UInt8](try Data(contentsOf: folder.file("base.db")))
    }

    /// Reads all tables of a database to their end; returns the count of bytes, or `nil` if there was an error.
    private func read(_ path: String) -> Int? {
        do {
            let end = ContinuousClock.now + .seconds(20)
            let database = try ForeignDatabase(
                path, readsViews: true, copyingTo: folder.url, isCancelled: { ContinuousClock.now > end })
            defer { database.close() }
            var bytes = 0
            var buffer = [UInt8](repeating: 0, count: 4096)
            _ = database.resources(hasJoins: true)
            for table in database.tables {
                let text = try database.text(of: table)
                while true {
                    let count = try text.read(into: &buffer, at: 0, buffer.count)
                    if count == 0 { break }
                    bytes += count
                }
            }
            return bytes
        } catch is CancellationError {
            Issue.record("the reading of a damaged database does not end")
            return nil
        } catch {
            #expect(error is PersistenceError, "\(error)")
            return nil
        }
    }

    @Test("any bytes in a database cause at most an error", arguments: Seeds.batches(of: 300, all: 30_000))
    func mutated(seed: UInt64) throws {
        let base = try makeDatabase()
        let path = folder.file("changed.db").path
        let whole = try #require(read(folder.file("base.db").path))
        var random = SeededGenerator(seed: seed)
        var different = 0
        for _ in 0..<300 {
            var bytes = base
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Half of the changes are in the header and the schema.
                let end = Bool.random(using: &random) ? bytes.count : min(bytes.count, 1_536)
                bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            guard (try? ForeignDatabase.isForeign(path)) == true else { continue }
            if read(path) != whole { different += 1 }
        }
        #expect(different > 0)
    }
}
