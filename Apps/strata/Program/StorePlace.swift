import Foundation
import StrataPersistence

/// The location of a store that an argument names: a file, or a PostgreSQL server.
struct StorePlace {
    /// The description for opening the store.
    let description: PersistentStoreDescription
    /// The name in messages, which never contains a password.
    let name: String
    /// A Boolean value that indicates whether the store is on a server.
    let isOnServer: Bool
    /// A text that is unique for each location.
    private let identity: String

    /// Creates the location that an argument names.
    ///
    /// - Throws: ``UsageError`` if the argument is invalid, or names a server and the program was built without
    ///   PostgreSQL.
    init(_ text: String) throws {
        guard Self.isServer(text) else {
            (description, name) = (.file(at: URL(fileURLWithPath: text)), text)
            isOnServer = false
            identity = description.url?.resolvingSymlinksInPath().path ?? text
            return
        }
        guard let url = Self.url(text) else {
            throw UsageError("write a store on a server as postgresql://HOST/DATABASE?schema=NAME", program: "strata")
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
            "this strata was built without support for PostgreSQL; build strata with make release TRAITS=PostgreSQL",
            program: "strata")
        #endif
    }

    /// Returns a Boolean value that indicates whether an argument is a connection string and not a file name.
    static func isServer(_ text: String) -> Bool {
        ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
    }

    /// Returns a connection string in the form that libpq requires: a lowercase scheme followed by two slashes.
    private static func url(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return text[..<colon].lowercased() + text[colon...]
    }

    /// Returns a Boolean value that indicates whether the store exists or, for a file, whether any file exists.
    func exists() throws -> Bool { try Stores.exists(description) }

    /// Returns a Boolean value that indicates whether two arguments name one location, without asking a server.
    func isSame(as other: StorePlace) -> Bool { isOnServer == other.isOnServer && identity == other.identity }

    /// Prints a warning if other users can see a password in the command line.
    static func warn(_ text: String) {
        #if PostgreSQL
        // An invalid connection string is rejected elsewhere, without printing any part of it.
        guard isServer(text), let settings = try? PostgreSQLSettings(url: text), settings.hasPassword else { return }
        Console.note(
            "warning: other users of this machine can see the password in the command line; use PGPASSWORD, or a file "
                + "named by PGPASSFILE, instead"
        )
        #endif
    }
}
