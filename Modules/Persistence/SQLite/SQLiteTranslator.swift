import StrataCore

/// Writes a request as SQL with bound parameters.
struct SQLiteTranslator {
    /// The entity whose properties are meant; a relationship's destination while what is asked of it is written.
    var entity: EntityDescription
    let layout: SQLiteLayout
    private(set) var values: [StoredValue] = []
    /// The name of the entity's rows in a subquery; `nil` in the statement itself, where columns stand alone.
    var alias: String?
    /// How many names were given, so that none is given twice.
    var aliasCount = 0

    /// A longer list of whole numbers is one parameter: a JSON text, as long as it may be.
    static let longestListOfParameters = 500

    init(_ entity: EntityDescription, _ layout: SQLiteLayout) {
        self.entity = entity
        self.layout = layout
    }

    /// A statement that gives whole rows in the request's order.
    mutating func selection(_ request: StoreRequest) throws -> String {
        var sql = "SELECT \(layout.rowColumns(entity)) FROM \(layout.table(entity.name))"
        sql += try filter(request)
        sql += try ordering(request)
        return sql + window(request)
    }

    /// A statement that gives the number of rows.
    mutating func count(_ request: StoreRequest) throws -> String {
        let table = layout.table(entity.name)
        if request.limit == nil, request.offset == 0 {
            return "SELECT count(*) FROM \(table)" + (try filter(request))
        }
        return "SELECT count(*) FROM (SELECT 1 FROM \(table)" + (try filter(request)) + window(request) + ")"
    }

    private mutating func filter(_ request: StoreRequest) throws -> String {
        guard let condition = request.condition else { return "" }
        guard case .all(let conditions) = condition, let place = conditions.firstIndex(where: typing.mayFail), place > 0
        else { return " WHERE " + (try sql(condition).text) }
        // What comes before the first that may fail stands outside its CASE too, where an index can serve it.
        return " WHERE " + (try sql(.all(Array(conditions[..<place]))).text) + " AND " + (try sql(condition).text)
    }

    private mutating func ordering(_ request: StoreRequest) throws -> String {
        var terms: [String] = []
        for key in request.sort {
            let operand = try key.operand(of: entity)
            let value = try sql(operand, as: typing.type(of: operand).kind)
            terms.append(value + (key.isDescending ? " DESC" : ""))
            if key.property == "id" { break }
        }
        if !request.sort.contains(where: { $0.property == "id" }) { terms.append(layout.idColumn) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    private mutating func window(_ request: StoreRequest) -> String {
        guard request.limit != nil || request.offset > 0 else { return "" }
        let limit = bind(.integer(Int64(request.limit ?? -1)))
        guard request.offset > 0 else { return " LIMIT \(limit)" }
        return " LIMIT \(limit) OFFSET \(bind(.integer(Int64(request.offset))))"
    }

    mutating func bind(_ value: StoredValue) -> String {
        values.append(value)
        return "?"
    }
}

// MARK: - Conditions

extension SQLiteTranslator {
    /// A condition's text, and whether SQL may give null for it, which counts as false.
    struct Truth {
        var text: String
        var mayBeNull = false

        /// The text where null would not count as false: under a negation, or as a value.
        var certain: String { mayBeNull ? "coalesce(\(text), 0)" : text }
    }

    mutating func sql(_ condition: FetchCondition) throws -> Truth {
        switch condition {
        case .constant(let value): return Truth(text: value ? "1" : "0")
        case .compare(let left, let comparison, let right): return try compare(left, comparison, right)
        case .isTrue(let operand):
            let isNullable = try typing.type(of: operand).isNullable
            return Truth(text: try sql(operand, as: .boolean), mayBeNull: isNullable)
        case .contains(let text, let part, let ignoringCase):
            let (left, right) = try texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: "instr(\(left), \(right)) > 0", mayBeNull: true)
        case .startsWith(let text, let part, let ignoringCase):
            return try startsWith(text, part: part, ignoringCase: ignoringCase)
        case .endsWith(let text, let part, let ignoringCase):
            let (left, right) = try texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: "\(SQLiteFunctions.endsWithName)(\(left), \(right))", mayBeNull: true)
        case .like(let text, let pattern, let ignoringCase):
            let name = ignoringCase ? SQLiteFunctions.likeIgnoringCaseName : SQLiteFunctions.likeName
            let left = try sql(text, as: .string)
            return Truth(text: "\(name)(\(left), \(bind(.string(pattern))))", mayBeNull: true)
        case .isIn(let operand, let list): return try isIn(operand, list)
        case .all(let conditions): return try join(conditions[...], "AND", whenEmpty: "1")
        case .any(let conditions): return try join(conditions[...], "OR", whenEmpty: "0")
        case .not(let condition): return Truth(text: "NOT \(try sql(condition).certain)")
        case .related(let name, let condition): return try related(name, condition)
        }
    }

    var typing: ConditionTyping { ConditionTyping(entity: entity, model: layout.model) }

    /// Joins conditions as a balanced tree, because SQLite bounds an expression's depth by 1,000.
    ///
    /// Where one of them may fail they are put into `CASE`, which SQLite evaluates in the written order; `AND` and `OR` promise no order.
    private mutating func join(_ conditions: ArraySlice<FetchCondition>, _ word: String, whenEmpty: String) throws
        -> Truth
    {
        if conditions.isEmpty { return Truth(text: whenEmpty) }
        if conditions.count == 1, let only = conditions.first {
            let truth = try sql(only)
            return Truth(text: "(\(truth.text))", mayBeNull: truth.mayBeNull)
        }
        let middle = conditions.startIndex + conditions.count / 2
        let left = try join(conditions[..<middle], word, whenEmpty: whenEmpty)
        let right = try join(conditions[middle...], word, whenEmpty: whenEmpty)
        if conditions.contains(where: typing.mayFail) {
            let text =
                word == "AND"
                ? "(CASE WHEN \(left.text) THEN \(right.text) ELSE 0 END)"
                : "(CASE WHEN \(left.text) THEN 1 ELSE \(right.text) END)"
            return Truth(text: text, mayBeNull: right.mayBeNull)
        }
        return Truth(text: "(\(left.text) \(word) \(right.text))", mayBeNull: left.mayBeNull || right.mayBeNull)
    }

    private mutating func startsWith(_ text: FetchOperand, part: FetchOperand, ignoringCase: Bool) throws -> Truth {
        if !ignoringCase, case .constant(.string(let prefix)) = part, !prefix.isEmpty {
            // A range of the column's values, so that an index over them serves: UTF-8 orders texts as their scalars do.
            let left = try sql(text, as: .string)
            let lower = "\(left) >= \(bind(.string(prefix)))"
            guard let end = prefix.endOfPrefixRange else { return Truth(text: "(\(lower))", mayBeNull: true) }
            let again = try sql(text, as: .string)
            return Truth(text: "(\(lower) AND \(again) < \(bind(.string(end))))", mayBeNull: true)
        }
        let (left, right) = try texts(text, part: part, ignoringCase: ignoringCase)
        let again = try texts(.constant(.null), part: part, ignoringCase: ignoringCase).1
        return Truth(text: "substr(\(left), 1, length(\(right))) = \(again)", mayBeNull: true)
    }

    private mutating func texts(_ text: FetchOperand, part: FetchOperand, ignoringCase: Bool) throws -> (String, String)
    {
        let left: String
        if case .constant(.null) = text { left = "NULL" } else { left = try sql(text, as: .string) }
        let right = try sql(part, as: .string)
        // Without ICU, SQLite's lower() folds the letters A to Z only: what the rules ask for.
        return ignoringCase ? ("lower(\(left))", "lower(\(right))") : (left, right)
    }

    /// A truth that is known, after an operand was evaluated if that can be an error.
    mutating func always(_ truth: Bool, evaluating operand: FetchOperand, _ type: OperandType) throws -> Truth {
        let text = truth ? "1" : "0"
        guard typing.mayFail(operand) else { return Truth(text: text) }
        return Truth(text: "CASE WHEN \(try sql(operand, as: type.kind)) IS NULL THEN \(text) ELSE \(text) END")
    }

    private mutating func isIn(_ operand: FetchOperand, _ list: [StoredValue]) throws -> Truth {
        let type = try typing.type(of: operand)
        let holdsNull = list.contains(where: \.isNull)
        // A value that the column cannot hold exactly (0.125 where the scale is 2) is equal to no row.
        let candidates = list.filter { !$0.isNull }.compactMap { $0.brought(to: type.kind) }
        guard !candidates.isEmpty else {
            if holdsNull { return Truth(text: "\(try sql(operand, as: type.kind)) IS NULL") }
            return try always(false, evaluating: operand, type)
        }
        let left = try sql(operand, as: type.kind)
        let membership = "\(left) IN (\(members(candidates)))"
        guard holdsNull else { return Truth(text: membership, mayBeNull: type.isNullable) }
        return Truth(text: "(\(membership) OR \(try sql(operand, as: type.kind)) IS NULL)", mayBeNull: false)
    }

    private mutating func members(_ candidates: [StoredValue]) -> String {
        let numbers = candidates.compactMap(\.storedInteger)
        guard candidates.count > Self.longestListOfParameters, numbers.count == candidates.count else {
            return candidates.map { bind($0) }.joined(separator: ", ")
        }
        let json = "[" + numbers.map(String.init).joined(separator: ",") + "]"
        return "SELECT value FROM json_each(\(bind(.string(json))))"
    }
}

extension StoredValue {
    /// The whole number as which SQLite keeps a whole number or a decimal.
    fileprivate var storedInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .decimal(let value): value.unscaled
        default: nil
        }
    }
}
