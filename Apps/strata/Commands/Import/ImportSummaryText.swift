import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The result of an import as text for the user, with one line for each dataset.
struct ImportSummaryText {
    /// The maximum number of ignored columns that are listed.
    private static let mostNames = 20

    private let summary: ImportSummary
    private let sources: [ImportSource]
    private let store: String?
    private let isDryRun: Bool
    private let job: JobArguments

    init(
        _ summary: ImportSummary, sources: [ImportSource], store: String?, isDryRun: Bool, job: JobArguments
    ) {
        self.summary = summary
        self.sources = sources
        self.store = store
        self.isDryRun = isDryRun
        self.job = job
    }

    /// Prints the summary; a quiet import prints it only if an error requires it.
    func print(_ rejects: RejectsFiles?, isNeeded: Bool = false) {
        guard !job.isQuiet || isNeeded else { return }
        for file in summary.files {
            note(file)
            Console.note(line(file))
        }
        if let rejects, rejects.count > 0 { Console.note("the rejected records are in \(rejects.path)") }
    }

    private func note(_ file: ImportSummary.File) {
        let name = Self.name(of: file)
        if !file.ignoredColumns.isEmpty {
            let shown = file.ignoredColumns.prefix(Self.mostNames).joined(separator: ", ")
            let more = file.ignoredColumns.count > Self.mostNames ? " and others" : ""
            Console.note("ignored columns: \(shown)\(more)")
        }
        // The comma is the default, so it is printed only with `--verbose`.
        for fact in file.recognized where job.isVerbose || fact != "fields separated by commas" {
            Console.note("\(name): recognized \(fact)")
        }
        for fact in file.notes { Console.note("\(name): \(fact)") }
        for fact in file.repairs { Console.note("\(name): repaired: \(fact)") }
        for cells in file.changedCells.prefix(Self.mostNames) { Console.note("\(name): \(Self.text(of: cells))") }
        if file.changedCells.count > Self.mostNames {
            Console.note("\(name): and other columns; use --report FILE to list all")
        }
    }

    private static func name(of file: ImportSummary.File) -> String {
        file.name.hasPrefix("<stdin>") ? "standard input" + file.name.dropFirst("<stdin>".count) : file.name
    }

    /// Returns a line about cells that an export will write differently.
    private static func text(of cells: ImportSummary.ChangedCells) -> String {
        let count = "\(cells.count) \(cells.count == 1 ? "cell" : "cells")"
        let first = "\(PrintableText.quoted(cells.text)) in line \(cells.line)"
        guard let written = cells.written else {
            return "column \(cells.column): \(count) read as null, first \(first)"
        }
        return "column \(cells.column): \(count) will be exported differently, first \(first) as "
            + PrintableText.quoted(written)
    }

    private func line(_ file: ImportSummary.File) -> String {
        let counts = file.counts
        let stored = counts.inserted + counts.updated
        var text = isDryRun ? "would import " : "imported "
        text += "\(stored) \(file.entity) \(stored == 1 ? "record" : "records")"
        var details: [String] = []
        if counts.updated > 0 { details.append("\(counts.updated) of them updated") }
        if counts.ignored > 0 { details.append("\(counts.ignored) ignored") }
        if file.rejected > 0 { details.append("\(file.rejected) rejected") }
        if counts.nulledReferences > 0 {
            let references = counts.nulledReferences == 1 ? "reference" : "references"
            let what = job.leavesReferencesUnchecked ? "not checked" : "made null"
            details.append("\(counts.nulledReferences) \(references) \(what)")
        }
        if counts.droppedPairs > 0 {
            let pairs = counts.droppedPairs == 1 ? "link" : "links"
            let what = job.leavesReferencesUnchecked ? "not checked" : "dropped, because their rows do not exist"
            details.append("\(counts.droppedPairs) \(pairs) \(what)")
        }
        if file.roundedDates > 0 {
            details.append("\(file.roundedDates) \(file.roundedDates == 1 ? "date" : "dates") rounded")
        }
        if file.resumed > 0 {
            let rejected = file.rejectedBefore > 0 ? ", \(file.rejectedBefore) of them rejected" : ""
            details.append("after \(file.resumed) that an earlier run imported\(rejected)")
        }
        if !details.isEmpty { text += " (\(details.joined(separator: ", ")))" }
        text += " from \(Self.name(of: file))"
        return store.map { "\(text) into \($0)" } ?? text
    }
}
