/// The information about a file that was collected while its records were read.
///
/// They become a part of ``ImportSummary/File``.
struct FileFindings {
    var ignoredColumns: [String] = []
    var recognized: [String] = []
    var repairs: [String] = []
    var notes: [String] = []
    var roundedDates = 0
    var changedCells: [ImportSummary.ChangedCells] = []
}
