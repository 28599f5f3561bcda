/// One of the tables that a document is as long as no record holds another one.
package struct FlattenedTable: Sendable {
    /// Whose records hold this table's ones in an array.
    package struct Owner: Sendable {
        /// The owner's place among the tables.
        package let table: Int
        /// The array's path in the owner's records.
        package let path: String
    }

    /// The document's name, for parts with the way to the array behind it: `orders_items`.
    package let name: String
    /// `nil` of the document's own records.
    package let owner: Owner?
    /// The members of all records, in the order in which they came.
    package internal(set) var columns: [String] = []
    package internal(set) var records = 0
    var places: Set<String> = []
    /// The hidden columns with links that occur in its records.
    var links: Set<String> = []
    /// The columns that may be its key.
    package private(set) var keys: [String] = []

    init(name: String, owner: Owner?) {
        (self.name, self.owner) = (name, owner)
    }

    /// Returns the column that is called so in the model, by its name in the document.
    package func column(named name: String, _ reading: ReadingOptions) -> String {
        columns.first { (reading.mapping[$0] ?? $0) == name }
            ?? columns.first { NameMatching.isSame(reading.mapping[$0] ?? $0, name) } ?? name
    }

    mutating func add(_ column: String, mayBeKey: Bool) {
        columns.append(column)
        if mayBeKey { keys.append(column) }
    }
}

/// The columns by which parts refer to what they are parts of.
package struct FlattenedLinks: Sendable {
    /// How the records of a part refer.
    package struct Reference: Sendable {
        /// The column that refers; `nil` for one that is called like the owner and its key.
        package var column: String?
        /// The owner's column that it refers to; `nil` where the owner's records have to be numbered.
        package var key: String?
        /// Whether a column holds the place in the owner's array, from 1.
        package var hasPosition: Bool

        package init(column: String? = nil, key: String?, hasPosition: Bool = true) {
            (self.column, self.key, self.hasPosition) = (column, key, hasPosition)
        }
    }

    /// The identity of an array's element: the key of its owner, and its place in the array.
    package struct PartIdentity: Hashable, Sendable {
        let owner: String
        let position: Int

        package init(owner: String, position: Int) { (self.owner, self.position) = (owner, position) }
    }

    /// The columns of a table that are made, and for parts the one of their owner.
    struct Link {
        var number: String?
        var owner: String?
        var key: String?
        var position: String?
    }

    /// For each table.
    private(set) var links: [Link]

    /// Names the columns.
    ///
    /// - Parameters:
    ///   - tables: The tables as they are without such columns.
    ///   - reference: How the records of a part refer, by its place.
    /// - Throws: What finding that throws.
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

    /// What the column of places is called, where nothing else is.
    package static let position = "position"

    /// The column that refers to a part's owner; `nil` of what is no part.
    package func ownerColumn(of table: Int) -> String? { links[table].owner }

    /// Returns the column with the place of a part among its owner's; `nil` of what is no part.
    package func positionColumn(of table: Int) -> String? { links[table].position }

    /// Returns how a table of a document is read.
    ///
    /// - Parameters:
    ///   - place: The table's place.
    ///   - tables: The document's tables.
    ///   - reading: How the document is read.
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

    /// Returns how a table of a document is read without what links it.
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

    /// The columns of a table that are made and do not refer to an owner: numbers of records, and places.
    package func madeColumns(of table: Int) -> Set<String> {
        Set([links[table].number, links[table].position].compactMap(\.self))
    }

    /// A Boolean value that indicates whether the document's own records are numbered, as they have no key.
    package var numbersDocument: Bool { links.first?.number != nil }

    /// A name that no column has yet.
    private static func free(_ name: String, in table: FlattenedTable) -> String {
        table.places.contains(name) ? free(name + "_", in: table) : name
    }
}
