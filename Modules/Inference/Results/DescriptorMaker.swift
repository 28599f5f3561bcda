import StrataCore

/// A conversion of the inference's results to a Data Package descriptor with additional Strata properties.
///
/// The descriptor is read as a model file, which validates it. Therefore it only needs the properties that differ from
/// the defaults of a reader.
struct DescriptorMaker {
    let tables: [TableScan]
    let decisions: [[ColumnDecision]]
    let keys: [KeyChoice?]
    let references: [[ReferenceSearch.Found]]
    /// The references of datasets whose records are parts of another dataset's records, by dataset name.
    let parts: [String: ParentReference]
    /// The columns that Strata generates, by dataset name.
    let made: [String: Set<String>]
    /// A Boolean value that indicates whether only some of the records were read, so that other records may contain
    /// null.
    let isSample: Bool

    /// The descriptor with one resource for each dataset.
    var descriptor: JSONValue {
        .object([
            member("$schema", .string("https://datapackage.org/profiles/2.0/datapackage.json")),
            member("resources", .array(tables.indices.filter(isDescribed).map(resource))),
        ])
    }

    /// Returns a Boolean value that indicates whether the descriptor has a resource for a table.
    ///
    /// The descriptor has a resource for each dataset that was read, and for each dataset that is only in the store.
    private func isDescribed(_ place: Int) -> Bool {
        !tables[place].isStored || !tables.contains { !$0.isStored && $0.name == tables[place].name }
    }

    private func member(_ name: String, _ value: JSONValue) -> JSONValue.Member { .init(name: name, value: value) }
    private func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Returns the resource of a dataset, with its fields, keys and links.
    private func resource(_ place: Int) -> JSONValue {
        let table = tables[place]
        var schema = [member("fields", .array(table.columns.indices.map { field(place, $0) }))]
        if let key = keys[place] {
            schema.append(member("primaryKey", texts([table.columns[key.column].name])))
        } else if isPairs(place) {
            schema.append(member("primaryKey", texts(table.columns.map(\.name))))
        }
        if let part = parts[table.name], let position = part.position, references[place].contains(where: \.isPart),
            !hasOwnKey(place)
        {
            schema.append(member("uniqueKeys", .array([texts([part.column, position])])))
        }
        if let word = missingWord(place) { schema.append(member("missingValues", texts([word, ""]))) }
        if !references[place].isEmpty {
            schema.append(member("foreignKeys", .array(references[place].map { foreignKey(place, $0) })))
        }
        var members = [
            member("name", .string(table.name)), member("type", .string("table")),
            member("path", .string(table.path)), member("schema", .object(schema)),
        ]
        if let key = keys[place] {
            if !key.isIdentifier, decisions[place][key.column].kind == .integer {
                members.append(member("strata:ids", .string("own")))
            }
            // The order of the rest of the file is unknown.
            if key.keepsOrder || (key.isIdentifier && isSample) {
                members.append(member("strata:order", .string("file")))
            }
        }
        let links = tables.indices.filter { isPairs($0) && references[$0][0].table == place }.map(link)
        if !links.isEmpty { members.append(member("strata:links", .array(links))) }
        return .object(members)
    }

    /// Returns a Boolean value that indicates whether the key of a table is a column of the data instead of a generated
    /// one.
    private func hasOwnKey(_ place: Int) -> Bool {
        guard let key = keys[place] else { return false }
        return made[tables[place].name]?.contains(tables[place].columns[key.column].name) != true
    }

    /// Returns the word that means null in a table and that an export then writes for null.
    ///
    /// If null is the empty text, the result is `nil`. If the word also occurs in quotes as a value, the result is
    /// `nil` too, because a model cannot distinguish quoted words from unquoted ones.
    func missingWord(_ place: Int) -> String? {
        let table = tables[place]
        return table.missing.isValue || table.columns.contains { $0.emptyCount > 0 } ? nil : table.missing.only
    }

    /// Returns a Boolean value that indicates whether a table contains only join rows between two tables with keys.
    func isPairs(_ place: Int) -> Bool {
        tables[place].columns.count == 2 && tables[place].pairs.isUnique && tables[place].records > 0
            && references[place].count == 2 && tables[place].columns.allSatisfy { $0.nullCount == 0 } && !isSample
    }

    /// Returns the many-to-many relationship of a table of join rows, as a property of the table that its first column
    /// references.
    private func link(_ place: Int) -> JSONValue {
        let ends = references[place].map { tables[$0.table].name }
        let names = ends.map { name in
            let words = NamedTables.words(name)
            return words.prefix(1).joined()
                + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        return .object([
            member("name", .string(names[1])), member("resource", .string(ends[1])),
            member("inverse", .string(ends[0] == ends[1] ? names[0] + "Inverse" : names[0])),
            member("through", .string(tables[place].name)),
        ])
    }

    private func field(_ place: Int, _ column: Int) -> JSONValue {
        let scan = tables[place].columns[column]
        var members = [member("name", .string(scan.name))] + decisions[place][column].members
        var constraints: [JSONValue.Member] = []
        if isRequired(scan) { constraints.append(member("required", .boolean(true))) }
        if !constraints.isEmpty { members.append(member("constraints", .object(constraints))) }
        return .object(members)
    }

    func isRequired(_ column: ColumnScan) -> Bool { !isSample && column.nullCount == 0 && column.valueCount > 0 }

    private func foreignKey(_ place: Int, _ found: ReferenceSearch.Found) -> JSONValue {
        let other = tables[found.table]
        let key = keys[found.table].map { other.columns[$0.column].name } ?? ""
        let column = tables[place].columns[found.column].name
        var members = [
            member("fields", texts([column])),
            member(
                "reference",
                .object([
                    member("resource", .string(found.table == place ? "" : other.name)), member("fields", texts([key])),
                ])),
        ]
        if let name = relationshipName(place, column) { members.append(member("strata:name", .string(name))) }
        // If the owner is deleted, its parts are deleted too.
        if found.isPart { members.append(member("strata:inverseDeleteRule", .string(DeleteRule.cascade.rawValue))) }
        return .object(members)
    }

    /// Returns the name of the relationship for a reference column, without the word for a key: `country` for
    /// `country_code`.
    ///
    /// If another column already has that name, the result is `nil`.
    private func relationshipName(_ place: Int, _ column: String) -> String? {
        func stem(_ column: String) -> [String] {
            let words = NamedTables.words(column)
            return words.count > 1 && NamedTables.keyWords.contains(words[words.count - 1]) ? words.dropLast() : words
        }
        let words = stem(column)
        let others = tables[place].columns.map(\.name).filter { $0 != column }
        guard words != NamedTables.words(column),
            !others.contains(where: { stem($0) == words || NamedTables.words($0) == words }),
            words.joined().utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }),
            words[0].utf8.first.map({ $0 >= 0x61 }) ?? false, words != ["id"]
        else { return nil }
        return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
