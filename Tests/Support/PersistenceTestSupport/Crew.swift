package import StrataPersistence

/// A shift, which ends after it begins: a record with valid single values may still be rejected.
package struct Shift: PersistentRecord, Hashable {
    package struct Backwards: Error, CustomStringConvertible {
        package let description = "a shift ends after it begins"
    }

    package let id: PlayerID
    package var start: Int
    package var end: Int
    package var note: String?
    package var crew: TeamID?

    package init(id: PlayerID, start: Int, end: Int, note: String? = nil, crew: TeamID? = nil) throws {
        guard start < end else { throw Backwards() }
        self.id = id
        self.start = start
        self.end = end
        self.note = note
        self.crew = crew
    }

    package static let entity = RecordEntity<Shift>(
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

package struct Crew: PersistentRecord, Hashable {
    package let id: TeamID
    package var name: String

    package init(id: TeamID, name: String) {
        self.id = id
        self.name = name
    }

    package static let entity = RecordEntity<Crew>(
        "Crew", id: \.id,
        [.attribute("name", \.name), .toMany("shifts", to: "Shift", inverse: "crew", deleteRule: .nullify)]
    ) { row in
        Crew(id: try row.id(), name: try row.next())
    }

    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Crew.self, Shift.self])
    }
}
