public import StrataCore

/// Functions that compare the names at the beginning of a dataset with the entities of a model.
///
/// Use it to propose an entity to a user who did not name one.
///
/// ## Topics
///
/// ### Finding an entity
///
/// - ``nearest(to:in:reading:)``
/// - ``Nearest``
public enum NameSurvey {
    /// The entity that has most of a dataset's names.
    public struct Nearest: Sendable {
        /// The entity.
        public let entity: EntityDescription
        /// The count of names that the entity has.
        public let found: Int
        /// The count of names in the dataset.
        public let count: Int
    }

    /// Returns the entity that has most names of a table's columns, or of the keys of a document's first record.
    ///
    /// If several entities have equally many names, the result is the one with the fewest other columns. Only the
    /// beginning of the dataset is read.
    ///
    /// The input is consumed; open another one for the import. If keys or values of a document are mapped to attributes
    /// by ``ReadingOptions/keyAttribute`` and ``ReadingOptions/valueAttribute``, the result is `nil`.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - model: The model.
    ///   - reading: The options for reading the dataset, with renamed and ignored columns.
    /// - Returns: The entity; `nil` if none has more than half of the names.
    /// - Throws: ``InterchangeError`` if the beginning cannot be read.
    /// - Complexity: O(*n*) in the names and the model's columns.
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
                // The entity has no attribute with a name that the caller mapped.
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
    ///   - reading: The options for reading the dataset.
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
