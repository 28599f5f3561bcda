public import Foundation

/// The amount of information that a store keeps about each committed change.
public enum HistoryLevel: String, Sendable, Hashable, CaseIterable {
    /// The store keeps no history.
    case off
    /// The store keeps the identifiers of the changed rows and the names of the changed attributes.
    case changes
    /// The store also keeps the values that updated and deleted rows had before.
    case values
}

/// A position in the history of a store: the transactions up to one of them.
///
/// A token has a text form, so that a program can save it, together with what it has done for these transactions.
/// Tokens can be compared if they have the same ``epoch``.
public struct HistoryToken: Sendable, Hashable {
    /// The identity of the history, which a copy of the store does not share.
    public let epoch: UUID
    /// The number of the transaction in the store.
    public let number: Int64
    /// The number of the database's transaction, by which a server orders commits; 0 for a store in a file.
    package let order: Int64

    package init(epoch: UUID, number: Int64, order: Int64) {
        (self.epoch, self.number, self.order) = (epoch, number, order)
    }
}

extension HistoryToken: Comparable {
    /// Returns a Boolean value that indicates whether a transaction was committed before another one.
    ///
    /// Tokens of different epochs have an arbitrary order.
    public static func < (left: HistoryToken, right: HistoryToken) -> Bool {
        if left.epoch != right.epoch { return left.epoch.uuidString < right.epoch.uuidString }
        return (left.order, left.number) < (right.order, right.number)
    }
}

extension HistoryToken: LosslessStringConvertible, Codable {
    /// The text form: the epoch and the numbers, separated by colons.
    public var description: String { "\(epoch.uuidString.lowercased()):\(order):\(number)" }

    /// Creates a token from its text form; `nil` if the text is no token.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let epoch = UUID(uuidString: String(parts[0])), let order = Int64(parts[1]),
            let number = Int64(parts[2]), order >= 0, number >= 0
        else { return nil }
        self.init(epoch: epoch, number: number, order: order)
    }

    /// Decodes the text form.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is no token.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = HistoryToken(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the text is no history token")
        }
        self = token
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
