import StrataCore
import StrataStoreKit

/// A reader of the values of related rows at the end of to-one relationships, for many rows at once.
///
/// The reader runs one statement per block of rows and relationship. Related rows that are cached need no statement.
///
/// If several columns have paths with the same beginning, the related rows of the common part are looked up once.
struct RelatedValues {
    /// The maximum count of rows whose related rows are looked up together.
    static let blockSize = 1024

    private let columns: [ResolvedColumn]
    private let entity: EntityDescription
    private let navigator: RelationshipNavigator<RememberedRows>
    private let lists: [Int: ListedValues]
    /// The value that represents an empty list.
    private let none: StoredValue

    /// Creates a reader for columns of an entity; if `hasArrays` is `true`, lists are JSON arrays, and otherwise texts.
    init(
        _ columns: [ResolvedColumn], of entity: EntityDescription, in snapshot: any StoreSnapshot,
        hasArrays: Bool = false
    ) throws {
        self.columns = columns
        self.entity = entity
        navigator = RelationshipNavigator(RememberedRows(snapshot), keepsOrder: false)
        var lists: [Int: ListedValues] = [:]
        for (place, column) in columns.enumerated() {
            if case .list(let listed) = column.value {
                lists[place] = try ListedValues(listed, in: snapshot, isArray: hasArrays)
            }
        }
        self.lists = lists
        none = hasArrays ? .string("[]") : .null
    }

    /// Returns the values of the columns for each of the rows.
    ///
    /// - Returns: For each row, in the same order, the values of all columns.
    /// - Throws: ``InterchangeError/Code/invalidValue`` if a row references another one whose key is null;
    ///   `PersistenceError` if reading fails.
    func values(of rows: [StoredRow]) throws -> [[StoredValue]] {
        var results = Array(repeating: [StoredValue](), count: rows.count)
        var known: [[ResolvedColumn.Step]: [StoredRow?]] = [[]: rows]
        for (number, column) in columns.enumerated() {
            let ends = try follow(column.steps[...], &known)
            let texts = try lists[number]?.texts(of: rows.map(\.id)) ?? [:]
            for place in rows.indices {
                let value: StoredValue
                switch (ends[place], column.value) {
                case (nil, _): value = .null
                case (let row?, .id): value = .integer(row.id)
                case (let row?, .column(let index, _)): value = row.values[index]
                case (let row?, .list): value = texts[row.id].map(StoredValue.string) ?? none
                }
                if column.isKey, value.isNull { try checkNull(column, rows[place]) }
                results[place].append(value)
            }
        }
        return results
    }

    /// Throws an error if a value of a key is null although the row has a reference, because the reference would be
    /// lost.
    private func checkNull(_ column: ResolvedColumn, _ row: StoredRow) throws(InterchangeError) {
        guard let step = column.steps.first, !row.values[step.column].isNull else { return }
        throw InterchangeError(
            .invalidValue,
            message:
                "\(entity.name) \(row.id) refers to \(step.destination) \(row.values[step.column]), which has no value in "
                + "\(column.source), which identifies it in files; set the value, or export other columns")
    }

    /// Returns, for each row, the related row at the end of a path, or `nil`; `known` caches the results for shorter
    /// paths.
    private func follow(
        _ steps: ArraySlice<ResolvedColumn.Step>, _ known: inout [[ResolvedColumn.Step]: [StoredRow?]]
    ) throws -> [StoredRow?] {
        if let ends = known[Array(steps)] { return ends }
        guard let last = steps.last else { return [] }
        let owners = try follow(steps.dropLast(), &known)
        let ends = try navigator.destinations(of: owners, at: last.column, in: last.destination)
        known[Array(steps)] = ends
        return ends
    }
}

/// A cache of the rows of a snapshot that are looked up, because many rows may reference the same few rows.
///
/// Related rows are often few, such as departments of employees. If they are many, the bounded cache costs little
/// memory.
final class RememberedRows: RelationshipReader {
    /// The maximum count of cached rows of an entity; if the cache is full, it is cleared.
    private static let mostRemembered = 4096

    private let rows: StoreRows
    private var remembered: [String: [Int64: StoredRow]] = [:]

    init(_ snapshot: any StoreSnapshot) {
        rows = StoreRows(snapshot)
    }

    func objects(withIDs ids: [Int64], of entity: String) throws -> [StoredRow] {
        var known = remembered.removeValue(forKey: entity) ?? [:]
        var missing = ids.filter { known[$0] == nil }
        if !missing.isEmpty {
            if known.count + missing.count > Self.mostRemembered {
                known = [:]
                missing = ids
            }
            for row in try rows.objects(withIDs: missing, of: entity) { known[row.id] = row }
        }
        remembered[entity] = known
        return ids.compactMap { known[$0] }
    }

    func objects(_ request: StoreRequest) throws -> [StoredRow] { try rows.objects(request) }

    func joins(_ request: JoinRequest) throws -> [JoinRow] { try rows.joins(request) }
}

extension StoredRow {
    /// Creates a row with copies of all values of another row.
    init(copying row: RowReader, columns: Int) throws {
        self.init(id: row.rawID, version: row.version, values: try (0..<columns).map { try row.value(at: $0) })
    }
}
