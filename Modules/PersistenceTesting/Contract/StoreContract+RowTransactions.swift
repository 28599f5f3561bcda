import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of bulk rows of several entities, their join rows and metadata, in one transaction.
    ///
    /// A store must:
    ///
    /// - accept rows of several entities in any order, with references in both directions, and check them at the end
    /// - accept join rows before the rows that they join
    /// - report a dangling join row with its location, including the number of its input
    /// - drop the join rows of rejected rows
    /// - check references on request during the transaction, and treat rejected rows as missing afterwards
    /// - let the closure read the rows as they would be stored, while other readers see the state before the
    ///   transaction
    /// - commit and roll back metadata together with the rows
    /// - reject a reader that is used after its transaction
    static var rowTransactions: [Check] {
        [
            Check("bulk rows of several entities may be inserted in any order and reference each other") { probe in
                try probe.store.writeRows { writer in
                    let people = try writer.inserter(of: "Person", InsertOptions())
                    let departments = try writer.inserter(of: "Department", InsertOptions())
                    let head = try probe.values("Person", ["name": .string("h"), "department": .integer(1)])
                    try people.insert(id: 7, values: head, location: RowLocation(line: 1, record: 1))
                    let department = try probe.values("Department", ["name": .string("d"), "head": .integer(7)])
                    try departments.insert(
                        id: 1, values: department, location: RowLocation(source: 1, line: 1, record: 1))
                }
                probe.expectEqual(try probe.ids("Person"), [7], "the people")
                probe.expectEqual(try probe.column("Department", "head"), [.integer(7)], "the heads")
            },
            Check("join rows are inserted with bulk rows, and a dangling one is reported with its location") { probe in
                let place = RowLocation(source: 2, line: 5, record: 4)
                try probe.insert("Tag", [(1, [:])])
                try probe.store.writeRows { writer in
                    try writer.insert(JoinRow(JoinPair(source: 3, target: 1)), of: "Article_tags", location: place)
                    let articles = try writer.inserter(of: "Article", InsertOptions())
                    try articles.insert(id: 3, values: try probe.values("Article", [:]), location: place)
                }
                let request = JoinRequest("Article_tags")
                probe.expectEqual(
                    try probe.store.joins(request).map(\.pair), [JoinPair(source: 3, target: 1)], "the pairs")
                let error = probe.expectError(.danglingReference, "a tag that does not exist") {
                    try probe.store.writeRows { writer in
                        try writer.insert(JoinRow(JoinPair(source: 3, target: 9)), of: "Article_tags", location: place)
                    }
                }
                probe.expectEqual(error?.location, place, "the location")
                probe.expectEqual(try probe.store.joins(request).count, 1, "the pairs after the failure")
            },
            Check("join rows with a rejected bulk row at either end are dropped") { probe in
                let place = RowLocation(line: 1, record: 1)
                try probe.store.writeRows { writer in
                    let options = InsertOptions(onMissingReference: .reject) { _ in }
                    let people = try writer.inserter(of: "Person", options)
                    for (id, department) in [(1, nil), (2, 99), (3, nil)] as [(Int64, Int64?)] {
                        let values = try probe.values(
                            "Person", ["department": department.map(StoredValue.integer) ?? .null])
                        try people.insert(id: id, values: values, location: place)
                    }
                    for (source, target) in [(1, 2), (2, 3), (3, 1)] as [(Int64, Int64)] {
                        try writer.insert(
                            JoinRow(JoinPair(source: source, target: target)), of: "Person_follows", location: place)
                    }
                }
                probe.expectEqual(try probe.ids("Person"), [1, 3], "the people")
                probe.expectEqual(try probe.pairs("Person_follows"), ["3-1"], "the pairs")
            },
            Check("bulk rows inserted after a check cannot reference a row that the check rejected") { probe in
                var inserter: (any RowInserter)?
                try probe.store.writeRows { writer in
                    let options = InsertOptions(onMissingReference: .reject) { _ in }
                    let nodes = try writer.inserter(of: "Node", options)
                    inserter = nodes
                    for (id, parent) in [(1, 99), (2, 1), (3, 1)] as [(Int64, Int64)] {
                        try nodes.insert(
                            id: id, values: try probe.values("Node", ["parent": .integer(parent)]),
                            location: RowLocation(line: Int(id), record: Int(id)))
                        try writer.checkReferences()
                    }
                }
                probe.expectEqual(inserter?.counts.rejected, 3, "the rejected rows")
                probe.expectEqual(try probe.ids("Node"), [], "the rows")
            },
            Check("the references of bulk rows can be checked before the end of the transaction") { probe in
                let error = probe.expectError(.danglingReference, "a parent that does not exist") {
                    try probe.store.writeRows { writer in
                        let nodes = try writer.inserter(of: "Node", InsertOptions())
                        let values = try probe.values("Node", ["parent": .integer(9)])
                        try nodes.insert(id: 1, values: values, location: RowLocation(line: 1, record: 1))
                        try writer.checkReferences()
                        throw ValueError("the end")
                    }
                }
                probe.expectEqual(error?.value, "9", "the value")
            },
            Check("bulk rows can be read before the end of the transaction as they would be stored") { probe in
                let place = RowLocation(line: 1, record: 1)
                try probe.insert("Node", [(1, ["title": .string("old")])])
                try probe.insert("Tag", [(1, [:])])
                var kept: (any StoreReader)?
                do {
                    try probe.store.writeRows { writer in
                        let nodes = try writer.inserter(of: "Node", InsertOptions(onConflict: .update))
                        let child = try probe.values("Node", ["parent": .integer(1)])
                        try nodes.insert(id: 2, values: child, location: place)
                        try nodes.insert(
                            id: 1, values: try probe.values("Node", ["title": .string("new")]), location: place)
                        let articles = try writer.inserter(of: "Article", InsertOptions())
                        try articles.insert(id: 3, values: try probe.values("Article", [:]), location: place)
                        try writer.insert(
                            JoinRow(JoinPair(source: 3, target: 1)), of: "Article_tags", location: place)
                        try writer.checkReferences()
                        try writer.read { reader in
                            kept = reader
                            let isChild = FetchCondition.compare(.property("parent"), .equal, .constant(.integer(1)))
                            probe.expectEqual(try reader.rows(StoreRequest("Node")).map(\.id), [1, 2], "the nodes")
                            probe.expectEqual(try reader.count(StoreRequest("Node", where: isChild)), 1, "the children")
                            let parents = StoreRequest("Node", where: .related("children", .constant(true)))
                            let titles = try reader.rows(parents).map(\.values[0])
                            probe.expectEqual(titles, [.string("new")], "the parents' titles")
                            let pairs = try reader.joins(JoinRequest("Article_tags", of: .target, ids: [1]))
                            probe.expectEqual(pairs.map(\.pair), [JoinPair(source: 3, target: 1)], "the pairs")
                        }
                        try nodes.insert(id: 4, values: child, location: place)
                        try writer.read { probe.expectEqual(try $0.count(StoreRequest("Node")), 3, "with one more") }
                        probe.expectEqual(try probe.ids("Node"), [1], "what others see")
                        throw ValueError("enough")
                    }
                } catch is ValueError {}
                probe.expectEqual(try probe.ids("Node"), [1], "after a failure")
                probe.expectError(.invalidRequest, "reading after the end") {
                    _ = try kept?.count(StoreRequest("Node"))
                }
            },
            Check("metadata is stored with the bulk rows of its transaction, or not at all") { probe in
                probe.expectEqual(try probe.store.metadata(forKey: "k"), nil, "before")
                try probe.store.writeRows { try $0.setMetadata("1", forKey: "k") }
                probe.expectEqual(try probe.store.metadata(forKey: "k"), "1", "after")
                do {
                    try probe.store.writeRows { writer in
                        try writer.setMetadata("2", forKey: "k")
                        throw ValueError("enough")
                    }
                } catch is ValueError {}
                probe.expectEqual(try probe.store.metadata(forKey: "k"), "1", "after a failure")
                try probe.store.writeRows { try $0.setMetadata(nil, forKey: "k") }
                probe.expectEqual(try probe.store.metadata(forKey: "k"), nil, "after removing it")
            },
        ]
    }
}
