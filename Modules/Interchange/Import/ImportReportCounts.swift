import StrataCore
import StrataStoreKit

/// The counts of one dataset, or of all, in the form of a report.
///
/// The names of the properties are the keys of the report, which other programs read; do not rename them.
struct ImportReportCounts: Encodable {
    var source: String?
    var entity: String?
    var read = 0
    var inserted = 0
    var updated = 0
    var ignored = 0
    var rejected = 0
    var rejectedBefore = 0
    var resumed = 0
    var nulledReferences = 0
    var droppedPairs = 0
    var roundedDates = 0
    var bytes = 0
    var ignoredColumns: [String]?
    var recognized: [String]?
    var mended: [String]?
    var changedCells: [ImportSummary.ChangedCells]?

    init() {}

    init(_ file: ImportSummary.File) {
        source = file.name
        entity = file.entity
        read = file.read
        inserted = file.counts.inserted
        updated = file.counts.updated
        ignored = file.counts.ignored
        rejected = file.rejected
        rejectedBefore = file.rejectedBefore
        resumed = file.resumed
        nulledReferences = file.counts.nulledReferences
        droppedPairs = file.counts.droppedPairs
        roundedDates = file.roundedDates
        bytes = file.bytes
        ignoredColumns = file.ignoredColumns
        recognized = file.recognized
        mended = file.repairs
        changedCells = file.changedCells
    }

    mutating func add(_ other: ImportReportCounts) {
        read += other.read
        inserted += other.inserted
        updated += other.updated
        ignored += other.ignored
        rejected += other.rejected
        rejectedBefore += other.rejectedBefore
        resumed += other.resumed
        nulledReferences += other.nulledReferences
        droppedPairs += other.droppedPairs
        roundedDates += other.roundedDates
        bytes += other.bytes
    }
}
