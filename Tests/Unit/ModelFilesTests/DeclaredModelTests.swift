import Foundation
import StrataModelFiles
import StrataPersistence
import Testing

/// A record type with every declaration that a model file can contain.
private struct Member: PersistentRecord {
    let id: RecordID<Member>
    var card: String
    var mail: String?
    var since: Day?
    var sponsor: RecordID<Member>?

    static var friends: ToMany<Member, Member> { ToMany("friends", to: "Member", inverse: "friends") }

    static let entity = RecordEntity<Member>(
        "Member", id: \.id,
        [
            .attribute("card", \.card, isUnique: true).external("card no.").titled("The card", "With its dash."),
            .attribute("mail", \.mail).external("e-mail").format(.email).renamed(from: "eMail", "address"),
            .attribute("since", \.since).external(
                nil, spelling: ExternalSpelling(missingValues: ["-"], dateFormat: "%d.%m.%Y")),
            .toOne("sponsor", \.sponsor, to: "Member").external(
                key: ExternalKey("card", column: "sponsor's card")),
            .relationship(friends).external(link: .list(ExternalList(column: "friends", property: "card"))),
        ],
        external: ExternalForm(name: "members", identifiers: .own, title: "Members")
    ) { row in
        Member(
            id: try row.id(), card: try row.next(), mail: try row.next(), since: try row.next(),
            sponsor: try row.next())
    }
}

@Suite("Record types equivalent to model files")
struct DeclaredModelTests {
    @Test("a record type and an equivalent model file produce the same model")
    func same() throws {
        let declared = try ManagedObjectModel(records: [Member.self])
        let file = try ModelFile(
            json: Array(
                """
                {"resources": [{"name": "members", "path": "members.csv", "title": "Members", "strata:name": "Member",
                    "schema": {"fields": [
                        {"name": "card no.", "strata:name": "card", "title": "The card", "description": "With its dash.",
                         "constraints": {"required": true, "unique": true}},
                        {"name": "e-mail", "strata:name": "mail", "format": "email",
                         "strata:renamedFrom": ["eMail", "address"]},
                        {"name": "since", "type": "date", "format": "%d.%m.%Y", "missingValues": ["-"]},
                        {"name": "sponsor's card", "type": "string"},
                        {"name": "friends", "type": "list"}],
                     "foreignKeys": [{"fields": ["sponsor's card"], "reference": {"fields": ["card no."]},
                        "strata:name": "sponsor", "strata:inverse": null}]},
                    "strata:links": [{"name": "friends", "resource": "members", "inverse": "friends", "field": "friends",
                        "key": "card no."}]}]}
                """.utf8), isStrict: true)
        #expect(ModelFile.differences(from: declared, to: file.model) == [])
        #expect(ModelFile.text(of: declared) == ModelFile.text(of: file.model))
        #expect(try ModelFile(json: Array(ModelFile.text(of: declared).utf8)).model.json() == declared.json())
    }

    private struct Wrong: PersistentRecord {
        let id: RecordID<Wrong>
        var count: Int
        static let entity = RecordEntity<Wrong>("Wrong", id: \.id, [.attribute("count", \.count).format(.year)]) {
            row in
            Wrong(id: try row.id(), count: try row.next())
        }
    }

    private struct Titled: PersistentRecord {
        let id: RecordID<Titled>
        var other: RecordID<Titled>?
        static let entity = RecordEntity<Titled>(
            "Titled", id: \.id, [.toOne("other", \.other, to: "Titled").titled("The other")]
        ) { row in
            Titled(id: try row.id(), other: try row.next())
        }
    }

    @Test("an option that a property cannot have is rejected when the model is created")
    func misuse() {
        let wrong = #expect(throws: PersistenceError.self) { try ManagedObjectModel(records: [Wrong.self]) }
        #expect(wrong?.attribute == "count")
        #expect(wrong?.message == "a form can be set only for text attributes without a rule of their own type")
        let titled = #expect(throws: PersistenceError.self) { try ManagedObjectModel(records: [Titled.self]) }
        #expect(titled?.code == .invalidModel && titled?.message == "a title can be set only for attributes")
    }
}
