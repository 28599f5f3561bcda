import StrataCore

/// A reader that converts a field of a descriptor to an attribute.
///
/// `strata:scale`, `strata:type` and `strata:domain` precede the standard's type, because they are more exact. A type
/// of the standard that a model does not have is stored as text without validation, with a warning; an unknown type is
/// an error. `strata:rules` replaces the constraints, except `required` and `unique`.
struct FieldReader {
    let view: ObjectView
    let findings: Findings
    /// The rules of Swift types, by the types' names.
    let domains: [String: AttributeDomain]
    /// The texts that represent null in all fields of the table; `nil` if the descriptor contains none.
    let missingValues: [String]?
    /// A Boolean value that indicates whether the descriptor is the model in a store's metadata, which was checked
    /// before.
    var isKept = false
    /// The determined type of the field, if it is a number whose count of decimal places is not in the file.
    var settled: ResolvedNumber?

    /// A Boolean value that indicates whether the field is a number whose count of decimal places is not in the file.
    var isUnspecifiedNumber: Bool {
        view.text("type") == "number" && !view.has("strata:type") && !view.has("strata:scale")
            && !view.has("strata:domain")
    }

    /// Returns the attribute of the field; if the field is invalid, reports an error and returns `nil`.
    func attribute(named name: String, externally externalName: String) -> AttributeDescription? {
        guard let type = type() else { return nil }
        var attribute = AttributeDescription(name, type, isOptional: true)
        attribute.externalName = externalName == name ? nil : externalName
        let constraints = view.object("constraints", known: DescriptorWords.constraints)
        attribute.isOptional = !(constraints?.truth("required") ?? false)
        attribute.isUnique = constraints?.truth("unique") ?? false
        attribute.isIndexed = view.truth("strata:indexed") ?? false
        attribute.isImmutable = view.truth("strata:constant") ?? false
        attribute.isPreservedAfterDeletion = view.truth("strata:preservedAfterDeletion") ?? false
        attribute.domain =
            view.text("strata:domain").map(domain)
            ?? (isUnspecifiedNumber ? settled?.format : standardFormat(type))?.domain
        if let json = view.value("strata:default") { attribute.defaultValue = defaultValue(json, of: type) }
        attribute.rules = rules(of: attribute, constraints)
        if !isKept, let constraints { checkAgreement(of: attribute, with: constraints) }
        if !isKept, let failure = attribute.failureOfDefault(in: "") {
            findings.error(view.place["strata:default"], "the default breaks a rule: \(failure.reason)")
        }
        (attribute.title, attribute.explanation) = (view.text("title"), view.text("description"))
        attribute.renamedFrom = view.texts("strata:renamedFrom") ?? []
        attribute.renamedValues = renamedValues(of: type)
        attribute.spelling = SpellingReader(view: view, findings: findings, missingValues: missingValues).spelling(
            of: type)
        return attribute
    }

    /// Reads the pairs of an earlier value and the value that replaces it.
    private func renamedValues(of type: AttributeType) -> [RenamedValue] {
        let place = view.place["strata:renamedValues"]
        return (view.list("strata:renamedValues") ?? []).enumerated().compactMap { index, pair -> RenamedValue? in
            guard case .array(let values) = pair.content, values.count == 2 else {
                findings.error(
                    place[index],
                    "an earlier value and the value that replaces it are expected, as in [\"blue\", \"azure\"]")
                return nil
            }
            do {
                return RenamedValue(
                    from: try ValueCoding.value(values[0], of: type), to: try ValueCoding.value(values[1], of: type))
            } catch {
                findings.error(place[index], "\(error)")
                return nil
            }
        }
    }

    // MARK: Types

    /// Returns the type of the field; if it is invalid, reports an error and returns `nil`.
    ///
    /// A field without a type is a text, as in the standard.
    private func type() -> AttributeType? {
        let named = view.text("type")
        if let scale = view.number("strata:scale", in: 0...Int(ScaledDecimal.maximumScale)) {
            guard named ?? "number" == "number", !view.has("strata:type") else {
                findings.error(view.place["strata:scale"], "a scale can be used only for a number without strata:type")
                return nil
            }
            return .decimal(scale: UInt8(scale))
        }
        if let text = view.text("strata:type") { return ownType(text) }
        if view.has("strata:type") || view.has("strata:scale") { return nil }
        guard let named else {
            if !view.has("type") { return .string }
            return nil
        }
        return standardType(named)
    }

    /// Returns the type that `strata:type` names; if there is none, reports an error and returns `nil`.
    private func ownType(_ text: String) -> AttributeType? {
        if let type = AttributeType.simple.first(where: { $0.description == text }) { return type }
        findings.error(
            view.place["strata:type"],
            "there is no type “\(text)”"
                + NearestName.suggestion(for: text, among: AttributeType.simple.map(\.description)))
        return nil
    }

    /// Returns the model's type for a type and format of the standard; if there is none, reports an error and returns
    /// `nil`.
    private func standardType(_ name: String) -> AttributeType? {
        let format = view.format
        switch name {
        case "number":
            return settled?.type ?? .double
        case "date", "time":
            if let format, format != "default", !format.contains("%") {
                return keptAsText(
                    "\(name) in the format “\(format)”",
                    "write the format in strptime's letters, as in %d.%m.%Y or %H:%M")
            }
        case "string":
            if let format, format != "default", !FieldForm.formats.contains(where: { $0.name == format }) {
                let near = NearestName.of(format, among: FieldForm.formats.compactMap(\.name))
                return keptAsText("text in the format “\(format)”", near.map { "did you mean \($0)?" })
            }
        case "any": return .string
        case "datetime" where format?.contains("%") ?? false: return .date
        case "geopoint" where format == "array" || format == "object": return .string
        case "geojson" where format == nil || format == "default" || format == "topojson": return .string
        case "datetime", "year", "yearmonth", "duration", "geopoint", "object", "array":
            return format == nil || format == "default"
                ? .string : keptAsText("\(name) in the format “\(format ?? "")”")
        case "list", "geojson": return keptAsText(name)
        default: break
        }
        if let type = FieldForm.type(named: name) { return type }
        let names = [
            "string", "integer", "number", "boolean", "date", "time", "datetime", "year", "yearmonth", "duration",
            "object", "array", "list", "geopoint", "geojson", "any",
        ]
        findings.error(
            view.place["type"],
            "the standard has no type “\(name)”"
                + (DescriptorWords.typesElsewhere[name.lowercased()].map { "; did you mean \($0)?" }
                    ?? NearestName.suggestion(for: name, among: names)))
        return nil
    }

    /// Returns the text format for the type and format that the field has in the Data Package standard.
    private func standardFormat(_ type: AttributeType) -> TextFormat? {
        guard type == .string, !view.has("strata:type") else { return nil }
        let name = view.text("type") ?? "string"
        // In these formats, locations and shapes are JSON.
        if name == "geopoint", view.format == "array" { return .array }
        if name == "geojson" || (name == "geopoint" && view.format == "object") { return .object }
        let format = view.format.flatMap { $0 == "default" ? nil : $0 }
        return FieldForm.formats.first { $0.type == name && $0.name == format }?.format
    }

    /// Reports that values of a type are stored as texts, and returns the type of texts.
    private func keptAsText(_ what: String, _ advice: String? = nil) -> AttributeType {
        findings.warning(
            view.place["type"],
            "a \(what) is stored as the text in the file and not validated" + (advice.map { "; \($0)" } ?? ""))
        return .string
    }

    // MARK: Rules

    /// Returns the rules of an attribute: those in `strata:rules`, or otherwise the constraints and the categories.
    private func rules(of attribute: AttributeDescription, _ constraints: ObjectView?) -> [AttributeRule] {
        let form = RuleForm(attribute.type, attribute.domain?.format)
        if view.has("strata:rules") { return ownRules(form) }
        var rules = constraints.map { self.rules(form, $0) } ?? []
        if constraints?.has("enum") != true, let categories = view.list("categories") {
            do throws(InvalidText) {
                let values = JSONValue.array(categories.map(Self.value))
                if let rule = try form.rule("enum", values, isOwn: false) { rules.append(rule) }
            } catch {
                findings.error(view.place["categories"], "the value is \(error.reason)")
            }
        }
        return rules
    }

    /// Returns the value of a category, which is either the value itself or an object with a value and a label.
    static func value(_ category: JSONValue) -> JSONValue {
        guard case .object(let members) = category.content else { return category }
        return members["value"] ?? .null
    }

    /// Returns the rules that the constraints represent; reports constraints that the type does not allow, and
    /// unsupported ones.
    private func rules(_ form: RuleForm, _ constraints: ObjectView) -> [AttributeRule] {
        var rules: [AttributeRule] = []
        for name in DescriptorWords.constraints where !["required", "unique"].contains(name) {
            guard let json = constraints.value(name) else { continue }
            let place = constraints.place[name]
            guard form.isAllowed(name) else {
                findings.error(place, "\(form.kind) has no \(name)")
                continue
            }
            do throws(InvalidText) {
                guard let rule = try form.rule(name, json, isOwn: false) else {
                    findings.error(place, "this constraint is not supported, so the rule would be lost")
                    continue
                }
                rules.append(rule)
            } catch {
                findings.error(place, "the value is \(error.reason)")
            }
        }
        return rules
    }

    /// Returns the rules in `strata:rules`, in their order.
    private func ownRules(_ form: RuleForm) -> [AttributeRule] {
        var rules: [AttributeRule] = []
        for view in view.objects("strata:rules", known: DescriptorWords.rule) {
            let names = DescriptorWords.rule.filter { view.has($0) }
            guard names.count == 1, let json = view.value(names[0]) else {
                findings.error(
                    view.place, "a rule must be an object with one of \(DescriptorWords.rule.joined(separator: ", "))")
                continue
            }
            do throws(InvalidText) {
                if let rule = try form.rule(names[0], json, isOwn: true) { rules.append(rule) }
            } catch {
                findings.error(view.place[names[0]], "the value is \(error.reason)")
            }
        }
        return rules
    }

    /// Returns the default value of an attribute: a constant, the current time or a new UUID.
    private func defaultValue(_ json: JSONValue, of type: AttributeType) -> DefaultValue? {
        let place = view.place["strata:default"]
        if case .object = json.content {
            guard let view = view.object("strata:default", known: ["function"]) else { return nil }
            switch view.text("function") {
            case "now": return .now
            case "newUUID": return .newUUID
            default:
                findings.error(
                    place,
                    "a default must be a value, or {\"function\": \"now\"} or {\"function\": \"newUUID\"}")
                return nil
            }
        }
        do throws(InvalidText) {
            return .constant(try ValueCoding.value(json, of: type))
        } catch {
            findings.error(place, "the value is \(error.reason)")
            return nil
        }
    }

    /// Returns the rule of a Swift type by the type's name.
    ///
    /// If this program does not contain the rule, the result rejects all values that are to be written, because they
    /// cannot be checked.
    private func domain(_ name: String) -> AttributeDomain {
        if let known = domains[name] ?? TextFormat(rawValue: name)?.domain { return known }
        return AttributeDomain(name: name) { _ in
            throw ValueError(
                "cannot be checked: the rule “\(name)” is declared by another program")
        }
    }
}
