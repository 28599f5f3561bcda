public import StrataCore

/// Compares the beginning of a dataset with the entities of a model.
public enum NameSurvey {
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
        let names =
            reading.format.isTable || (reading.keyAttribute == nil && reading.valueAttribute == nil)
            ? try self.names(of: input, reading: reading) : []
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

    /// Returns the names of a table's columns, or of the keys of a document's first records.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: How the dataset is read.
    ///   - records: The number of records of a document that are read.
    /// - Returns: The names, each once.
    /// - Throws: ``InterchangeError`` if the beginning cannot be read.
    package static func names(
        of input: ByteInput, reading: ReadingOptions, records: Int = 1
    ) throws(InterchangeError) -> [String] {
        if reading.format.isTable {
            return try CSVReader(input, dialect: reading.tableDialect, recordLimit: reading.maximumRecordBytes).header
        }
        var reader = try JSONRecordReader(
            input, layout: JSONRecordLayout(reading), recordLimit: reading.maximumRecordBytes,
            encoding: reading.encoding)
        var names: [String] = []
        var known = Set<String>()
        for _ in 0..<records {
            guard try reader.next() else { break }
            for member in 0..<reader.memberCount {
                let name = reader.key(ofMember: member)
                if known.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }
}
