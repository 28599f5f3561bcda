/// The names of the elements and attributes in a store's XML file.
enum XMLNames {
    static let store = "strata-store"
    static let format = "format"
    static let identifier = "identifier"
    static let metadata = "metadata"
    static let entry = "entry"
    static let key = "key"
    static let keyForm = "key-form"
    static let model = "model"
    static let entity = "entity"
    static let name = "name"
    static let next = "next"
    static let row = "row"
    static let id = "id"
    static let version = "version"
    static let pairs = "pairs"
    static let pair = "pair"
    static let source = "source"
    static let target = "target"
    static let sourcePosition = "source-position"
    static let targetPosition = "target-position"
    static let form = "form"
    /// The value of the attribute for the form of a text in base64, because XML cannot contain some of its characters.
    static let base64 = "base64"
    /// The value of the attribute for the form of a date in seconds, because its year is outside the range that a date
    /// text can have.
    static let seconds = "seconds"
}
