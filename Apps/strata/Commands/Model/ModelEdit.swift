import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataStoreKit

/// The changes to a store's model that the options of `strata migrate` name, applied to the model's descriptor.
///
/// Names in the options are those in files. A name in the model is also accepted if it is no name in files.
struct ModelEdit {
    private static let group = "Changing the model of the store"

    /// The options in the order in which they are applied: drops and renames first, then additions.
    static let options: [OptionSpecification] = [
        option("rename", as: "E.a=b", help: "Rename the column a of E to b."),
        option(
            "add", as: "'E.a: TYPE'", help: "Add the column a to E, as in 'Person.age: integer?'.",
            details:
                "The types are those of import --type. A ? allows null, and = assigns a value to existing and new "
                + "rows, as in 'Item.currency: text = EUR'."),
        option("allow-null", as: "E.a", help: "Allow null in the column a of E."),
        option("reference", as: "E.a=F.b", help: "Make the column a of E a reference to F by its column b."),
        option(
            "unique", as: "E.a,b", help: "Require unique values in a column of E, or in several together.",
            details: "No two records of E then have the same value, or the same values of all columns."),
        option("index", as: "E.a,b", help: "Index a column of E, or several together."),
    ]

    private static func option(
        _ name: String, as placeholder: String, help: String, details: String = ""
    ) -> OptionSpecification {
        .option(name, placeholder: placeholder, help: help, details: details, isRepeatable: true, group: group)
    }

    private let arguments: ParsedArguments
    private let stored: ManagedObjectModel
    private var descriptor: JSONValue
    /// The new names of renamed columns by their old names; options that are applied later can use either name.
    private var renamed: [[String]: String] = [:]

    private init(_ arguments: ParsedArguments, _ stored: ManagedObjectModel, _ descriptor: JSONValue) {
        (self.arguments, self.stored, self.descriptor) = (arguments, stored, descriptor)
    }

    /// Returns the given options that change the model.
    static func given(_ arguments: ParsedArguments) -> [String] {
        options.map(\.name).filter { !arguments.allValues($0).isEmpty }
    }

    /// Returns the descriptor of a store's model with the changes that the options name.
    ///
    /// - Throws: ``UsageError`` if an option names an entity or column that the store does not have.
    static func descriptor(_ stored: ManagedObjectModel, _ arguments: ParsedArguments) throws -> JSONValue {
        var edit = ModelEdit(arguments, stored, try JSONTreeReader.read(Array(ModelFile.text(of: stored).utf8)))
        for name in arguments.allValues("drop") { try edit.drop(name) }
        for text in arguments.allValues("rename") { try edit.rename(text) }
        for text in arguments.allValues("add") { try edit.add(text) }
        for name in arguments.allValues("allow-null") { try edit.allowNull(name) }
        for text in arguments.allValues("reference") { try edit.refer(text) }
        for text in arguments.allValues("unique") { try edit.makeUnique(text) }
        for text in arguments.allValues("index") { try edit.index(text) }
        edit.forgetOrderOfProperties()
        return edit.descriptor
    }

    // MARK: Names

    /// The resource of the descriptor that an option names, and the rest of the option's value.
    private struct Named {
        let resource: Int
        let entity: EntityDescription?
        let rest: String
    }

    private var resources: [JSONValue] { descriptor["resources"]?.elements ?? [] }

    private func name(_ resource: Int) -> String { resources[resource]["name"]?.text ?? "" }

    /// Resolves the dataset `E` in a value of the form `E.a`.
    private func named(_ text: String, _ option: String) throws(UsageError) -> Named {
        // If two datasets match, the longer name is used: a.b.c is column c of a.b.
        let places = resources.indices.sorted { name($0).count > name($1).count }
        for place in places {
            let fileName = name(place)
            let entity = stored.entities.first { ($0.external.name ?? $0.name) == fileName }
            for name in [fileName, entity?.name].compactMap(\.self) {
                if text == name { return Named(resource: place, entity: entity, rest: "") }
                guard NameMatching.isSame(String(text.prefix(name.count)), name),
                    text.dropFirst(name.count).first == "."
                else { continue }
                return Named(resource: place, entity: entity, rest: String(text.dropFirst(name.count + 1)))
            }
        }
        let names = stored.entities.map { $0.external.name ?? $0.name }
        throw arguments.usageError(
            "option --\(option): \"\(text)\" does not begin with the name of a dataset; the datasets are "
                + "\(names.joined(separator: ", "))"
        )
    }

    private func fields(_ resource: Int) -> [JSONValue] { resources[resource]["schema"]?["fields"]?.elements ?? [] }

    private func fieldNames(_ resource: Int) -> [String] { fields(resource).compactMap { $0["name"]?.text } }

    /// Returns the name of a column in files.
    private func column(_ text: String, of named: Named, for option: String) throws(UsageError) -> String {
        let names = fieldNames(named.resource)
        if names.contains(text) { return text }
        if let new = renamed[[name(named.resource), text]] { return new }
        if let entity = named.entity, entity.properties.contains(where: { $0.name == text }) {
            let name = stored.fileNames(of: text, in: entity.name)
            if names.contains(name) { return name }
        }
        if let name = names.first(where: { NameMatching.isSame($0, text) }) { return name }
        let nearest = NameMatching.nearest(to: text, among: names).map { "; did you mean \($0)?" } ?? ""
        throw arguments.usageError(
            "option --\(option): \(name(named.resource)) has no column \"\(text)\"\(nearest)")
    }

    /// Returns the columns of a list; a column whose name contains a comma is a single column.
    private func columns(_ named: Named, _ option: String) throws(UsageError) -> [String] {
        if fieldNames(named.resource).contains(named.rest) { return [named.rest] }
        var columns: [String] = []
        for part in named.rest.split(separator: ",", omittingEmptySubsequences: false) {
            columns.append(try column(String(part), of: named, for: option))
        }
        return columns
    }

    private func pair(_ text: String, for option: String, form: String) throws(UsageError) -> (String, String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex, text.index(after: sign) != text.endIndex
        else { throw arguments.usageError("option --\(option): \"\(text)\" is not \(form)") }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    // MARK: Parts of the descriptor

    private mutating func change(_ resource: Int, _ body: (inout JSONValue) -> Void) {
        var all = resources
        body(&all[resource])
        descriptor.set("resources", .array(all))
    }

    private mutating func changeSchema(_ resource: Int, _ body: (inout JSONValue) -> Void) {
        change(resource) { value in
            var schema = value["schema"] ?? .object([JSONValue.Member]())
            body(&schema)
            value.set("schema", schema)
        }
    }

    private mutating func changeField(of resource: Int, named name: String, _ body: (inout JSONValue) -> Void) {
        changeSchema(resource) { schema in
            schema.set(
                "fields",
                .array(
                    (schema["fields"]?.elements ?? []).map { field in
                        var field = field
                        if field["name"]?.text == name { body(&field) }
                        return field
                    }))
        }
    }

    private mutating func constrain(_ resource: Int, _ name: String, to constraint: String, isTrue: Bool) {
        changeField(of: resource, named: name) { field in
            var constraints = field["constraints"] ?? .object([JSONValue.Member]())
            constraints.set(constraint, isTrue ? .boolean(true) : nil)
            field.set("constraints", constraints.members.isEmpty ? nil : constraints)
        }
    }

    private func foreignKeys(_ resource: Int) -> [JSONValue] {
        resources[resource]["schema"]?["foreignKeys"]?.elements ?? []
    }

    /// Removes the lists that order properties, because they can name properties that a change removes or renames.
    private mutating func forgetOrderOfProperties() {
        for place in resources.indices { change(place) { $0.set("strata:properties", nil) } }
    }

    // MARK: Changes

    private mutating func drop(_ text: String) throws {
        let named = try named(text, "drop")
        guard !named.rest.isEmpty else {
            let dropped = name(named.resource)
            var all = resources
            all.remove(at: named.resource)
            descriptor.set("resources", .array(all))
            for place in resources.indices {
                change(place) { resource in
                    resource.removeLists("strata:links") { $0["through"]?.text == dropped }
                }
            }
            return
        }
        let column = try column(named.rest, of: named, for: "drop")
        changeSchema(named.resource) { schema in
            schema.set("fields", .array((schema["fields"]?.elements ?? []).filter { $0["name"]?.text != column }))
            if schema["primaryKey"]?.texts.contains(column) ?? false { schema.set("primaryKey", nil) }
            schema.removeLists("uniqueKeys") { $0.texts.contains(column) }
            schema.removeLists("foreignKeys") { $0["fields"]?.texts.contains(column) ?? false }
        }
        change(named.resource) { resource in resource.removeLists("strata:indexes") { $0.texts.contains(column) } }
    }

    private mutating func rename(_ text: String) throws {
        let (old, new) = try pair(text, for: "rename", form: "E.a=b")
        let named = try named(old, "rename")
        let column = try column(named.rest, of: named, for: "rename")
        guard !fieldNames(named.resource).contains(new) else {
            throw arguments.usageError("option --rename: \(name(named.resource)) already has a column \"\(new)\"")
        }
        let known = (named.entity?.columns ?? []).flatMap { [$0.externalName, $0.name] }
        guard !known.contains(new) else {
            throw arguments.usageError(
                "option --rename: \(name(named.resource)) had a column \"\(new)\" before this command; use two "
                    + "commands to rename"
            )
        }
        renamed[[name(named.resource), column]] = new
        let property = named.entity?.columns.first { $0.externalName == column }?.name
        let isReference = foreignKeys(named.resource).contains { $0["fields"]?.texts.contains(column) ?? false }
        let relationship = named.entity?.properties.first {
            stored.fileNames(of: $0.name, in: named.entity?.name ?? "") == column
        }
        changeField(of: named.resource, named: column) { field in
            field.set("name", .string(new))
            field.set("strata:name", nil)
            if !isReference, let property, property != "id" { field.set("strata:renamedFrom", .string(property)) }
        }
        changeSchema(named.resource) { schema in
            for list in ["primaryKey", "uniqueKeys"] { schema.replaceText(column, new, in: list) }
            let keys = (schema["foreignKeys"]?.elements ?? []).map { key in
                var key = key
                guard key["fields"]?.texts.contains(column) ?? false else { return key }
                key.replaceText(column, new, in: "fields")
                if key["fields"]?.texts.count == 1 {
                    key.set("strata:name", nil)
                    if let relationship { key.set("strata:renamedFrom", .string(relationship.name)) }
                }
                return key
            }
            if !keys.isEmpty { schema.set("foreignKeys", .array(keys)) }
        }
        change(named.resource) { $0.replaceText(column, new, in: "strata:indexes") }
        renameInReferences(to: named.resource, column, new)
    }

    /// Changes the name of a column in the references of other resources.
    private mutating func renameInReferences(to resource: Int, _ column: String, _ new: String) {
        let name = name(resource)
        for place in resources.indices {
            guard !foreignKeys(place).isEmpty else { continue }
            changeSchema(place) { schema in
                schema.set(
                    "foreignKeys",
                    .array(
                        (schema["foreignKeys"]?.elements ?? []).map { key in
                            var (key, reference) = (key, key["reference"] ?? .null)
                            let target = reference["resource"]?.text ?? ""
                            guard target == name || (target.isEmpty && place == resource) else { return key }
                            reference.replaceText(column, new, in: "fields")
                            key.set("reference", reference)
                            return key
                        }))
            }
        }
    }

    private mutating func add(_ text: String) throws {
        let form = "'E.a: TYPE', as in 'Person.age: integer?' or 'Item.currency: text = EUR'"
        guard let colon = text.firstRange(of: ": ")?.lowerBound ?? text.firstIndex(of: ":") else {
            throw arguments.usageError("option --add: \"\(text)\" is not \(form)")
        }
        let named = try named(text[..<colon].trimmed, "add")
        var type = text[text.index(after: colon)...].trimmed
        guard !named.rest.isEmpty, !type.isEmpty else {
            throw arguments.usageError("option --add: \"\(text)\" is not \(form)")
        }
        guard !fieldNames(named.resource).contains(named.rest) else {
            throw arguments.usageError("option --add: \(name(named.resource)) already has a column \"\(named.rest)\"")
        }
        var initial: String?
        if let sign = type.firstIndex(of: "=") {
            initial = type[type.index(after: sign)...].trimmed.unquoted
            type = type[..<sign].trimmed
        }
        let isOptional = type.hasSuffix("?")
        if isOptional { type.removeLast() }
        guard let given = GivenType(type) else {
            throw arguments.usageError(
                "option --add: \"\(type)\" is not one of \(GivenType.names.joined(separator: ", ")), decimal:DIGITS, "
                    + "day:FORMAT"
            )
        }
        var field = JSONValue.object([.init(name: "name", value: .string(named.rest))] + given.members(scale: 2))
        if let initial {
            guard let value = given.json(initial) else {
                throw arguments.usageError(
                    "option --add: the default \"\(initial)\" is not a valid \(type); write the value as in a model "
                        + "file, such as 42, 1.50, true or 2024-01-31"
                )
            }
            field.set("strata:default", value)
        }
        if !isOptional { field.set("constraints", .object([("required", .boolean(true))])) }
        changeSchema(named.resource) { schema in
            schema.set("fields", .array((schema["fields"]?.elements ?? []) + [field]))
        }
    }

    private mutating func allowNull(_ text: String) throws {
        let named = try named(text, "allow-null")
        let column = try column(named.rest, of: named, for: "allow-null")
        if resources[named.resource]["schema"]?["primaryKey"]?.texts.contains(column) ?? false {
            throw arguments.usageError(
                "option --allow-null: \(column) is the key of \(name(named.resource)), which cannot be null")
        }
        constrain(named.resource, column, to: "required", isTrue: false)
    }

    private mutating func refer(_ text: String) throws {
        let (from, to) = try pair(text, for: "reference", form: "E.a=F.b")
        let (named, target) = (try named(from, "reference"), try named(to, "reference"))
        let column = try column(named.rest, of: named, for: "reference")
        let key = try self.column(target.rest, of: target, for: "reference")
        guard !foreignKeys(named.resource).contains(where: { $0["fields"]?.texts == [column] }) else {
            throw arguments.usageError("option --reference: \(name(named.resource)).\(column) is a reference already")
        }
        guard !renamed.values.contains(column), !renamed.values.contains(key) else {
            throw arguments.usageError("option --reference: rename the columns with a separate command first")
        }
        let schema = resources[target.resource]["schema"]
        let isKey =
            schema?["primaryKey"]?.texts == [key]
            || (schema?["uniqueKeys"]?.elements ?? []).contains { $0.texts == [key] }
        // The referenced column must identify a single record.
        if !isKey { constrain(target.resource, key, to: "unique", isTrue: true) }
        let resource = target.resource == named.resource ? "" : name(target.resource)
        let reference = JSONValue.object([
            ("fields", .texts([column])),
            ("reference", .object([("resource", .string(resource)), ("fields", .texts([key]))])),
        ])
        changeField(of: named.resource, named: column) { field in
            // The reference has the type of the key, and no name, default or index of an attribute.
            for name in ["strata:name", "strata:default", "strata:indexed", "strata:rules"] { field.set(name, nil) }
        }
        changeSchema(named.resource) { schema in
            schema.set("foreignKeys", .array((schema["foreignKeys"]?.elements ?? []) + [reference]))
        }
    }

    private mutating func makeUnique(_ text: String) throws {
        let named = try named(text, "unique")
        guard named.entity != nil else {
            throw arguments.usageError(
                "option --unique: \(name(named.resource)) contains the join rows of a relationship, which are always "
                    + "unique"
            )
        }
        let columns = try columns(named, "unique")
        let isReference = foreignKeys(named.resource).contains { $0["fields"]?.texts.contains(columns[0]) ?? false }
        if columns.count == 1, !isReference { return constrain(named.resource, columns[0], to: "unique", isTrue: true) }
        changeSchema(named.resource) { schema in
            schema.set("uniqueKeys", .array((schema["uniqueKeys"]?.elements ?? []) + [.texts(columns)]))
        }
    }

    private mutating func index(_ text: String) throws {
        let named = try named(text, "index")
        let columns = try columns(named, "index")
        if columns.count == 1 {
            return changeField(of: named.resource, named: columns[0]) { $0.set("strata:indexed", .boolean(true)) }
        }
        change(named.resource) { resource in
            resource.set("strata:indexes", .array((resource["strata:indexes"]?.elements ?? []) + [.texts(columns)]))
        }
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = content { text } else { nil } }
    fileprivate var elements: [JSONValue] { if case .array(let elements) = content { elements } else { [] } }
    fileprivate var members: [Member] { if case .object(let members) = content { members } else { [] } }
    /// The texts of a list; a single text is treated as a list of one text.
    fileprivate var texts: [String] { text.map { [$0] } ?? elements.compactMap(\.text) }

    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Sets a member of an object, or removes it if the value is `nil`.
    fileprivate mutating func set(_ name: String, _ value: JSONValue?) {
        var members = members
        let place = members.firstIndex { $0.name == name }
        if let value {
            if let place { members[place].value = value } else { members.append(Member(name: name, value: value)) }
        } else if let place {
            members.remove(at: place)
        }
        content = .object(members)
    }

    /// Removes the elements of a list that satisfy a condition, and the list if it is then empty.
    fileprivate mutating func removeLists(_ name: String, where isRemoved: (JSONValue) -> Bool) {
        guard let list = self[name] else { return }
        let kept = list.elements.filter { !isRemoved($0) }
        set(name, kept.isEmpty ? nil : .array(kept))
    }

    /// Replaces a text in a list of texts, or in a list of lists of texts.
    fileprivate mutating func replaceText(_ old: String, _ new: String, in name: String) {
        guard let value = self[name] else { return }
        set(name, value.replacing(old, new))
    }

    private func replacing(_ old: String, _ new: String) -> JSONValue {
        if let text { return .string(text == old ? new : text) }
        if case .array(let elements) = content { return .array(elements.map { $0.replacing(old, new) }) }
        return self
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }

    /// The text without surrounding quotes.
    fileprivate var unquoted: String {
        count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : String(self)
    }
}
