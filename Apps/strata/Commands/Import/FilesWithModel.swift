import StrataInterchange

/// The files that a command reads without changing a store, with their model, which is inferred if none is named.
struct FilesWithModel {
    /// The model, with its reasons if it was inferred.
    let opened: Models.Opened
    /// A Boolean value that indicates whether the model was inferred from the files.
    let isInferred: Bool
    /// The files, in the order in which they are read.
    let sources: [ImportSource]

    /// Finds the model and opens the files.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - job: The arguments of the import.
    ///   - permitsOtherDigits: A Boolean value that indicates whether numbers may get other digits than in the files.
    /// - Throws: ``UsageError`` for options that do not fit the files, and the errors of reading the files.
    init(_ arguments: ParsedArguments, _ job: JobArguments, permitsOtherDigits: Bool = false) throws {
        let package = try DataPackage.named(by: arguments)
        let documents = FlattenedDocuments()
        let inferred =
            try package == nil
            ? InferredImport.model(
                arguments, job, note: "no model was given: the model is inferred from the data", documents: documents,
                permitsOtherDigits: permitsOtherDigits)
            : nil
        isInferred = inferred != nil
        opened = try inferred ?? ModelOfData.model(arguments, package)
        var reading = try ReadingArguments(arguments, opened.model)
        if isInferred {
            reading.hasInferredSpellings = true
            reading.documents = documents
            reading.takesFilesAsTables = true
            reading.standardInputName = DatasetListing.standardInputName
        }
        sources = try reading.sources(arguments.positionals, package)
    }
}
