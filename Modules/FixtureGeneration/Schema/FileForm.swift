import StrataCore

/// The values of one attribute that the files of a model can represent, so that reading the files returns the same
/// values.
///
/// A text that means null in a file cannot represent itself, and a text in a list cannot contain the separator of the
/// list. Generators skip such values. Otherwise an export and an import of the rows would change them.
struct FileForm: Sendable, Hashable {
    /// The texts that mean null in files.
    ///
    /// An empty list means that no text is excluded.
    var missing: [String] = []
    /// A Boolean value that indicates whether any text means null in files.
    var hasNull = true
    /// The separators of lists, which texts in these lists cannot contain; such texts cannot be empty either.
    var separators: [String] = []
    /// The dates that the attribute's date format represents, or `nil` if files can represent all values.
    var room: DateFormatPrecision?

    /// Returns a Boolean value that indicates whether a text can represent a value.
    func allows(_ text: String) -> Bool {
        // Texts are compared by bytes, so canonically equivalent texts are different.
        if missing.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { return false }
        return separators.isEmpty || !(text.isEmpty || separators.contains { text.firstRange(of: $0) != nil })
    }
}

/// The properties of a field that result from an attribute of a model, in addition to its rules.
///
/// Fields of record types have no origin. For fields of a model, the origin provides the attribute, whose Swift type
/// can reject values that its rules allow.
struct FieldOrigin: Sendable, Hashable {
    /// The attribute of the model from which the field was created.
    let attribute: AttributeDescription
    /// The values that the files of the model can represent in the attribute.
    let form: FileForm

    init(_ attribute: AttributeDescription, _ form: FileForm) {
        self.attribute = attribute
        self.form = form
    }

    /// Returns a Boolean value that indicates whether two origins are equal; rules of Swift types are compared by name.
    static func == (left: Self, right: Self) -> Bool {
        left.attribute.type == right.attribute.type && left.attribute.rules == right.attribute.rules
            && left.attribute.domain?.name == right.attribute.domain?.name && left.form == right.form
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(attribute.type)
        hasher.combine(attribute.domain?.name)
        hasher.combine(form)
    }
}
