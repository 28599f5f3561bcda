import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

/// One-to-one references by key whose counterpart is missing or is a later record.
///
/// A missing counterpart causes no conflict.
@Suite("One-to-one references by key")
struct CounterpartKeysTests {
    private static let missing = "code,to\na,NOPE\nb,NOPE\nc,a\n"

    @Test("two one-to-one references to the same missing key become null without a conflict")
    func nulled() throws {
        for action in [InsertOptions.ConflictAction.abort, .update, .ignore] {
            for (container, _) in try containers(try LinkModels.counterparts()) {
                let summary = try container.run([("A", .csv, Self.missing)]) {
                    $0.onMissingReference = .null
                    $0.onConflict = action
                }
                #expect(summary.files[0].counts.nulledReferences == 2 && summary.files[0].counts.inserted == 3)
                #expect(try container.exported("A", .csv) == "code,to\na,\nb,\nc,a\n")
            }
        }
    }

    @Test("the first of two records with a dangling reference ends the import, or both records are rejected")
    func refused() throws {
        for (container, _) in try containers(try LinkModels.counterparts()) {
            let error = try #require(throws: InterchangeError.self) { try container.run([("A", .csv, Self.missing)]) }
            let missing = "there is no A with code \"NOPE\", neither in the store nor in this import"
            #expect(error.description == "A.csv:2: record 1, column to: \(missing)")
            let problems = ProblemRecorder()
            _ = try container.run([("A", .csv, "code,to\na,NOPE\nb,NOPE\nc,\n")]) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            #expect(
                problems.errors == [
                    "A.csv:2: record 1, column to: \(missing)", "A.csv:3: record 2, column to: \(missing)",
                ])
        }
    }

    /// Enough records to store the first ones before the last one is read.
    private static let others = (0..<2_000).map { "o\($0),\n" }.joined()

    @Test("a second one-to-one reference to the same later record is a conflict for every missing-reference option")
    func conflicts() throws {
        let text = "code,to\nx,z\nw,z\nu,w\n\(Self.others)z,\n"
        for action in [InsertOptions.MissingReferenceAction.error, .null, .reject] {
            for (container, _) in try containers(try LinkModels.counterparts()) {
                let error = try #require(throws: InterchangeError.self) {
                    try container.run([("A", .csv, text)]) { $0.onMissingReference = action }
                }
                #expect(error.description.hasPrefix("A.csv:3: record 2, column to: "), "\(error)")
                #expect(error.code == .conflict && error.message.contains("already"), "\(error)")
                #expect(try container.coordinator.store.count(StoreRequest("A")) == 0)

                let problems = ProblemRecorder()
                _ = try container.run([("A", .csv, text)]) {
                    problems.attach(&$0)
                    $0.onMissingReference = action
                    $0.onError = .reject
                }
                #expect(problems.errors.first == error.description)
                // A reference to a rejected row is dangling.
                #expect(problems.originals == (action == .null ? ["w,z\n"] : ["w,z\n", "u,w\n"]))
                let rows = try container.exported("A", .csv).split(separator: "\n")
                #expect(rows.prefix(3) == (action == .null ? ["code,to", "x,z", "u,"] : ["code,to", "x,z", "o0,"]))
            }
        }
    }

    @Test("two updates that refer to the same one-to-one counterpart end the import without changes")
    func conflictingUpdates() throws {
        for (container, _) in try containers(try LinkModels.counterparts()) {
            _ = try container.run([("A", .csv, "code,to\nu,\nv,u\n")]) { _ in }
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("A", .csv, "code,to\nu,w\nv,w\n\(Self.others)w,\n")]) {
                    $0.onMissingReference = .null
                    $0.onConflict = .update
                }
            }
            #expect(
                error.code == .conflict && error.description.hasPrefix("A.csv:3: record 2, column to: "), "\(error)")
            #expect(try container.exported("A", .csv) == "code,to\nu,\nv,u\n")
        }
    }
}
