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
    mutating func selection(_ request: ResolvedRequest) -> String {
        var sql = "SELECT \(layout.rowColumns(entity)) FROM \(layout.table(entity.name))"
        sql += filter(request)
        sql += ordering(request)
        return sql + window(request)
    }

    /// A statement that gives the number of rows.
    mutating func count(_ request: ResolvedRequest) -> String {
        let table = layout.table(entity.name)
        if request.limit == nil, request.offset == 0 {
            return "SELECT count(*) FROM \(table)" + filter(request)
        }
        return "SELECT count(*) FROM (SELECT 1 FROM \(table)" + filter(request) + window(request) + ")"
    }

    private mutating func filter(_ request: ResolvedRequest) -> String {
        guard let condition = request.condition else { return "" }
        guard case .all(let conditions) = condition.form, let place = conditions.firstIndex(where: \.mayFail), place > 0
        else { return " WHERE " + sql(condition).text }
        // What comes before the first that may fail stands outside its CASE too, where an index can serve it.
        return " WHERE " + sql(.all(Array(conditions[..<place]))).text + " AND " + sql(condition).text
    }

    private mutating func ordering(_ request: ResolvedRequest) -> String {
        var terms: [String] = []
        for key in request.sort {
            let value = sql(key.operand, as: key.operand.type.kind)
            terms.append(value + (key.isDescending ? " DESC" : ""))
            if key.isIdentifier { break }
        }
        if !request.sort.contains(where: \.isIdentifier) { terms.append(layout.idColumn) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    private mutating func window(_ request: ResolvedRequest) -> String {
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

    mutating func sql(_ condition: ResolvedCondition) -> Truth {
        switch condition.form {
        case .constant(let value): return Truth(text: value ? "1" : "0")
        case .compare(let left, let comparison, let right): return compare(left, comparison, right)
        case .isTrue(let operand):
            return Truth(text: sql(operand, as: .boolean), mayBeNull: operand.type.isNullable)
        case .contains(let text, let part, let ignoringCase):
            let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: "instr(\(left), \(right)) > 0", mayBeNull: true)
        case .startsWith(let text, let part, let ignoringCase):
            return startsWith(text, part: part, ignoringCase: ignoringCase)
        case .endsWith(let text, let part, let ignoringCase):
            let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: "\(SQLiteFunctions.endsWithName)(\(left), \(right))", mayBeNull: true)
        case .like(let text, let pattern, let ignoringCase):
            let name = ignoringCase ? SQLiteFunctions.likeIgnoringCaseName : SQLiteFunctions.likeName
            let left = sql(text, as: .string)
            return Truth(text: "\(name)(\(left), \(bind(.string(pattern))))", mayBeNull: true)
        case .isIn(let operand, let list): return isIn(operand, list)
        case .all(let conditions): return join(conditions[...], "AND", whenEmpty: "1")
        case .any(let conditions): return join(conditions[...], "OR", whenEmpty: "0")
        case .not(let condition): return Truth(text: "NOT \(sql(condition).certain)")
        case .related(let relationship, let condition): return related(relationship, condition)
        }
    }

    /// Joins conditions as a balanced tree, because SQLite bounds an expression's depth by 1,000.
    ///
    /// Where one of them may fail they are put into `CASE`, which SQLite evaluates in the written order; `AND` and `OR` promise no order.
    private mutating func join(_ conditions: ArraySlice<ResolvedCondition>, _ word: String, whenEmpty: String) -> Truth
    {
        if conditions.isEmpty { return Truth(text: whenEmpty) }
        if conditions.count == 1, let only = conditions.first {
            let truth = sql(only)
            return Truth(text: "(\(truth.text))", mayBeNull: truth.mayBeNull)
        }
        let middle = conditions.startIndex + conditions.count / 2
        let left = join(conditions[..<middle], word, whenEmpty: whenEmpty)
        let right = join(conditions[middle...], word, whenEmpty: whenEmpty)
        if conditions.contains(where: \.mayFail) {
            let text =
                word == "AND"
                ? "(CASE WHEN \(left.text) THEN \(right.text) ELSE 0 END)"
                : "(CASE WHEN \(left.text) THEN 1 ELSE \(right.text) END)"
            return Truth(text: text, mayBeNull: right.mayBeNull)
        }
        return Truth(text: "(\(left.text) \(word) \(right.text))", mayBeNull: left.mayBeNull || right.mayBeNull)
    }

    private mutating func startsWith(_ text: ResolvedOperand, part: ResolvedOperand, ignoringCase: Bool) -> Truth {
        if !ignoringCase, case .string(let prefix)? = part.constant, !prefix.isEmpty {
            // A range of the column's values, so that an index over them serves: UTF-8 orders texts as their scalars do.
            let left = sql(text, as: .string)
            let lower = "\(left) >= \(bind(.string(prefix)))"
            guard let end = prefix.endOfPrefixRange else { return Truth(text: "(\(lower))", mayBeNull: true) }
            let again = sql(text, as: .string)
            return Truth(text: "(\(lower) AND \(again) < \(bind(.string(end))))", mayBeNull: true)
        }
        let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
        let again = texts(.constant(.null), part: part, ignoringCase: ignoringCase).1
        return Truth(text: "substr(\(left), 1, length(\(right))) = \(again)", mayBeNull: true)
    }

    private mutating func texts(_ text: ResolvedOperand, part: ResolvedOperand, ignoringCase: Bool) -> (String, String)
    {
        let left: String
        if text.constant == .null { left = "NULL" } else { left = sql(text, as: .string) }
        let right = sql(part, as: .string)
        // Without ICU, SQLite's lower() folds the letters A to Z only: what the rules ask for.
        return ignoringCase ? ("lower(\(left))", "lower(\(right))") : (left, right)
    }

    /// A truth that is known, after an operand was evaluated if that can be an error.
    mutating func always(_ truth: Bool, evaluating operand: ResolvedOperand) -> Truth {
        let text = truth ? "1" : "0"
        guard operand.mayFail else { return Truth(text: text) }
        return Truth(text: "CASE WHEN \(sql(operand, as: operand.type.kind)) IS NULL THEN \(text) ELSE \(text) END")
    }

    private mutating func isIn(_ operand: ResolvedOperand, _ list: [StoredValue]) -> Truth {
        let type = operand.type
        let holdsNull = list.contains(where: \.isNull)
        // A value that the column cannot hold exactly (0.125 where the scale is 2) is equal to no row.
        let candidates = list.filter { !$0.isNull }.compactMap { $0.brought(to: type.kind) }
        guard !candidates.isEmpty else {
            if holdsNull { return Truth(text: "\(sql(operand, as: type.kind)) IS NULL") }
            return always(false, evaluating: operand)
        }
        let left = sql(operand, as: type.kind)
        let membership = "\(left) IN (\(members(candidates)))"
        guard holdsNull else { return Truth(text: membership, mayBeNull: type.isNullable) }
        return Truth(text: "(\(membership) OR \(sql(operand, as: type.kind)) IS NULL)", mayBeNull: false)
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

extension ResolvedRequest.Sort {
    fileprivate var isIdentifier: Bool {
        if case .identifier = operand.form { true } else { false }
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
