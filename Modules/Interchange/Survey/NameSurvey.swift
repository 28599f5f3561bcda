public import StrataCore

/// Looks at a dataset's beginning to find out whether it is an entity's.
///
/// ```swift
/// let misfit = try NameSurvey.misfit(
///     of: .file(at: path), against: entity, in: model, reading: ReadingOptions(format: .csv))
/// if let misfit { print("\(path) is not \(entity.name)'s: \(misfit.message)") }
/// ```
public enum NameSurvey {
    /// What is wrong with the names of a table's columns, or of the keys of a document's first record, by an entity.
    ///
    /// Reads no further than that. What else is wrong with the beginning is no misfit: reading the dataset says it.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - entity: The entity.
    ///   - model: The entity's model.
    ///   - reading: How the dataset is read, with what is renamed and left out.
    /// - Returns: Which names no attribute has, and which attributes that are mandatory have none; `nil` where it fits.
    /// - Throws: ``InterchangeError`` where the options name attributes that there are not.
    public static func misfit(
        of input: ByteInput, against entity: EntityDescription, in model: ManagedObjectModel, reading: ReadingOptions
    ) throws(InterchangeError) -> InterchangeError? {
        let plan = try ColumnPlan(DatasetShape(entity, in: model), reading: reading)
        do throws(InterchangeError) {
            if reading.format.isTable {
                let decoding = RowDecoding(
                    0, plan: plan, options: ImportOptions(format: reading.format), reading: reading)
                _ = try CSVRecords(input, decoding: decoding, reading: reading)
                return nil
            }
            // Under which keys members stand is said by who names the attribute that they are.
            guard reading.keyAttribute == nil, reading.valueAttribute == nil else { return nil }
            let layout = JSONRecordLayout(reading.format == .ndjson ? .lines : .array, root: reading.root)
            var reader = try JSONRecordReader(
                input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
            guard try reader.next() else { return nil }
            var keys: [String] = []
            for member in 0..<reader.memberCount { keys.append(reader.key(ofMember: member)) }
            let problems = plan.problems(of: .key, keys, ignoringUnknown: reading.leavesOutUnknown)
            guard !problems.isEmpty else { return nil }
            throw InterchangeError(problems, source: input.name, line: reader.line)
        } catch {
            return error.nameFaults.isDisjoint(with: [.unknown, .missing]) ? nil : error
        }
    }
}
