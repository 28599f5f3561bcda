import Foundation
import GRDB

/// The columns that both kinds of GRDB records write.
protocol EmployeeValues {
    init(_ person: Dataset.Person)
    var id: Int64 { get }
    var lastName: String { get }
    var salary: Int { get set }
    var dateHired: Date { get }
    var boss: Int64? { get }
}

/// A record as GRDB's documentation recommends for speed: decoded by index and encoded by column.
struct HandWrittenEmployee: EmployeeValues, FetchableRecord, PersistableRecord, Identifiable {
    static let databaseTableName = "Employee"

    var id: Int64
    var version: Int64 = 1
    var firstName: String
    var lastName: String
    var salary: Int
    var dateHired: Date
    var boss: Int64?

    init(_ person: Dataset.Person) {
        id = person.id
        firstName = person.firstName
        lastName = person.lastName
        salary = person.salary
        dateHired = person.dateHired
        boss = person.boss
    }

    init(row: Row) {
        id = row[0]
        version = row[1]
        firstName = row[2]
        lastName = row[3]
        salary = row[4]
        dateHired = Date(timeIntervalSinceReferenceDate: row[5])
        boss = row[6]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["_version"] = version
        container["firstName"] = firstName
        container["lastName"] = lastName
        container["salary"] = salary
        container["dateHired"] = dateHired.timeIntervalSinceReferenceDate
        container["boss"] = boss
    }
}

/// A record that uses `Codable`.
struct CodableEmployee: EmployeeValues, Codable, FetchableRecord, PersistableRecord, Identifiable {
    static let databaseTableName = "Employee"

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    enum CodingKeys: String, CodingKey {
        case id
        case version = "_version"
        case firstName, lastName, salary, dateHired, boss
    }

    var id: Int64
    var version: Int64 = 1
    var firstName: String
    var lastName: String
    var salary: Int
    var dateHired: Date
    var boss: Int64?

    init(_ person: Dataset.Person) {
        id = person.id
        firstName = person.firstName
        lastName = person.lastName
        salary = person.salary
        dateHired = person.dateHired
        boss = person.boss
    }
}
