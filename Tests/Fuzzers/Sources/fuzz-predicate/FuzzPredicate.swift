import FuzzSupport
import StrataPersistence
import StrataStoreKit

/// Reads an input as a predicate, a sort order and assignments, applies valid ones to both kinds of stores and compares
/// the results.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicate(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var choices = Choices(bytes, count)
    let entity = choices.choice(["Employee", "Boss", "Company"])
    let example = String(decoding: choices.rest(), as: UTF8.self)
    do {
        let text = try PredicateText(entity, in: Staff.stores.memory.model)
        attempt(example) { () throws(PredicateTextError) in
            compare(StoreRequest(entity, where: try text.condition(example)), example)
        }
        attempt(example) { () throws(PredicateTextError) in
            compare(StoreRequest(entity, sort: try text.sort(example)), example)
        }
        attempt(example) { () throws(PredicateTextError) in
            for assignment in try text.assignments(example) {
                check(assignment.column >= 1 && assignment.column <= example.count, "column of \(assignment)")
            }
        }
    } catch {
        fatalError("\(error)")
    }
    return 0
}

/// Runs a parser whose errors must have a position.
private func attempt(_ example: String, _ body: () throws(PredicateTextError) -> Void) {
    do throws(PredicateTextError) {
        try body()
    } catch {
        check(error.column >= 1 && error.column <= example.count + 1, "column \(error.column) of \(example.count)")
        check(error.length >= 1 && !error.message.isEmpty && !error.rendering.isEmpty, "\(error)")
    }
}

private func compare(_ request: StoreRequest, _ example: String) {
    var answers: [[Int64]?] = []
    var errors: [String] = []
    for store in [Staff.stores.memory, Staff.stores.sqlite] {
        do {
            answers.append(try store.rows(request).map(\.id))
        } catch {
            check(!"\(error)".contains("syntax"), "\(error) for \(example)")
            answers.append(nil)
            errors.append("\(error)")
        }
    }
    check(answers[0] == answers[1], "memory \(answers[0] ?? []), SQLite \(answers[1] ?? []): \(errors)")
}
