import Foundation
import StrataPersistence
import StrataStoreKit

/// A few employees, bosses and companies in both kinds of stores.
enum Staff {
    /// Two stores with the same rows.
    struct Stores: Sendable {
        let memory: any PersistentStore
        let sqlite: any PersistentStore
    }

    static let stores: Stores = {
        do {
            let model = try ManagedObjectModel([employee, boss, company])
            let url = URL(fileURLWithPath: NSTemporaryDirectory() + "/strata-fuzz-\(UUID().uuidString).sqlite")
            let stores = Stores(
                memory: InMemoryStore(model: model), sqlite: try SQLiteStore.open(at: url, model: model))
            for store in [stores.memory, stores.sqlite] { try fill(store) }
            // An open database needs no file name, so the fuzzer leaves no files in any case.
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + ending) }
            return stores
        } catch {
            fatalError("\(error)")
        }
    }()

    private static let employee = EntityDescription(
        "Employee",
        [
            .attribute(.init("firstName", .string, isOptional: true)),
            .attribute(.init("lastName", .string)),
            .attribute(.init("salary", .decimal(scale: 2), isOptional: true)),
            .attribute(.init("rating", .double, isOptional: true)),
            .attribute(.init("age", .integer64, isOptional: true)),
            .attribute(.init("dateHired", .date, isOptional: true)),
            .attribute(.init("token", .uuid, isOptional: true)),
            .attribute(.init("isActive", .boolean, isOptional: true)),
            .attribute(.init("photo", .binary, isOptional: true)),
            .attribute(.init("between", .integer64, isOptional: true)),
            .relationship(.init("boss", to: "Boss", .toOne, inverse: "employees")),
        ])

    private static let boss = EntityDescription(
        "Boss",
        [
            .attribute(.init("lastName", .string)),
            .attribute(.init("age", .integer64, isOptional: true)),
            .relationship(.init("employees", to: "Employee", .toMany, inverse: "boss")),
            .relationship(.init("company", to: "Company", .toOne, inverse: "bosses")),
        ])

    private static let company = EntityDescription(
        "Company",
        [
            .attribute(.init("name", .string)),
            .relationship(.init("bosses", to: "Boss", .toMany, inverse: "company")),
        ])

    private static func fill(_ store: any PersistentStore) throws {
        var changes = ChangeSet()
        changes["Company"].insertions = [.init(id: 1, values: [.string("Acme")]), .init(id: 2, values: [.string("")])]
        changes["Boss"].insertions = [
            .init(id: 1, values: [.string("Ito"), .integer(50), .integer(1)]),
            .init(id: 2, values: [.string("É\"lan"), .null, .null]),
        ]
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        changes["Employee"].insertions = [
            .init(
                id: 1,
                values: [
                    .string("Ada"), .string("Smith"), .decimal(ScaledDecimal(unscaled: 10010, scale: 2)), .double(0.1),
                    .integer(5), .date(Date(timeIntervalSinceReferenceDate: 0)), .uuid(uuid), .boolean(true),
                    .binary(Data([1, 2])), .integer(.max), .integer(1),
                ]),
            .init(
                id: 2,
                values: [
                    .null, .string("O'Neil"), .decimal(ScaledDecimal(unscaled: -1, scale: 2)), .double(-1e300),
                    .integer(.min), .date(Date(timeIntervalSinceReferenceDate: -5e9)), .null, .boolean(false), .null,
                    .integer(0), .integer(1),
                ]),
            .init(
                id: 3,
                values: [
                    .string(""), .string("a%_*?b"), .null, .null, .null, .null, .null, .null, .null, .null, .null,
                ]),
            .init(
                id: 4,
                values: [
                    .string("ada"), .string("SMITH"), .decimal(ScaledDecimal(unscaled: .max, scale: 2)), .double(7),
                    .integer(7), .null, .null, .null, .null, .integer(7), .integer(2),
                ]),
        ]
        guard try store.save(changes).isEmpty else { fatalError("a conflict") }
    }
}
