import Foundation
import GRDB
import Hummingbird

/// A color, with the version of its row.
struct Color: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "color"

    var id: Int64?
    var hex: String
    var name: String?
    var dateCreated: Date
    var version: Int64

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The members of a new color, or of a merge patch.
struct ColorValues: Decodable {
    var hex: String?
    var name: String?
    var hasName: Bool

    private enum CodingKeys: String, CodingKey {
        case hex, name
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hex = try container.decodeIfPresent(String.self, forKey: .hex)
        hasName = container.contains(.name)
        name = try container.decodeIfPresent(String.self, forKey: .name)
    }
}

/// A group of employees.
struct StaffGroup: Codable, FetchableRecord {
    var boss: Int64?
    var count: Int
    var average: Double
}

/// Opens a database, and fills an empty one with the rows of the benchmark.
func openDatabase(_ path: String) throws -> DatabasePool {
    var configuration = GRDB.Configuration()
    configuration.maximumReaderCount = 4
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { database in
        guard try !database.tableExists("color") else { return }
        try database.execute(
            sql: """
                CREATE TABLE color (id INTEGER PRIMARY KEY, hex TEXT NOT NULL, name TEXT, dateCreated DATETIME NOT NULL,
                    version INTEGER NOT NULL);
                CREATE INDEX color_date ON color (dateCreated);
                CREATE TABLE boss (id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL);
                CREATE TABLE employee (id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
                    salary INTEGER NOT NULL, boss INTEGER REFERENCES boss (id));
                CREATE INDEX employee_boss ON employee (boss);
                """)
        for number in 1...5_000 {
            var color = Color(hex: "#123456", name: "color \(number)", dateCreated: Date(), version: 1)
            try color.insert(database)
        }
        for boss in 1...20 { try database.execute(sql: "INSERT INTO boss VALUES (?, 'a', 'b')", arguments: [boss]) }
        for number in 1...1_000 {
            try database.execute(
                sql: "INSERT INTO employee VALUES (?, 'a', 'b', ?, ?)",
                arguments: [number, number * 10, number % 20 + 1])
        }
    }
    return pool
}

extension Response {
    /// Returns a response with a value as JSON.
    static func encoded(_ value: some Encodable, status: HTTPResponse.Status = .ok, version: Int64? = nil) throws
        -> Response
    {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let body = ByteBuffer(data: try encoder.encode(value))
        var response = Response(
            status: status, headers: [.contentType: "application/json", .contentLength: "\(body.readableBytes)"],
            body: ResponseBody(byteBuffer: body))
        if let version { response.headers[.eTag] = "\"\(version)\"" }
        return response
    }
}
