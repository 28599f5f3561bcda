package import Foundation
package import StrataPersistence

/// A small model with every delete rule, a unique attribute, a constant one, rules, and optional and mandatory
/// relationships.
package enum League {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Team.self, Player.self, Coach.self, Trophy.self, Fan.self])
    }
}

package struct TeamID: RecordIdentifier {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

package struct PlayerID: RecordIdentifier {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// A custom type over text: one capital letter.
package struct Grade: RawRepresentable, AttributeValue, Hashable, Codable {
    package let rawValue: String

    package init?(rawValue: String) {
        guard rawValue.utf8.count == 1, ("A"..."Z").contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    package static let best = Grade(uncheckedRawValue: "A")

    private init(uncheckedRawValue: String) { rawValue = uncheckedRawValue }
}

package struct Team: PersistentRecord, Hashable {
    package let id: TeamID
    package var name: String
    package var motto: String?
    package var points: Int

    package init(id: TeamID, name: String, motto: String? = nil, points: Int = 0) {
        self.id = id
        self.name = name
        self.motto = motto
        self.points = points
    }

    package static let entity = RecordEntity<Team>(
        "Team", id: \.id, rawID: \TeamID.rawValue,
        [
            .attribute("name", \.name, rules: [.minimumLength(1), .maximumLength(12)], isIndexed: true),
            .attribute("motto", \.motto),
            .attribute("points", \.points, default: .constant(.integer(0)), rules: [.minimum(.integer(0))]),
            .toMany("players", to: "Player", inverse: "team", deleteRule: .nullify),
            .toMany("coaches", to: "Coach", inverse: "team", deleteRule: .deny),
            .toMany("trophies", to: "Trophy", inverse: "team", deleteRule: .cascade),
            .toMany("fans", to: "Fan", inverse: "team", deleteRule: .noAction),
        ]
    ) { row in
        Team(id: try row.id(), name: try row.next(), motto: try row.next(), points: try row.next())
    }
}

package struct Player: PersistentRecord, Hashable {
    package let id: PlayerID
    package var name: String
    package var number: Int?
    package var salary: Decimal
    package var born: Date
    package var license: UUID
    package var grade: Grade
    package var isActive: Bool
    package var form: Double?
    package var team: TeamID?

    package init(
        id: PlayerID, name: String, number: Int? = nil, salary: Decimal = 0,
        born: Date = Date(timeIntervalSinceReferenceDate: 0),
        license: UUID = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), grade: Grade = .best,
        isActive: Bool = true, form: Double? = nil, team: TeamID? = nil
    ) {
        self.id = id
        self.name = name
        self.number = number
        self.salary = salary
        self.born = born
        self.license = license
        self.grade = grade
        self.isActive = isActive
        self.form = form
        self.team = team
    }

    package static let entity = RecordEntity<Player>(
        "Player", id: \.id, rawID: \PlayerID.rawValue,
        [
            .attribute("name", \.name, rules: [.pattern("[A-Z][a-z]*")]),
            .attribute("number", \.number, isUnique: true),
            .attribute("salary", \.salary, scale: 2, rules: [.minimum(.integer(0))]),
            .attribute("born", \.born, isImmutable: true),
            .attribute("license", \.license),
            .attribute("grade", \.grade, raw: \Grade.rawValue),
            .attribute("isActive", \.isActive),
            .attribute("form", \.form),
            .toOne("team", \.team, raw: \TeamID.rawValue, to: "Team", inverse: "players"),
        ]
    ) { row in
        Player(
            id: try row.id(), name: try row.next(), number: try row.next(), salary: try row.next(),
            born: try row.next(),
            license: try row.next(), grade: try row.next(), isActive: try row.next(), form: try row.next(),
            team: try row.next())
    }
}

package struct Coach: PersistentRecord, Hashable {
    package let id: PlayerID
    package var name: String
    package var team: TeamID

    package init(id: PlayerID, name: String, team: TeamID) {
        self.id = id
        self.name = name
        self.team = team
    }

    package static let entity = RecordEntity<Coach>(
        "Coach", id: \.id,
        [.attribute("name", \.name), .toOne("team", \.team, to: "Team", inverse: "coaches")]
    ) { row in
        Coach(id: try row.id(), name: try row.next(), team: try row.next())
    }
}

package struct Trophy: PersistentRecord, Hashable {
    package let id: PlayerID
    package var title: String
    package var team: TeamID

    package init(id: PlayerID, title: String, team: TeamID) {
        self.id = id
        self.title = title
        self.team = team
    }

    package static let entity = RecordEntity<Trophy>(
        "Trophy", id: \.id,
        [.attribute("title", \.title), .toOne("team", \.team, to: "Team", inverse: "trophies")]
    ) { row in
        Trophy(id: try row.id(), title: try row.next(), team: try row.next())
    }
}

package struct Fan: PersistentRecord, Hashable {
    package let id: PlayerID
    package var name: String
    package var team: TeamID?

    package init(id: PlayerID, name: String, team: TeamID? = nil) {
        self.id = id
        self.name = name
        self.team = team
    }

    package static let entity = RecordEntity<Fan>(
        "Fan", id: \.id,
        [.attribute("name", \.name), .toOne("team", \.team, to: "Team", inverse: "fans")]
    ) { row in
        Fan(id: try row.id(), name: try row.next(), team: try row.next())
    }
}

extension StoreKind {
    /// Returns a stack over the league's model.
    package func league(mainQueue: PersistentContainer.MainQueue = .private) throws -> TestStack {
        try stack(try League.model(), mainQueue: mainQueue)
    }
}

extension TestStack {
    /// Saves a team in a context of its own, which is then released.
    @discardableResult
    package func team(_ name: String, motto: String? = nil, points: Int = 0) throws -> Team {
        try container.newBackgroundContext(name: "setup").performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: name, motto: motto, points: points) }
            try context.save()
            return team.record
        }
    }

    /// Saves a player in a context of its own, which is then released.
    @discardableResult
    package func player(_ name: String, number: Int? = nil, salary: Decimal = 0, team: TeamID? = nil) throws -> Player {
        try container.newBackgroundContext(name: "setup").performAndWait { context in
            let player = try context.insert(Player.self) {
                Player(id: $0, name: name, number: number, salary: salary, team: team)
            }
            try context.save()
            return player.record
        }
    }

    /// Returns the stored records, bypassing every context.
    package func stored<Record: PersistentRecord>(_ type: Record.Type = Record.self) throws -> [Record] {
        try container.newBackgroundContext(name: "check").performAndWait { try $0.fetchRecords(FetchRequest<Record>()) }
    }
}
