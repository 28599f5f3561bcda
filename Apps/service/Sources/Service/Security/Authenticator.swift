import Foundation
import Hummingbird

/// The recognition of a client by its credentials.
protocol Authenticator: Sendable {
    /// Returns the name of the client with a token, or `nil` if no client has it.
    func principal(token: String?) -> String?
}

/// Accepts every client, for a service on loopback.
struct OpenAuthenticator: Authenticator {
    func principal(token: String?) -> String? { "local" }
}

/// Accepts the clients whose tokens a file contains.
struct TokenAuthenticator: Authenticator {
    static let minimumLength = 16

    private let clients: [(name: String, token: [UInt8])]

    /// Reads a file with one client in each line: a name, a space and a token.
    ///
    /// - Throws: ``ConfigurationError`` that never contains a token.
    init(file: URL) throws {
        // Every error of reading has the same remedy.
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw ConfigurationError("\(file.path): the token file cannot be read; create it, or permit reading it")
        }
        clients = try text.split(separator: "\n").enumerated().map { index, line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, parts[1].utf8.count >= Self.minimumLength else {
                throw ConfigurationError(
                    "\(file.path):\(index + 1): the line is not \"NAME TOKEN\" with a token of at least "
                        + "\(Self.minimumLength) characters; create one with: openssl rand -hex 32")
            }
            return (String(parts[0]), Array(parts[1].utf8))
        }
        guard !clients.isEmpty else {
            throw ConfigurationError("\(file.path): the token file is empty; add a line \"NAME TOKEN\"")
        }
    }

    func principal(token: String?) -> String? {
        guard let token = token.map({ Array($0.utf8) }) else { return nil }
        var found: String?
        // The time must not depend on the position of the client.
        for client in clients where Self.isEqual(client.token, token) { found = client.name }
        return found
    }

    /// Compares all bytes, so that the time does not depend on the first difference.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = UInt8(left.count == right.count ? 0 : 1)
        for index in left.indices { difference |= left[index] ^ (index < right.count ? right[index] : 0) }
        return difference == 0
    }
}
