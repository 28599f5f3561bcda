import StrataCore
import StrataStoreKit

extension DatasetShape {
    /// Returns the problems of the references in the last record of a block.
    ///
    /// This function checks the record only; whether the referenced objects exist is checked when the record is stored.
    func problems(ofLastRow block: RowBlock) -> [ValidationFailure] {
        let row = block.count - 1
        var failures: [ValidationFailure] = []
        func fail(_ column: Int, _ reason: String) {
            failures.append(
                ValidationFailure(
                    entity: entity.name, id: block.id(ofRow: row) ?? 0, attribute: external.columns[column].name,
                    value: block.value(row: row, column: column) ?? .null, rule: .custom(reason)))
        }
        for reference in references where reference.sources.count > 1 {
            let missing = reference.sources.filter { block.value(row: row, column: $0)?.isNull ?? true }
            guard let first = missing.first, missing.count < reference.sources.count else { continue }
            let names = reference.sources.map { external.columns[$0].externalName }.joined(separator: ", ")
            fail(
                first,
                "is null, but \(names) identify one object together: either all or none of them must have values")
        }
        for list in lists {
            guard case .string(let text) = block.value(row: row, column: list.source), !text.isEmpty else { continue }
            do throws(InvalidText) { _ = try ListText.elements(text, list) } catch { fail(list.source, error.reason) }
        }
        return failures
    }
}
