import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Predicates that cannot be translated; the error names the part.
@Suite("Predicates: rejections")
struct PredicateRefusalTests {
    private func message(
        _ predicate: Predicate<Player>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let error = try persistenceError(sourceLocation: sourceLocation) {
            _ = try RecordFilter.matching(predicate).condition()
        }
        #expect(error.code == .invalidRequest, sourceLocation: sourceLocation)
        return "\(error)"
    }

    @Test("a predicate that counts characters is rejected")
    func count() throws {
        let found = try message(#Predicate { $0.isActive && $0.name.count > 3 })
        #expect(
            found == """
                Player: the predicate's part KeyPath<KeyPath<Variable<Player>, String>, Int> cannot be translated: \
                stores compare texts by bytes and do not count characters
                """)
    }

    @Test("a predicate with a regular expression is rejected")
    func regex() throws {
        let found = try message(#Predicate { $0.name.contains(#/a/#) })
        #expect(
            found == """
                Player: the predicate's part StringContainsRegex<KeyPath<Variable<Player>, String>, Value<PredicateRegex>> cannot be translated: \
                it has no form that every store understands
                """)
    }

    @Test("a predicate with forced unwrapping is rejected")
    func forced() throws {
        let found = try message(#Predicate { $0.number! > 3 })
        #expect(
            found == """
                Player: the predicate's part ForcedUnwrap<KeyPath<Variable<Player>, Optional<Int>>, Int> cannot be translated: \
                `!` fails on null where a store continues; use ?? or if let
                """)
    }

    @Test("a predicate on a property that is not an attribute is rejected")
    func unknown() throws {
        let found = try message(#Predicate { $0.license.uuidString == "x" })
        #expect(
            found == """
                Player: the predicate's part KeyPath<KeyPath<Variable<Player>, UUID>, String> cannot be translated: \
                \\UUID.<computed (String)> is not an attribute, to-one relationship or identifier
                """)
    }

    @Test("a predicate with a captured value that cannot be stored is rejected")
    func unstorable() throws {
        let other = Color.red
        let found = try message(#Predicate { _ in other == other })
        #expect(
            found == """
                Player: the predicate's part Color cannot be translated: \
                a value of this type cannot be stored, so nothing can be compared with it
                """)
    }

    @Test("a predicate with a list of values that cannot be stored is rejected")
    func unstorableList() throws {
        let list: [Color] = [.red]
        let one = Color.red
        let found = try message(#Predicate { _ in list.contains(one) })
        #expect(
            found == """
                Player: the predicate's part Color cannot be translated: \
                a value of this type cannot be stored, so nothing can be compared with it
                """)
    }

    @Test("a predicate that searches a list with a condition is rejected")
    func allSatisfy() throws {
        let list = ["a"]
        let found = try message(#Predicate { player in list.contains { $0 == player.name } })
        #expect(
            found == """
                Player: the predicate's part SequenceContainsWhere<Value<Array<String>>, Equal<Variable<String>, KeyPath<Variable<Player>, String>>> cannot be translated: \
                it has no form that every store understands
                """)
    }

    @Test("a sort key that is not a stored property is rejected")
    func sortKey() throws {
        let error = try persistenceError {
            _ = try FetchRequest<Player>(sort: [SortKey(\Player.name.count)]).lowered()
        }
        #expect(
            "\(error)" == """
                Player: the sort key \\Player.name.<computed (Int)> is not an attribute, to-one relationship or identifier
                """)
    }

    @Test("a text search in an expression that is not a property is rejected")
    func textSearch() throws {
        let error = try persistenceError {
            _ = try RecordFilter<Player>.text(\Player.name.count, contains: "a", ignoringCase: true).condition()
        }
        #expect(
            "\(error)" == """
                Player: \\Player.name.<computed (Int)> is not a property of the entity
                """)
    }

    @Test("a store rejects a comparison of incompatible types", arguments: StoreKind.allCases)
    func kinds(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let filter = RecordFilter<Player>.condition(.compare(.property("name"), .less, .constant(.integer(1))))
        let error = try persistenceError {
            _ = try stack.background.performAndWait { try $0.fetchRecords(FetchRequest(filter)).count }
        }
        #expect("\(error)" == "Player: a string and a whole number cannot be compared")
    }

    private enum Color: Codable, Hashable, Sendable {
        case red
    }
}
