import Foundation
import GRDB
import Hummingbird
import Logging

// The program `grdb-service DATABASE PORT`.
guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[2]) else {
    print("usage: grdb-service DATABASE PORT")
    exit(64)
}
let pool = try openDatabase(CommandLine.arguments[1])

let router = Router()
router.get("colors/:id") { _, context in
    let id = try context.parameters.require("id", as: Int64.self)
    guard let color = try await pool.read({ try Color.fetchOne($0, key: id) }) else { throw HTTPError(.notFound) }
    return try Response.encoded(color, version: color.version)
}
router.get("colors") { request, _ in
    let limit = request.uri.queryParameters.get("limit", as: Int.self) ?? 50
    let colors = try await pool.read { database in
        try Color.order(Column("dateCreated").desc, Column("id")).limit(limit + 1).fetchAll(database)
    }
    return try Response.encoded(Array(colors.prefix(limit)))
}
router.post("colors") { request, _ in
    let body = try await request.body.collect(upTo: 256 * 1024)
    let values = try JSONDecoder().decode(ColorValues.self, from: Data(buffer: body))
    guard let hex = values.hex else { throw HTTPError(.unprocessableContent) }
    let color = try await pool.write { database in
        var color = Color(
            hex: hex, name: values.name, dateCreated: Date(), version: Int64.random(in: 1...1_000_000))
        try color.insert(database)
        return color
    }
    return try Response.encoded(color, status: .created, version: color.version)
}
router.patch("colors/:id") { request, context in
    let id = try context.parameters.require("id", as: Int64.self)
    guard request.headers[.ifMatch] != nil else { throw HTTPError(.preconditionRequired) }
    let body = try await request.body.collect(upTo: 256 * 1024)
    let values = try JSONDecoder().decode(ColorValues.self, from: Data(buffer: body))
    let color = try await pool.write { database in
        guard var color = try Color.fetchOne(database, key: id) else { throw HTTPError(.notFound) }
        try color.updateChanges(database) { color in
            if let hex = values.hex { color.hex = hex }
            if values.hasName { color.name = values.name }
            color.version += 1
        }
        return color
    }
    return try Response.encoded(color, version: color.version)
}
router.get("employees/groups") { _, _ in
    let groups = try await pool.read { database in
        try StaffGroup.fetchAll(
            database, sql: "SELECT boss, count(*) AS count, avg(salary) AS average FROM employee GROUP BY boss")
    }
    return try Response.encoded(groups)
}

var logger = Logger(label: "grdb-service")
logger.logLevel = .warning
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
    logger: logger)
try await application.runService()
