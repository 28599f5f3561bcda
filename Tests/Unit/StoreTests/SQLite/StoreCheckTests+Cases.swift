import Testing

extension StoreCheckTests {
    /// A change by another program, the faults that it causes, and the repairs.
    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let faults: [String]
        var repairs: [String] = []
        /// The faults that remain after the repair.
        var left: [String]?
        var testDescription: String { sql }
    }

    /// Recreates a table without the constraints that would prevent damaging it.
    private static let looseMembers = """
        CREATE TABLE loose ("id" INTEGER PRIMARY KEY, "_version" INTEGER, "rank", "isActive" INTEGER, "club" INTEGER); \
        INSERT INTO loose SELECT * FROM Member; DROP TABLE Member; ALTER TABLE loose RENAME TO "Member"; \
        CREATE INDEX "Member_club" ON "Member" ("club");
        """
    private static let looseSchema = [
        "Member _version: the column is “INTEGER”, but should be “INTEGER NOT NULL”",
        "Member isActive: the column is “INTEGER”, but should be “INTEGER NOT NULL”",
        "Member rank: the column is “”, but should be “INTEGER NOT NULL”",
        "Member: options of the table Member differ from the model",
        "Member club: the database does not enforce its references to Club",
    ]

    static let cases = [
        Case(sql: "UPDATE Club SET name = '' WHERE id = 2", faults: ["Club 2 name: is shorter than 1"]),
        Case(
            sql: "UPDATE Member SET rank = 40000 WHERE id = 2",
            faults: ["Member 2 rank: the value is not of type integer16"]
        ),
        Case(
            sql: "UPDATE Member SET isActive = 2 WHERE id = 2",
            faults: ["Member 2 isActive: the value is not of type boolean"]),
        Case(
            sql: "UPDATE Member SET rank = 13 WHERE id = 3",
            faults: ["Member 3: the initializer of the record type rejects the row"]),
        // Dates are stored in nanoseconds.
        Case(
            sql: "UPDATE Club SET founded = 0.12345678912345 WHERE id = 2",
            faults: ["Club 2 founded: is not in the form in which values of its type are stored"]),
        // A value that cannot be examined further is reported once.
        Case(
            sql: "INSERT INTO Club VALUES (-5, 1, 'Golf', NULL)",
            faults: ["Club -5 id: is not an identifier (1 to 9007199254740991)"]),
        Case(
            sql: "DROP INDEX Club_founded; ALTER TABLE Club DROP COLUMN founded",
            faults: ["Club founded: the column is missing", "Club: the index Club_founded is missing"]),
        Case(
            sql: "UPDATE Member SET id = 0 WHERE id = 3",
            faults: ["Member 0 id: is not an identifier (1 to 9007199254740991)"]),
        Case(
            sql: "UPDATE Member SET club = 9 WHERE id = 1; UPDATE Member SET club = -1 WHERE id = 3",
            faults: [
                "Member 3 club: is not an identifier (1 to 9007199254740991)",
                "Club 2 members: is below the minimum count of 1",
                "Member 1 club: refers to Club 9, which does not exist",
            ]),
        Case(
            sql: "UPDATE Member SET club = 1",
            faults: [
                "Club 1 members: is above the maximum count of 2", "Club 2 members: is below the minimum count of 1",
            ]),
        Case(
            sql: "DELETE FROM Badge WHERE id = 2",
            faults: ["Club 1 badges: refers to Badge 2, which does not exist"]),
        Case(
            sql: "INSERT INTO Club_badges VALUES (7, 1)",
            faults: ["Club 7 badges: Club 7, which has a join row with 1, does not exist"]),
        Case(
            sql: "DROP INDEX Member_club; CREATE INDEX extra ON Club (name); DROP INDEX Club_founded; "
                + "CREATE INDEX Club_founded ON Club (founded DESC)",
            faults: [
                "Club: the index Club_founded is different from the model's",
                "Member: the index Member_club is missing",
            ],
            repairs: [
                "rebuilt the index Club_founded of Club",
                "rebuilt the index Member_club of Member",
            ], left: []),
        Case(
            sql:
                "UPDATE strata_sequence SET next = 2 WHERE entity = 'Club'; DELETE FROM strata_sequence WHERE entity = 'Badge'; "
                + "UPDATE strata_sequence SET next = -9 WHERE entity = 'Member'; INSERT INTO strata_sequence VALUES ('Bagde', 3)",
            faults: [
                "store: there is a next identifier of “Bagde”, which is not an entity",
                "Club: the next identifier, 2, is already in use; the greatest identifier is 2",
                "Member: the next identifier, -9, is not an identifier; the greatest identifier is 3",
                "Badge: the next identifier is missing; the greatest identifier is 2",
            ],
            repairs: [
                "removed the next identifier of “Bagde”", "set the next identifier of Badge to 3",
                "set the next identifier of Club to 3", "set the next identifier of Member to 4",
            ], left: []),
        // The number after the last identifier means that no identifier is left.
        Case(sql: "UPDATE strata_sequence SET next = 9007199254740992 WHERE entity = 'Member'", faults: []),
        Case(
            sql: "UPDATE strata_sequence SET next = 9007199254740993 WHERE entity = 'Member'",
            faults: [
                "Member: the next identifier, 9007199254740993, is not an identifier; the greatest identifier is 3"
            ],
            repairs: ["set the next identifier of Member to 4"], left: []),
        // The other program's table accepts values that the store's own table rejects.
        Case(
            sql: "DROP TABLE strata_sequence; CREATE TABLE strata_sequence (entity TEXT PRIMARY KEY, next); "
                + "INSERT INTO strata_sequence VALUES ('Badge', 3), ('Club', 7.5), ('Member', 4)",
            faults: ["Club: the next identifier, 7, is not an identifier; the greatest identifier is 2"],
            repairs: ["set the next identifier of Club to 3"], left: []),
        Case(
            sql: "DROP TABLE strata_sequence",
            faults: ["store: the table strata_sequence, which has the next identifiers, is missing"],
            repairs: ["rebuilt the table of next identifiers"], left: []),
        Case(
            sql:
                "DELETE FROM strata_metadata WHERE key = 'uuid'; UPDATE strata_metadata SET value = 'x' WHERE key = 'hash.Club'; "
                + "PRAGMA user_version = 0",
            faults: [
                "store: the number of the store's format is wrong", "store: the store has no identifier",
                "Club: the digest of the entity is missing or wrong",
            ],
            repairs: [
                "rebuilt “hash.Club” of the store's metadata",
                "rebuilt “uuid” of the store's metadata", "set the number of the store's format",
            ], left: []),
        Case(sql: looseMembers, faults: looseSchema),
        Case(
            sql: """
                CREATE TABLE other ("id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "rank" INTEGER NOT NULL \
                REFERENCES Badge, "isActive" INTEGER NOT NULL, "club" INTEGER UNIQUE REFERENCES Club DEFERRABLE \
                INITIALLY DEFERRED) STRICT; UPDATE Member SET rank = 1, club = NULL WHERE id > 1; UPDATE Member SET rank = 2; \
                INSERT INTO other SELECT * FROM Member; DROP TABLE Member; ALTER TABLE other RENAME TO "Member"; \
                CREATE INDEX "Member_club" ON "Member" ("club");
                """,
            faults: [
                "Club 2 members: is below the minimum count of 1",
                "Member rank: the database enforces references to Badge that the model does not declare",
                "Member: the index sqlite_autoindex_Member_1 enforces a uniqueness that the model does not declare",
            ]),
        Case(
            sql: looseMembers + "UPDATE Member SET rank = NULL, isActive = NULL WHERE id = 1; "
                + "UPDATE Member SET rank = 'x', _version = NULL WHERE id = 2; UPDATE Member SET rank = x'00' WHERE id = 3",
            faults: looseSchema + [
                "Member 1 rank: is mandatory, null is not allowed",
                "Member 1 isActive: is mandatory, null is not allowed", "Member 2 _version: is not a whole number",
                "Member 2 rank: the value is not of type integer16",
                "Member 3 rank: the value is not of type integer16",
            ]),
        Case(
            sql: "ALTER TABLE strata_metadata RENAME COLUMN key TO Key",
            faults: ["store: the table strata_metadata does not have the expected columns"]),
        Case(sql: "DROP TABLE Badge", faults: ["Badge: the table Badge is missing"]),
        Case(
            sql: "DROP TABLE Badge; UPDATE strata_sequence SET next = 0 WHERE entity = 'Badge'",
            faults: [
                "Badge: the table Badge is missing",
                "Badge: the next identifier, 0, is not an identifier; the greatest identifier is not known",
            ]),
    ]
}
