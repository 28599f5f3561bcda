import StrataCore

/// Reports about parts of the descriptor that the model does not contain.
extension DescriptorReader {
    /// Reports an unknown version of the standard, whose new properties may change the meaning of the descriptor.
    func checkVersion(_ package: ObjectView) {
        guard let schema = package.text("$schema"), schema.firstRange(of: "/profiles/") != nil,
            !["1", "2"].contains(where: { schema.firstRange(of: "/profiles/\($0).") != nil })
        else { return }
        findings.warning(
            package.place["$schema"],
            "“\(schema)” is a version of the standard that is not known here; it is read as the second")
    }

    /// Reports licenses without a name and a path; other tools reject a package with such a license.
    func checkLicences(_ package: ObjectView) {
        guard case .array(let licences) = package.value("licenses")?.content else { return }
        for (index, licence) in licences.enumerated() where licence["name"] == nil && licence["path"] == nil {
            findings.warning(
                package.place["licenses"][index],
                "a licence has a name, as in {\"name\": \"ODC-BY-1.0\"}, or a path to its text")
        }
    }

    /// Reports ignored formats of a field: references, lists and identifiers always have the default format.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - missingValues: The texts for null that apply to the field in any case.
    ///   - keepsEarlierNames: A Boolean value that indicates whether the earlier names of the field are those of the
    ///     property.
    func warnOfSpelling(_ field: ObjectView, missingValues: [String]?, keepsEarlierNames: Bool = false) {
        var names = ["decimalChar", "groupChar", "trueValues", "falseValues", "strata:fewestDigits"]
            .filter { field.has($0) }
        if field.has("missingValues"), field.missingValues() != missingValues { names.append("missingValues") }
        if field.format?.contains("%") == true { names.append("format") }
        if field.has("strata:renamedFrom"), !keepsEarlierNames {
            findings.warning(
                field.place["strata:renamedFrom"],
                "the earlier name of a reference belongs to its foreign key, that of a list to its link; identifiers have none"
            )
        }
        for name in names {
            findings.warning(
                field.place[name], "how what refers, a list or an identifier is spelled is not taken; it is as usual")
        }
    }

    /// Reports the ignored constraints of a field.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - kept: The constraints that apply or have no additional effect.
    ///   - reason: The reason why the others are ignored.
    func warnOfConstraints(_ field: ObjectView, but kept: [String], _ reason: String) {
        guard let constraints = field.object("constraints", known: DescriptorWords.constraints) else { return }
        for name in DescriptorWords.constraints where !kept.contains(name) && constraints.has(name) {
            findings.warning(constraints.place[name], reason)
        }
    }
}
