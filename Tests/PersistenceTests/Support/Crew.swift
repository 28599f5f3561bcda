import StrataPersistence

/// A record that can be made of some rows only, although each of its values is right: a shift ends after it begins.
struct Shift: PersistentRecord, Hashable {
    struct Backwards: Error, CustomStringConvertible {
        let description = "a shift ends after it begins"
    }

    let id: PlayerID
    var start: Int
    var end: Int
    var note: String?
    var crew: TeamID?

    init(id: PlayerID, start: Int, end: Int, note: String? = nil, crew: TeamID? = nil) throws {
        guard start < end else { throw Backwards() }
        self.id = id
        self.start = start
        self.end = end
        self.note = note
        self.crew = crew
    }

    static let entity = RecordEntity<Shift>(
        "Shift", id: \.id,
        [
            .attribute("start", \.start), .attribute("end", \.end),
            .attribute("note", \.note, rules: [.maximumLength(3)]),
            .toOne("crew", \.crew, to: "Crew", inverse: "shifts"),
        ]
    ) { row in
        try Shift(id: row.id(), start: row.next(), end: row.next(), note: row.next(), crew: row.next())
    }
}

struct Crew: PersistentRecord, Hashable {
    let id: TeamID
    var name: String

    static let entity = RecordEntity<Crew>(
        "Crew", id: \.id,
        [.attribute("name", \.name), .toMany("shifts", to: "Shift", inverse: "crew", deleteRule: .nullify)]
    ) { row in
        Crew(id: try row.id(), name: try row.next())
    }

    static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: [Crew.self, Shift.self]) }
}
