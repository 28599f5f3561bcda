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
            guard let (keys, line) = try keys(of: input, reading) else { return nil }
            let problems = plan.problems(of: .key, keys, ignoringUnknown: reading.leavesOutUnknown)
            guard !problems.isEmpty else { return nil }
            throw InterchangeError(problems, source: input.name, line: line)
        } catch {
            return error.nameFaults.isDisjoint(with: [.unknown, .missing]) ? nil : error
        }
    }

    /// An entity that has most of a dataset's names.
    public struct Nearest: Sendable {
        /// The entity.
        public let entity: EntityDescription
        /// How many of the names it has.
        public let found: Int
        /// How many names there are.
        public let count: Int
    }

    /// The entity that has most of the names of a table's columns, or of the keys of a document's first record; of several the one with the fewest others.
    ///
    /// Reads no further than that; linear in the names and the model's columns.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - model: The model.
    ///   - reading: How the dataset is read, with what is renamed and left out.
    /// - Returns: The entity; `nil` where none has more than half of the names.
    /// - Throws: ``InterchangeError`` where the beginning cannot be read.
    public static func nearest(
        to input: ByteInput, in model: ManagedObjectModel, reading: ReadingOptions
    ) throws(InterchangeError) -> Nearest? {
        let names: [String]
        if reading.format.isTable {
            names = try CSVReader(input, dialect: reading.tableDialect, recordLimit: reading.maximumRecordBytes).header
        } else {
            names = try keys(of: input, reading)?.names ?? []
        }
        var best: (nearest: Nearest, others: Int)?
        for entity in model.entities {
            let plan: ColumnPlan
            do throws(InterchangeError) {
                plan = try ColumnPlan(DatasetShape(entity, in: model), reading: reading)
            } catch  where error.code == .columns {
                // It lacks an attribute that somebody mapped.
                continue
            }
            let found = names.count { plan.target(of: $0) != nil }
            let others = plan.names.count - found
            guard found * 2 > names.count else { continue }
            if let best, (best.nearest.found, others) >= (found, best.others) { continue }
            best = (Nearest(entity: entity, found: found, count: names.count), others)
        }
        return best?.nearest
    }

    /// The keys of a document's first record, and its line; `nil` where there is none, or where somebody says which attribute they are.
    private static func keys(
        of input: ByteInput, _ reading: ReadingOptions
    ) throws(InterchangeError) -> (names: [String], line: Int)? {
        guard reading.keyAttribute == nil, reading.valueAttribute == nil else { return nil }
        let layout = JSONRecordLayout(reading.format == .ndjson ? .lines : .array, root: reading.root)
        var reader = try JSONRecordReader(
            input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
        guard try reader.next() else { return nil }
        var keys: [String] = []
        for member in 0..<reader.memberCount { keys.append(reader.key(ofMember: member)) }
        return (keys, reader.line)
    }
}
