/// What reading a file brought to light beside its records.
struct FileFindings {
    var ignoredColumns: [String] = []
    var recognized: [String] = []
    var mended: [String] = []
    var roundedDates = 0
    var changedCells: [ImportSummary.ChangedCells] = []
}
