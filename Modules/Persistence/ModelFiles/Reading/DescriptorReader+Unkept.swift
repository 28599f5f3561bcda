import StrataCore

/// The part of the reader that reports properties of the descriptor that the model does not contain.
extension DescriptorReader {
    /// Reports an unknown version of the Data Package standard, in which the descriptor may have another meaning.
    func checkVersion(_ package: ObjectView) {
        guard let schema = package.text("$schema"), schema.firstRange(of: "/profiles/") != nil,
            !["1", "2"].contains(where: { schema.firstRange(of: "/profiles/\($0).") != nil })
        else { return }
        findings.warning(
            package.place["$schema"],
            "the version “\(schema)” of the standard is unknown; the file is read as version 2")
    }

    /// Reports licenses without a name and a path; other tools reject a package with such a license.
    func checkLicences(_ package: ObjectView) {
        guard case .array(let licences) = package.value("licenses")?.content else { return }
        for (index, licence) in licences.enumerated() where licence["name"] == nil && licence["path"] == nil {
            findings.warning(
                package.place["licenses"][index],
                "a license must have a name, as in {\"name\": \"ODC-BY-1.0\"}, or a path to its text")
        }
    }

    /// Reports the properties of a field's format that are ignored, because references, lists and identifiers always
    /// have the default format.
    ///
    /// - Parameters:
    ///   - field: The object of the field.
    ///   - missingValues: The texts that represent null in the field, which are not reported.
    ///   - keepsEarlierNames: A Boolean value that indicates whether the model contains the earlier names of the field
    ///     as those of its property, so that they are not reported.
    func warnOfSpelling(_ field: ObjectView, missingValues: [String]?, keepsEarlierNames: Bool = false) {
        var names = ["decimalChar", "groupChar", "trueValues", "falseValues", "strata:fewestDigits"]
            .filter { field.has($0) }
        if field.has("missingValues"), field.missingValues() != missingValues { names.append("missingValues") }
        if field.format?.contains("%") == true { names.append("format") }
        if field.has("strata:renamedFrom"), !keepsEarlierNames {
            findings.warning(
                field.place["strata:renamedFrom"],
                "declare the earlier name of a reference at its foreign key, and that of a list at its link; "
                    + "identifiers have no earlier name"
            )
        }
        for name in names {
            findings.warning(
                field.place[name],
                "the format of a reference, list or identifier cannot be changed; this property is ignored")
        }
    }

    /// Reports the constraints of a field that are ignored.
    ///
    /// - Parameters:
    ///   - field: The object of the field.
    ///   - kept: The names of the constraints that are not reported, because they apply or have no additional effect.
    ///   - reason: The reason why the other constraints are ignored, for the message.
    func warnOfConstraints(_ field: ObjectView, but kept: [String], _ reason: String) {
        guard let constraints = field.object("constraints", known: DescriptorWords.constraints) else { return }
        for name in DescriptorWords.constraints where !kept.contains(name) && constraints.has(name) {
            findings.warning(constraints.place[name], reason)
        }
    }
}
