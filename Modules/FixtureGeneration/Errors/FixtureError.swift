/// An error in a description of fixtures or in a request for rows, with its location in the description.
///
/// ``description`` is one line for the author of the description: `fixtures.json:12:19: Employee.salary: the median
/// 5000 is less than the minimum 20000`.
///
/// Match errors by ``code``. The texts are for people, and may change in later versions. An error of a description that
/// was read from a file contains the location of the faulty value; an error of a description that was created in code
/// contains the entity and the attribute only.
///
/// ## Topics
///
/// ### Matching the error
///
/// - ``code``
/// - ``Code``
///
/// ### Finding the cause
///
/// - ``message``
/// - ``description``
/// - ``entity``
/// - ``attribute``
///
/// ### Locating the error in a file
///
/// - ``source``
/// - ``line``
/// - ``column``
///
/// ### Creating an error
///
/// - ``init(_:entity:attribute:_:)``
public struct FixtureError: Error, Sendable, Hashable {
    /// The kinds of errors.
    ///
    /// The type is a structure with static members instead of an enumeration, so that a new code does not break a
    /// `switch`. Compare codes with `==`, or match them with `case .name` and a `default`. The description of a code is
    /// its name.
    ///
    /// ## Topics
    ///
    /// ### Errors of descriptions
    ///
    /// - ``malformed``
    /// - ``invalidDescription``
    /// - ``unknown``
    /// - ``unsatisfiable``
    ///
    /// ### Errors of requests
    ///
    /// - ``outOfRange``
    /// - ``invalidRecord``
    ///
    /// ### Reading the code
    ///
    /// - ``description``
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case malformed, invalidDescription, unknown, unsatisfiable, outOfRange, invalidRecord
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name of the code, for logs and tests, such as `malformed`.
        public var description: String { kind.rawValue }

        /// The code for a description that is not valid JSON.
        ///
        /// The line and the column are those at which the text is not valid. No entity is named, because the text was
        /// not understood.
        public static let malformed = Code(.malformed)
        /// The code for a description with an invalid value, or with a value of the wrong type.
        ///
        /// Examples are a share above 1, a minimum above the maximum, a generator of another type, and null in a
        /// mandatory attribute.
        public static let invalidDescription = Code(.invalidDescription)
        /// The code for an unknown key, entity, attribute or dataset version.
        ///
        /// Most messages list the names that exist. A dataset version of a later version of Strata has this code too.
        public static let unknown = Code(.unknown)
        /// The code for a description that cannot be satisfied, for example because of too few unique values.
        ///
        /// Each value is valid, but no rows satisfy all of them together. Other causes are counts that contradict the
        /// bounds of a relationship, a distribution without values between its bounds, and a pattern from which texts
        /// cannot be generated. Change a count, a bound or a rule.
        public static let unsatisfiable = Code(.unsatisfiable)
        /// The code for an index or count that is out of range.
        ///
        /// Indexes are from 0 to 999,999,999, and counts from 0 to 1,000,000,000.
        public static let outOfRange = Code(.outOfRange)
        /// The code for a generated value that a record type rejects.
        ///
        /// A field has another type than the record type reads, for example null for a type that is not optional.
        public static let invalidRecord = Code(.invalidRecord)
    }

    /// The kind of the error.
    public var code: Code
    /// The name of the description's file, or `nil` if the description was not read from a file.
    ///
    /// The initializers of a description set it to the name that the caller passes.
    public var source: String?
    /// The line of the error in the description, from 1, or `nil` if the error has no location in it.
    public var line: Int?
    /// The column of the error in bytes, from 1, or `nil` if the error has no location in the description.
    public var column: Int?
    /// The name of the entity that the error concerns, or `nil` if it concerns none.
    public var entity: String?
    /// The name of the attribute or relationship that the error concerns, or `nil` if it concerns none.
    public var attribute: String?
    /// A text with the cause of the error, the violated rule, and the correction.
    ///
    /// It does not contain the location and the names of the entity and the attribute, which ``description`` adds.
    public var message: String

    /// The maximum possible number of rows if too many were requested; `nil` if it is unknown, and for other errors.
    ///
    /// A description for a model lowers its row count to this number, if the caller has not requested a count.
    package var possible: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - entity: The entity that the error concerns, if any.
    ///   - attribute: The attribute or relationship that the error concerns, if any.
    ///   - message: A text with the cause, the violated rule, and the correction.
    public init(_ code: Code, entity: String? = nil, attribute: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.attribute = attribute
        self.message = message
    }
}

extension FixtureError: CustomStringConvertible {
    /// The location, the entity, the attribute and the message on one line, without the parts that are unknown.
    public var description: String {
        var text = ""
        if let source { text += source }
        if let line { text += text.isEmpty ? "line \(line)" : ":\(line)" }
        if let column { text += ":\(column)" }
        if !text.isEmpty { text += ": " }
        switch (entity, attribute) {
        case (let entity?, let attribute?): text += "\(entity).\(attribute): "
        case (let entity?, nil): text += "\(entity): "
        case (nil, let attribute?): text += "\(attribute): "
        case (nil, nil): break
        }
        return text + message
    }
}
