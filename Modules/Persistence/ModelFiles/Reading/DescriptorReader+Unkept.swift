import StrataCore

/// What is said of fields that become no attributes, and is not kept.
extension DescriptorReader {
    /// Says that a version of the standard is not known: what is new in it may mean something else here.
    func checkVersion(_ package: ObjectView) {
        guard let schema = package.text("$schema"), schema.firstRange(of: "/profiles/") != nil,
            !["1", "2"].contains(where: { schema.firstRange(of: "/profiles/\($0).") != nil })
        else { return }
        findings.warning(
            package.place["$schema"],
            "“\(schema)” is a version of the standard that is not known here; it is read as the second")
    }

    /// Says which licences nobody can tell: other tools find a package with one not valid.
    func checkLicences(_ package: ObjectView) {
        guard case .array(let licences) = package.value("licenses")?.content else { return }
        for (index, licence) in licences.enumerated() where licence["name"] == nil && licence["path"] == nil {
            findings.warning(
                package.place["licenses"][index],
                "a licence has a name, as in {\"name\": \"ODC-BY-1.0\"}, or a path to its text")
        }
    }

    /// Says that how a field is spelled is not taken: what refers, lists and identifiers are spelled as everywhere.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - missingValues: The texts for null that the field has anyway.
    ///   - keepsEarlierNames: Whether its earlier names are those of the property.
    func warnOfSpelling(_ field: ObjectView, missingValues: [String]?, keepsEarlierNames: Bool = false) {
        var names = ["decimalChar", "groupChar", "trueValues", "falseValues", "strata:fewestDigits"]
            .filter { field.has($0) }
        if field.has("missingValues"), field.missingValues() != missingValues { names.append("missingValues") }
        if field.format?.contains("%") == true { names.append("format") }
        if field.has("strata:renamedFrom"), !keepsEarlierNames {
            findings.warning(
                field.place["strata:renamedFrom"],
                "the earlier name of what refers stands at its foreign key, that of a list at its link; identifiers have none"
            )
        }
        for name in names {
            findings.warning(
                field.place[name], "how what refers, a list or an identifier is spelled is not taken; it is as usual")
        }
    }

    /// Says which constraints of a field are not kept.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - kept: Those that are, or mean nothing new.
    ///   - reason: Why the others are not.
    func warnOfConstraints(_ field: ObjectView, but kept: [String], _ reason: String) {
        guard let constraints = field.object("constraints", known: DescriptorWords.constraints) else { return }
        for name in DescriptorWords.constraints where !kept.contains(name) && constraints.has(name) {
            findings.warning(constraints.place[name], reason)
        }
    }
}
