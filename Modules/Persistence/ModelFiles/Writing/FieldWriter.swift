import StrataCore

/// A writer of the fields of a table in a descriptor.
///
/// Each method returns one field. The fields of identifiers, references and lists have no format and no rules of their
/// own, because a reader ignores them.
struct FieldWriter {
    /// Returns the field that contains the identifiers of rows.
    func identifier(_ name: String) -> JSONValue {
        var field = ObjectBuilder()
        field.add("name", name)
        field.add("type", "integer")
        return field.value
    }

    /// Returns the field that represents a to-one relationship.
    func reference(_ column: ColumnDescription) -> JSONValue {
        var field = ObjectBuilder()
        field.add("name", column.externalName)
        field.add("type", "integer")
        add(constraints(isOptional: column.isOptional, isUnique: column.isUnique), to: &field)
        return field.value
    }

    /// Returns the field for one value of the key by which a to-one relationship references its object.
    func value(_ value: ExternalColumn, of column: ColumnDescription) -> JSONValue {
        self.value(
            named: value.name, value.type, isOptional: column.isOptional,
            isUnique: column.isUnique && column.externalKey?.columns.count == 1)
    }

    /// Returns a field with a value that references an object.
    func value(named name: String, _ type: AttributeType, isOptional: Bool, isUnique: Bool) -> JSONValue {
        var field = ObjectBuilder()
        field.add("name", name)
        add(type, to: &field)
        add(constraints(isOptional: isOptional, isUnique: isUnique), to: &field)
        return field.value
    }

    /// Returns the field that contains the list of a many-to-many relationship.
    func list(_ column: ExternalColumn, _ relationship: RelationshipDescription?) -> JSONValue {
        var field = ObjectBuilder()
        field.add("name", column.name)
        field.add("type", "list")
        if case .list(let list) = relationship?.externalLink, list.separator != "," {
            field.add("delimiter", list.separator)
        }
        return field.value
    }

    /// Returns the field of an attribute, with its type, constraints, default value and text format.
    ///
    /// A text format that the standard has is written as the standard's type and format. Any other format, and the rule
    /// of a Swift type, is written as `strata:domain`.
    func field(_ attribute: AttributeDescription) -> JSONValue {
        var field = ObjectBuilder()
        let name = attribute.externalName ?? attribute.name
        field.add("name", name)
        var names = ModelNames()
        if names.name(for: name, otherwise: "") != attribute.name { field.add("strata:name", attribute.name) }
        field.add("title", attribute.title)
        field.add("description", attribute.explanation)
        let form = FieldForm.formats.first { $0.format == attribute.domain?.format && attribute.type == .string }
        if let form {
            field.add("type", form.type)
            field.add("format", form.name)
        } else {
            add(attribute.type, to: &field, format: attribute.spelling.dateFormat)
        }
        var constraints = constraints(isOptional: attribute.isOptional, isUnique: attribute.isUnique)
        let rules = RuleForm(attribute.type, attribute.domain?.format)
        for rule in rules.standard(attribute.rules) { constraints.add(rules.constraint(rule), rules.json(rule)) }
        add(constraints, to: &field)
        if rules.standard(attribute.rules) != attribute.rules {
            field.add("strata:rules", .array(attribute.rules.map(rules.object)))
        }
        field.add("strata:default", attribute.defaultValue.map(Self.json))
        field.add("strata:indexed", attribute.isIndexed, unless: false)
        field.add("strata:constant", attribute.isImmutable, unless: false)
        field.add("strata:preservedAfterDeletion", attribute.isPreservedAfterDeletion, unless: false)
        field.add("strata:renamedFrom", earlier: attribute.renamedFrom)
        if !attribute.renamedValues.isEmpty {
            let pairs = attribute.renamedValues.map {
                JSONValue.array([ValueCoding.json($0.from), ValueCoding.json($0.to)])
            }
            field.add("strata:renamedValues", .array(pairs))
        }
        add(attribute.spelling, to: &field)
        if form == nil { field.add("strata:domain", attribute.domain?.name) }
        return field.value
    }

    private func add(_ spelling: ExternalSpelling, to field: inout ObjectBuilder) {
        field.add("missingValues", spelling.missingValues)
        field.add("decimalChar", spelling.decimal)
        field.add("groupChar", spelling.group)
        if !spelling.trueWords.isEmpty { field.add("trueValues", spelling.trueWords) }
        if !spelling.falseWords.isEmpty { field.add("falseValues", spelling.falseWords) }
        field.add("strata:fewestDigits", spelling.writesFewestDigits, unless: false)
    }

    private func add(_ constraints: ObjectBuilder, to field: inout ObjectBuilder) {
        if !constraints.isEmpty { field.add("constraints", constraints.value) }
    }

    private func constraints(isOptional: Bool, isUnique: Bool) -> ObjectBuilder {
        var constraints = ObjectBuilder()
        constraints.add("required", !isOptional, unless: false)
        constraints.add("unique", isUnique, unless: false)
        return constraints
    }

    /// Adds the type of the Data Package standard to a field, and the additional type if the standard's type is less
    /// specific.
    private func add(_ type: AttributeType, to field: inout ObjectBuilder, format: String? = nil) {
        let form = FieldForm(type)
        field.add("type", form.type)
        if let format {
            for (name, text) in DateFormat.properties(of: format) { field.add(name, text) }
        } else {
            field.add("format", form.format)
        }
        if case .decimal(let scale) = type {
            field.add("strata:scale", Int(scale))
        } else if !form.isEnough {
            field.add("strata:type", type.description)
        }
    }

    /// Returns the JSON form of a default value; a function is an object with the function's name.
    private static func json(_ value: DefaultValue) -> JSONValue {
        switch value {
        case .constant(let value): ValueCoding.json(value)
        case .now: .object([JSONValue.Member(name: "function", value: .string("now"))])
        case .newUUID: .object([JSONValue.Member(name: "function", value: .string("newUUID"))])
        }
    }
}
