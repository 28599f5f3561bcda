import StrataCore

/// What files of a model have room for in one attribute: what is made for it is written, and read back as the same.
struct FileForm: Sendable, Hashable {
    /// Texts that mean null there.
    var missing: [String] = []
    /// Whether there is anything that means null.
    var hasNull = true
    /// What stands between texts of it in lists, and so in none of them; such texts are not empty.
    var separators: [String] = []
    /// What a date format leaves room for; `nil` where all of a value is written.
    var room: DateRoom?

    /// Whether a text may stand for a value.
    func allows(_ text: String) -> Bool {
        // Bytes are compared: texts that look alike are two.
        if missing.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { return false }
        return separators.isEmpty || !(text.isEmpty || separators.contains { text.firstRange(of: $0) != nil })
    }
}

/// What a field has of the attribute of a model that it is made for, beside its rules.
struct FieldOrigin: Sendable, Hashable {
    /// The attribute.
    let attribute: AttributeDescription
    /// What its files have room for.
    let form: FileForm

    init(_ attribute: AttributeDescription, _ form: FileForm) {
        self.attribute = attribute
        self.form = form
    }

    /// Rules of Swift types are the same where their names are.
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
