/// The names of a store's elements and attributes.
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
    /// The form of a text that XML cannot contain.
    static let base64 = "base64"
    /// The form of a date outside the range of years that a text can have.
    static let seconds = "seconds"
}
