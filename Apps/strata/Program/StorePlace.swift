import Foundation
import StrataPersistence

/// Where a store is that an argument names: in a file, or on a PostgreSQL server.
struct StorePlace {
    /// How it opens.
    let description: PersistentStoreDescription
    /// What messages call it: never with a password.
    let name: String
    /// Whether it is on a server.
    let isOnServer: Bool
    /// What no other place has.
    private let identity: String

    /// - Throws: ``UsageError`` for a server where the program was built without, and for what names none.
    init(_ text: String) throws {
        guard Self.isServer(text) else {
            (description, name) = (.file(at: URL(fileURLWithPath: text)), text)
            isOnServer = false
            identity = description.url?.resolvingSymlinksInPath().path ?? text
            return
        }
        guard let url = Self.url(text) else {
            throw UsageError("a store on a server is named postgresql://HOST/DATABASE?schema=NAME", program: "strata")
        }
        #if PostgreSQL
        let settings: PostgreSQLSettings
        do {
            settings = try PostgreSQLSettings(url: url)
            try settings.check()
        } catch let error as PersistenceError {
            throw UsageError(error.message, program: "strata")
        }
        identity = url
        description = PersistentStoreDescription(PostgreSQLStoreProvider(settings))
        name = settings.location
        isOnServer = true
        #else
        throw UsageError(
            "this strata was built without stores on a PostgreSQL server; build one with them: make release TRAITS=PostgreSQL",
            program: "strata")
        #endif
    }

    /// Whether an argument is a connection string, and no file's name.
    static func isServer(_ text: String) -> Bool {
        ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
    }

    /// A connection string as libpq has it: the scheme in small letters, and two slashes.
    private static func url(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return text[..<colon].lowercased() + text[colon...]
    }

    /// Whether there is a store, or for a file anything.
    func exists() throws -> Bool { try Stores.exists(description) }

    /// Whether two arguments name one place, as far as that can be told without asking anybody.
    func isSame(as other: StorePlace) -> Bool { isOnServer == other.isOnServer && identity == other.identity }

    /// Says on standard error what others can see of the command line.
    static func warn(_ text: String) {
        #if PostgreSQL
        // What is no connection string is refused, and nothing of it said.
        guard isServer(text), let settings = try? PostgreSQLSettings(url: text), settings.hasPassword else { return }
        Console.note(
            "warning: other users of this machine can see the password in the command line; PGPASSWORD, or a file that PGPASSFILE names, hides it"
        )
        #endif
    }
}
