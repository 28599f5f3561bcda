import Foundation
import StrataPersistence

/// A small model with every delete rule, a unique attribute, a constant one, rules, and relationships optional and mandatory.
enum League {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Team.self, Player.self, Coach.self, Trophy.self, Fan.self])
    }
}

struct TeamID: RecordIdentifier {
    let rawValue: Int64

    init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

struct PlayerID: RecordIdentifier {
    let rawValue: Int64

    init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// A type of one's own over text: one capital letter.
struct Grade: RawRepresentable, AttributeValue, Hashable, Codable {
    let rawValue: String

    init?(rawValue: String) {
        guard rawValue.utf8.count == 1, ("A"..."Z").contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    static let best = Grade(uncheckedRawValue: "A")

    private init(uncheckedRawValue: String) { rawValue = uncheckedRawValue }
}

struct Team: PersistentRecord, Hashable {
    let id: TeamID
    var name: String
    var motto: String?
    var points: Int = 0

    static let entity = RecordEntity<Team>(
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

struct Player: PersistentRecord, Hashable {
    let id: PlayerID
    var name: String
    var number: Int?
    var salary: Decimal = 0
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var license = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    var grade: Grade = .best
    var isActive = true
    var form: Double?
    var team: TeamID?

    static let entity = RecordEntity<Player>(
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

struct Coach: PersistentRecord, Hashable {
    let id: PlayerID
    var name: String
    var team: TeamID

    static let entity = RecordEntity<Coach>(
        "Coach", id: \.id,
        [.attribute("name", \.name), .toOne("team", \.team, to: "Team", inverse: "coaches")]
    ) { row in
        Coach(id: try row.id(), name: try row.next(), team: try row.next())
    }
}

struct Trophy: PersistentRecord, Hashable {
    let id: PlayerID
    var title: String
    var team: TeamID

    static let entity = RecordEntity<Trophy>(
        "Trophy", id: \.id,
        [.attribute("title", \.title), .toOne("team", \.team, to: "Team", inverse: "trophies")]
    ) { row in
        Trophy(id: try row.id(), title: try row.next(), team: try row.next())
    }
}

struct Fan: PersistentRecord, Hashable {
    let id: PlayerID
    var name: String
    var team: TeamID?

    static let entity = RecordEntity<Fan>(
        "Fan", id: \.id,
        [.attribute("name", \.name), .toOne("team", \.team, to: "Team", inverse: "fans")]
    ) { row in
        Fan(id: try row.id(), name: try row.next(), team: try row.next())
    }
}

extension StoreKind {
    /// A stack over the league's model.
    func league(mainQueue: PersistentContainer.MainQueue = .private) throws -> TestStack {
        try stack(try League.model(), mainQueue: mainQueue)
    }
}

extension TestStack {
    /// Saves a team in a context of its own, which then goes.
    @discardableResult
    func team(_ name: String, motto: String? = nil, points: Int = 0) throws -> Team {
        try container.newBackgroundContext(name: "setup").performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: name, motto: motto, points: points) }
            try context.save()
            return team.record
        }
    }

    /// Saves a player in a context of its own, which then goes.
    @discardableResult
    func player(_ name: String, number: Int? = nil, salary: Decimal = 0, team: TeamID? = nil) throws -> Player {
        try container.newBackgroundContext(name: "setup").performAndWait { context in
            let player = try context.insert(Player.self) {
                Player(id: $0, name: name, number: number, salary: salary, team: team)
            }
            try context.save()
            return player.record
        }
    }

    /// What the store has, past every context.
    func stored<Record: PersistentRecord>(_ type: Record.Type = Record.self) throws -> [Record] {
        try container.newBackgroundContext(name: "check").performAndWait { try $0.fetchRecords(FetchRequest<Record>()) }
    }
}
