import StrataCore

extension EntityWriter {
    /// A method that finds records by the values of columns.
    struct Finder {
        /// The columns, at least one.
        let columns: [ColumnDescription]
        /// A Boolean value that indicates whether at most one record has the values.
        let isUnique: Bool
    }

    /// The methods that find records: by unique keys, by references, and by indexes.
    var finders: [Finder] {
        var finders = entity.uniqueKeys.map { key in
            Finder(columns: key.columns.map { entity.columns[$0] }, isUnique: true)
        }
        var known = Set(finders.map { $0.columns.map(\.name) })
        func add(_ columns: [ColumnDescription]) {
            guard known.insert(columns.map(\.name)).inserted else { return }
            finders.append(Finder(columns: columns, isUnique: false))
        }
        for column in columns where column.destination != nil { add([column]) }
        for column in columns where column.attribute?.isIndexed == true { add([column]) }
        for index in entity.indexes { add(index.compactMap(entity.columnIndex).map { entity.columns[$0] }) }
        return finders
    }

    /// The values of a finder are not optional if it finds one record, because null is not unique.
    func parameters(of finder: Finder) -> [String] {
        finder.columns.map { column in
            let type = outerType(column, isOptional: column.isOptional && !finder.isUnique)
            return "\(names.parameter(column.name)): \(type)"
        }
    }

    private func head(of finder: Finder) -> String { finder.isUnique ? "func find" : "func fetch" }

    private func result(of finder: Finder) -> String {
        finder.isUnique ? "async throws -> \(recordType)?" : "async throws -> [\(recordType)]"
    }

    private func summary(of finder: Finder) -> String {
        let words = finder.columns.map(words).joined(separator: " and ")
        return finder.isUnique
            ? "Returns the record with this \(words), or `nil` if there is none."
            : "Returns all records with this \(words)."
    }

    private var make: String { "_ make: @Sendable (\(recordType).ID) throws -> \(recordType)" }
    private var change: String { "_ change: @Sendable (inout \(recordType)) throws -> \(library("Void"))" }
    private var request: String { "\(library("FetchRequest"))<\(recordType)>" }

    // MARK: Protocol

    /// Writes the protocol of the repository and its extension.
    func writeRepository(_ file: inout SwiftFile) {
        importTypes(columns, &file)
        let isOneLayer = options.layers == .one
        file.needs(isOneLayer ? "StrataPersistence" : "StrataDomain", isExposed: true)
        let base =
            isOneLayer ? library("Sendable") : "\(library("Repository")) where Record == \(recordType)"
        file.text.comment(
            "A repository of “\(entity.external.name ?? entity.name)”.\n\n"
                + "Each method is a complete unit of work: its changes are saved when it returns.")
        file.text.block("\(access)protocol \(names.repository): \(base)") { text in
            if isOneLayer { writeReading(&text) }
            for finder in finders {
                text.add()
                text.comment(summary(of: finder))
                text.function(head(of: finder), parameters(of: finder), result(of: finder))
            }
            text.add()
            text.comment("Saves a new record, which a closure creates with the identifier, and returns it.")
            text.add("@discardableResult")
            text.function("func create", [make], "async throws -> \(recordType)")
            if isOneLayer { writeChanging(&text) }
        }
        file.text.add()
        writeConveniences(&file.text)
    }

    private func writeReading(_ text: inout SwiftText) {
        text.comment("Returns the record with an identifier, or `nil` if there is none.")
        text.function("func find", ["_ id: \(recordType).ID"], "async throws -> \(recordType)?")
        text.add()
        text.comment("Returns all records that a request selects.")
        text.function("func fetch", ["_ request: \(request)"], "async throws -> [\(recordType)]")
        text.add()
        text.comment("Returns the number of records that a request selects.")
        text.function("func count", ["_ request: \(request)"], "async throws -> \(library("Int"))")
    }

    private func writeChanging(_ text: inout SwiftText) {
        text.add()
        text.comment(
            "Changes the record with an identifier, saves it, and returns it.\n\n"
                + "The closure can run several times. A missing record is an error.")
        text.add("@discardableResult")
        text.function("func update", ["_ id: \(recordType).ID", change], "async throws -> \(recordType)")
        text.add()
        text.comment("Deletes the record with an identifier, and returns `false` if there is none.")
        text.add("@discardableResult")
        text.function("func delete", ["_ id: \(recordType).ID"], "async throws -> \(library("Bool"))")
    }

    /// Writes the methods that need no requirement of their own.
    private func writeConveniences(_ text: inout SwiftText) {
        text.block("extension \(names.repository)") { text in
            if options.layers == .one {
                text.comment("Returns all records.")
                text.function("\(access)func fetch", [], "async throws -> [\(recordType)]") {
                    $0.add("try await fetch(\(request)())")
                }
                text.add()
            }
            text.comment("Saves a new record with these values, and returns it.")
            text.add("@discardableResult")
            text.function("\(access)func create", parameters(isOutside: true), "async throws -> \(recordType)") {
                text in
                let isHidden = columns.contains { names.properties[$0.name] == "create" }
                text.add("try await \(isHidden ? "self." : "")create { id in")
                text.nested { text in
                    let values = [SwiftExpression.labeled("id", "id")] + passed { names.property($0.name) }
                    text.add(.call(recordType, values))
                }
                text.add("}")
            }
        }
    }

    // MARK: Implementation

    /// Writes the implementation of the repository with a store.
    func writeStoredRepository(_ file: inout SwiftFile) {
        importTypes(finders.flatMap(\.columns), &file)
        let isOneLayer = options.layers == .one
        file.needs("StrataPersistence", isExposed: true)
        if finders.contains(where: { !isSimple($0) }) { file.needs("Foundation", isExposed: false) }
        if !isOneLayer { file.needs("StrataRepositories", isExposed: options.access == .public) }
        file.text.comment("A repository of “\(entity.external.name ?? entity.name)” in a store.")
        let base = isOneLayer ? repositoryType : "\(repositoryType), \(library("StoredRepository"))"
        file.text.block("\(access)struct \(names.storedRepository): \(base)") { text in
            text.comment("The context that reads and saves the records.")
            text.add("\(access)let context: any \(library("RecordContext"))")
            text.add()
            text.comment("Creates a repository that uses a context.")
            text.function("\(access)init", ["_ context: any \(library("RecordContext"))"]) {
                $0.add("self.context = context")
            }
            if isOneLayer { writeStoredReading(&text) }
            for finder in finders {
                text.add()
                text.comment(summary(of: finder))
                text.function("\(access)\(head(of: finder))", parameters(of: finder), result(of: finder)) {
                    writeBody(of: finder, &$0)
                }
            }
            text.add()
            text.comment("Saves a new record, which a closure creates with the identifier, and returns it.")
            text.add("@discardableResult")
            text.function("\(access)func create", [make], "async throws -> \(recordType)") {
                $0.add("try await context.insert(\(recordType).self, make)")
            }
            if isOneLayer { writeStoredChanging(&text) }
        }
    }

    /// Returns a Boolean value that indicates whether a finder needs no predicate.
    private func isSimple(_ finder: Finder) -> Bool { finder.isUnique && finder.columns.count == 1 }

    private func writeBody(of finder: Finder, _ text: inout SwiftText) {
        let properties = finder.columns.map { names.property($0.name) }
        let context = properties.contains("context") ? "self.context" : "context"
        if isSimple(finder) {
            let isOptional = finder.columns[0].isOptional
            let value = isOptional ? "\(library("Optional"))(\(properties[0]))" : properties[0]
            let path = "\\.\(names.member(finder.columns[0].name))"
            return text.add("try await \(context).find(\(recordType).self, by: \(path), \(value))")
        }
        let terms = finder.columns.map { "$0.\(names.member($0.name)) == \(names.property($0.name))" }
            .joined(separator: " && ")
        let predicate = SwiftExpression.labeled("where", .text("#Predicate { \(terms) }"))
        let call = SwiftExpression.call(request, [predicate])
        if finder.isUnique {
            text.add(call, head: "let request = ")
            text.add("return try await \(context).fetch(request).first")
        } else {
            text.add(.call("try await \(context).fetch", [call]))
        }
    }

    private func writeStoredReading(_ text: inout SwiftText) {
        let type = recordType
        text.add()
        text.comment("Returns the record with an identifier, or `nil` if there is none.")
        text.function("\(access)func find", ["_ id: \(type).ID"], "async throws -> \(type)?") {
            $0.add("try await context.fetch(\(request)(id: id)).first")
        }
        text.add()
        text.comment("Returns all records that a request selects.")
        text.function("\(access)func fetch", ["_ request: \(request)"], "async throws -> [\(type)]") {
            $0.add("try await context.fetch(request)")
        }
        text.add()
        text.comment("Returns the number of records that a request selects.")
        text.function("\(access)func count", ["_ request: \(request)"], "async throws -> \(library("Int"))") {
            $0.add("try await context.count(request)")
        }
    }

    private func writeStoredChanging(_ text: inout SwiftText) {
        let type = recordType
        text.add()
        text.comment("Changes the record with an identifier, saves it, and returns it.")
        text.add("@discardableResult")
        text.function("\(access)func update", ["_ id: \(type).ID", change], "async throws -> \(type)") {
            $0.add("try await context.update(\(type).self, id: id, change)")
        }
        text.add()
        text.comment("Deletes the record with an identifier, and returns `false` if there is none.")
        text.add("@discardableResult")
        text.function("\(access)func delete", ["_ id: \(type).ID"], "async throws -> \(library("Bool"))") {
            $0.add("try await context.delete(\(request)(id: id)) > 0")
        }
    }

    // MARK: Double

    /// Writes the double of the repository.
    func writeDouble(_ file: inout SwiftFile) {
        importTypes(finders.flatMap(\.columns), &file)
        file.needs(options.layers == .one ? "StrataPersistence" : "StrataDomain", isExposed: true)
        file.text.comment(
            "A double of \(names.repository) for tests: each method calls a closure.\n\n"
                + "A closure that was not set throws ``\(types.unexpectedCall)``.")
        file.text.block("\(access)struct \(names.double): \(names.repository)") { text in
            let methods = doubled
            for method in methods {
                text.comment("The closure of `\(method.name)`.")
                text.add(variable: "\(access)var \(method.property):", method.closure)
            }
            text.add()
            text.comment("Creates a double without closures.")
            text.function("\(access)init", []) { text in
                for method in methods {
                    let ignored = Array(repeating: "_", count: method.arguments.count).joined(separator: ", ")
                    let parameters = method.arguments.isEmpty ? "" : "\(ignored) in "
                    let call = "throw \(types.unexpectedCall)(\(SwiftLiteral.text("\(names.double).\(method.name)")))"
                    let line = "\(method.property) = { \(parameters)\(call) }"
                    if text.indent + line.count <= SwiftExpression.width {
                        text.add(line)
                    } else {
                        text.add("\(method.property) = { \(parameters.dropLast())")
                        text.nested { $0.add(call) }
                        text.add("}")
                    }
                }
            }
            for method in methods {
                text.add()
                text.comment("Calls the closure `\(method.property)`.")
                if method.isDiscardable { text.add("@discardableResult") }
                text.function("\(access)\(method.head)", method.parameters, "async throws -> \(method.result)") {
                    $0.add("try await \(method.property)(\(method.arguments.joined(separator: ", ")))")
                }
            }
        }
    }

    /// A method of a double.
    private struct Doubled {
        let head: String
        let name: String
        let property: String
        let parameters: [String]
        let arguments: [String]
        let types: [String]
        let result: String
        var isDiscardable = false

        var closure: String { "@Sendable (\(types.joined(separator: ", "))) async throws -> \(result)" }
    }

    private var doubled: [Doubled] {
        let type = recordType
        let selection = options.layers == .one ? request : "\(library("Query"))<\(type)>"
        let label = options.layers == .one ? "request" : "query"
        var list = [
            Doubled(
                head: "func find", name: "find(_:)", property: "findByID", parameters: ["_ id: \(type).ID"],
                arguments: ["id"], types: ["\(type).ID"], result: "\(type)?"),
            Doubled(
                head: "func fetch", name: "fetch(_:)", property: "fetchRecords",
                parameters: ["_ \(label): \(selection)"], arguments: [label], types: [selection], result: "[\(type)]"),
        ]
        if options.layers == .one {
            list.append(
                Doubled(
                    head: "func count", name: "count(_:)", property: "countRecords",
                    parameters: ["_ \(label): \(selection)"], arguments: [label], types: [selection],
                    result: library("Int")))
        }
        var properties = UniqueNames(used: Set(list.map(\.property)).union(Self.changing))
        for finder in finders {
            let parameters = parameters(of: finder)
            let arguments = finder.columns.map { names.property($0.name) }
            let words = finder.columns.map { column in
                let name = names.properties[column.name] ?? column.name
                return name.prefix(1).uppercased() + name.dropFirst()
            }
            let verb = finder.isUnique ? "find" : "fetch"
            list.append(
                Doubled(
                    head: head(of: finder), name: "\(verb)(\(arguments.map { "\($0):" }.joined()))",
                    property: properties.add("\(verb)By\(words.joined(separator: "And"))"), parameters: parameters,
                    arguments: arguments,
                    types: finder.columns.map { outerType($0, isOptional: $0.isOptional && !finder.isUnique) },
                    result: finder.isUnique ? "\(type)?" : "[\(type)]"))
        }
        let made = "@Sendable (\(type).ID) throws -> \(type)"
        let changed = "@Sendable (inout \(type)) throws -> \(library("Void"))"
        list += [
            Doubled(
                head: "func create", name: "create(_:)", property: "createRecord", parameters: [make],
                arguments: ["make"], types: [made], result: type, isDiscardable: true),
            Doubled(
                head: "func update", name: "update(_:_:)", property: "updateRecord",
                parameters: ["_ id: \(type).ID", change], arguments: ["id", "change"],
                types: ["\(type).ID", changed], result: type, isDiscardable: true),
            Doubled(
                head: "func delete", name: "delete(_:)", property: "deleteRecord", parameters: ["_ id: \(type).ID"],
                arguments: ["id"], types: ["\(type).ID"], result: library("Bool"), isDiscardable: true),
        ]
        if options.layers == .two {
            list.append(
                Doubled(
                    head: "func deleteAll", name: "deleteAll()", property: "deleteAllRecords", parameters: [],
                    arguments: [], types: [], result: library("Int"), isDiscardable: true))
        }
        return list
    }

    /// The closures of a double that have no finder.
    private static let changing: Set<String> = [
        "countRecords", "createRecord", "updateRecord", "deleteRecord", "deleteAllRecords",
    ]
}
