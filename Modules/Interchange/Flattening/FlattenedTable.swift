/// One of the tables of a flattened document, in which no record contains another one.
///
/// Columns are known after the whole document was read, because any record may have a new member.
package struct FlattenedTable: Sendable {
    /// The table whose records contain the records of this table in an array.
    package struct Owner: Sendable {
        /// The index of the owner's table among the document's tables.
        package let table: Int
        /// The path of the array in the records of the owner's table.
        package let path: String
    }

    /// The name of the document; for the elements of an array, followed by the path of the array: `orders_items`.
    package let name: String
    /// The table and array that contain the records; `nil` for the document's own records.
    package let owner: Owner?
    /// The names of the members of all records, in the order in which they first occurred.
    package internal(set) var columns: [String] = []
    package internal(set) var records = 0
    var places: Set<String> = []
    /// The names of the values in parentheses, which may link records, that occur in the table's records.
    var links: Set<String> = []
    /// The columns that may be the key of the table.
    package private(set) var keys: [String] = []

    init(name: String, owner: Owner?) {
        (self.name, self.owner) = (name, owner)
    }

    /// Returns the name in the document of the column that has a name in the model.
    package func column(named name: String, _ reading: ReadingOptions) -> String {
        columns.first { (reading.mapping[$0] ?? $0) == name }
            ?? columns.first { NameMatching.isSame(reading.mapping[$0] ?? $0, name) } ?? name
    }

    mutating func add(_ column: String, mayBeKey: Bool) {
        columns.append(column)
        if mayBeKey { keys.append(column) }
    }
}

/// The columns by which the records of a flattened document's tables reference their owners.
///
/// Links are determined after the document was read, because the names of linking columns must differ from those of all
/// members.
package struct FlattenedLinks: Sendable {
    /// The way in which the records of a part reference their owners.
    package struct Reference: Sendable {
        /// The column with the reference; `nil` for a column that is named after the owner and its key.
        package var column: String?
        /// The owner's column that is referenced; `nil` if the owner's records have to be numbered.
        package var key: String?
        /// A Boolean value that indicates whether a column contains the position in the owner's array, from 1.
        package var hasPosition: Bool

        package init(column: String? = nil, key: String?, hasPosition: Bool = true) {
            (self.column, self.key, self.hasPosition) = (column, key, hasPosition)
        }
    }

    /// The identity of an array's element: the key of its owner, and its position in the array.
    package struct PartIdentity: Hashable, Sendable {
        let owner: String
        let position: Int

        package init(owner: String, position: Int) { (self.owner, self.position) = (owner, position) }
    }

    /// The generated columns of a table, and the column that references the owner of a part.
    struct Link {
        var number: String?
        var owner: String?
        var key: String?
        var position: String?
    }

    /// The generated columns and the reference column of each table, in the order of the tables.
    private(set) var links: [Link]

    /// Determines the names of the linking columns.
    ///
    /// - Parameters:
    ///   - tables: The tables without such columns.
    ///   - reference: A closure that returns how the records of a part reference their owners, by the index of the
    ///     part.
    /// - Throws: The errors of `reference`.
    package init(_ tables: [FlattenedTable], reference: (Int) throws -> Reference) rethrows {
        links = tables.map { _ in Link() }
        for (place, table) in tables.enumerated() {
            guard let owner = table.owner?.table else { continue }
            let found = try reference(place)
            let number = Self.free("record_id", in: tables[owner])
            let key = found.key ?? number
            if key == number { links[owner].number = number }
            links[place].key = key
            links[place].owner = found.column ?? Self.free("\(tables[owner].name)_\(key)", in: table)
            if found.hasPosition { links[place].position = Self.free(Self.position, in: table) }
        }
    }

    /// The default name of the column with positions.
    package static let position = "position"

    /// Returns the column that references a part's owner; `nil` for a table that is not a part.
    package func ownerColumn(of table: Int) -> String? { links[table].owner }

    /// Returns the column with the position of an element in its owner's array; `nil` for a table that is not a part.
    package func positionColumn(of table: Int) -> String? { links[table].position }

    /// Returns the options for reading a table of a document.
    ///
    /// - Parameters:
    ///   - place: The index of the table.
    ///   - tables: The document's tables.
    ///   - reading: The options for reading the document.
    /// - Returns: Options with the names of the columns by which the table is linked.
    package func reading(ofTable place: Int, in tables: [FlattenedTable], _ reading: ReadingOptions) -> ReadingOptions {
        var reading = Self.bareReading(ofTable: place, in: tables, reading)
        let link = links[place]
        func name(_ hidden: String, _ column: String?) {
            guard let column, tables[place].links.contains(hidden) else { return }
            reading.omittedColumns.remove(hidden)
            reading.mapping[hidden] = column
        }
        name(Self.number, link.number)
        name(Self.place, link.position)
        if let owner = tables[place].owner?.table, let key = link.key {
            name(key == links[owner].number ? Self.ownerNumber : Self.owner(key), link.owner)
        }
        return reading
    }

    /// Returns the options for reading a table of a document without its links.
    package static func bareReading(
        ofTable place: Int, in tables: [FlattenedTable], _ reading: ReadingOptions
    ) -> ReadingOptions {
        var reading = reading
        (reading.format, reading.encoding, reading.root) = (.ndjson, nil, nil)
        (reading.keyAttribute, reading.valueAttribute) = (nil, nil)
        // Options that name columns of other tables do not apply to this one.
        reading.mapping = reading.mapping.filter { tables[place].places.contains($0.key) }
        reading.omittedColumns = reading.omittedColumns.filter(tables[place].places.contains).union(tables[place].links)
        return reading
    }

    // The names of the linking values in the files of tables.
    static let number = "(number of the record)"
    static let ownerNumber = "(number of the owner)"
    static let place = "(place in the array)"
    static func owner(_ key: String) -> String { "(owner) " + key }

    /// Returns the generated columns of a table that do not reference an owner: numbers of records, and positions.
    package func madeColumns(of table: Int) -> Set<String> {
        Set([links[table].number, links[table].position].compactMap(\.self))
    }

    /// A Boolean value that indicates whether the document's own records are numbered, because they have no key.
    package var numbersDocument: Bool { links.first?.number != nil }

    /// Returns a name that no column of a table has, derived from a name.
    private static func free(_ name: String, in table: FlattenedTable) -> String {
        table.places.contains(name) ? free(name + "_", in: table) : name
    }
}
