public import StrataDomain
public import StrataPersistence

extension Boss: PersistentRecord {
    /// The relationship to the boss's employees.
    public static var employees: ToMany<Boss, Employee> { ToMany("employees", to: "Employee", inverse: "boss") }

    /// The entity of bosses: `firstName`, `lastName`, and the employees.
    ///
    /// If a boss is deleted, the `boss` of the employees becomes null.
    public static let entity = RecordEntity<Boss>(
        "Boss", id: \.id, rawID: \Boss.ID.rawValue,
        [
            .attribute("firstName", \.firstName),
            .attribute("lastName", \.lastName),
            .relationship(employees),
        ], rules: .model
    ) { row in
        try Boss(id: row.id(), firstName: row.next(), lastName: row.next())
    }
}

extension Managed: BossRecord where Record == Boss {
    /// The first name of the boss.
    public var firstName: String { record.firstName }
    /// The last name of the boss.
    public var lastName: String { record.lastName }
}
