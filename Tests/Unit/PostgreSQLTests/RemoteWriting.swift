#if PostgreSQL
import StrataPersistence
import StrataStoreKit
import Testing

extension RemoteChangeTests {
    /// The ways in which a container writes, each with the entities that other containers are notified of.
    enum Writing: String, CaseIterable, Sendable {
        case save, context, deletion, pairs, batchUpdate, batchDelete, bulk, bulkPairs, transaction

        var entities: Set<String> {
            switch self {
            case .save, .context, .batchUpdate, .batchDelete, .bulk: ["Account"]
            case .deletion, .pairs, .bulkPairs: ["Note", "Tag"]
            case .transaction: ["Account", "Note"]
            }
        }

        func write(_ container: PersistentContainer) throws {
            let store = container.coordinator.store
            switch self {
            case .save: try RemoteChangeTests.insert("Account", 100...100, container)
            case .context:
                let accounts = try container.model.dynamicEntity("Account")
                let name = try accounts.attribute("name", as: String.self)
                let balance = try accounts.attribute("balance", as: Int64.self)
                try container.newBackgroundContext().performAndWait { context in
                    try context.transaction { unit in
                        _ = try unit.insert(into: accounts) { id in
                            try DynamicRecord(accounts, id: id, [.set(name, to: "a"), .set(balance, to: 1)])
                        }
                    }
                }
            case .deletion:
                let version = try #require(try store.rows(StoreRequest("Note")).first).version
                var changes = ChangeSet()
                changes["Note"].deletions = [.init(id: 1, expectedVersion: version)]
                #expect(try store.save(changes).isEmpty)
            case .pairs:
                var changes = ChangeSet()
                var pairs = JoinChanges()
                pairs.added = [JoinRow(JoinPair(source: 1, target: 1))]
                changes.joins["Note_tags"] = pairs
                #expect(try store.save(changes).isEmpty)
            case .batchUpdate:
                let result = try container.batchUpdate("Account", set: ["balance": .constant(.integer(0))])
                #expect(result.selectedCount == 3)
            case .batchDelete:
                let result = try container.batchDelete(
                    "Account", where: .compare(.property("balance"), .less, .constant(.integer(3))))
                #expect(result.selectedCount == 2)
            case .bulk:
                let count = try container.batchInsert(into: "Account") { inserter in
                    for row in 1...2_000 {
                        try inserter.insert(
                            values: [.string("row \(row)"), .integer(0)], location: RowLocation(line: row, record: row))
                    }
                }
                #expect(count == 2_000)
            case .bulkPairs:
                try store.writeRows { writer in
                    try writer.insert(
                        JoinRow(JoinPair(source: 1, target: 1)), of: "Note_tags",
                        location: RowLocation(line: 1, record: 1))
                }
            case .transaction:
                try store.transaction { transaction in
                    let rows: [String: [StoredValue]] = [
                        "Account": [.string("t"), .integer(1)], "Note": [.string("t")],
                    ]
                    for (entity, values) in rows {
                        var changes = ChangeSet()
                        changes[entity].insertions = [.init(id: 50, values: values)]
                        let conflicts = try transaction.save(changes)
                        #expect(conflicts.isEmpty)
                    }
                    return .commit
                }
            }
        }
    }
}
#endif
