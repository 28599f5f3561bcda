/// A condition that selects the rows of a request: a small tree that each store translates or evaluates.
///
/// ```swift
/// let isFirst = FetchCondition.compare(.property("id"), .equal, .constant(.integer(1)))
/// ```
///
/// `#Predicate` is translated into this type, ``PredicateText`` parses it from a text, requests combine its values, and
/// stores receive no other kind of condition. Create it directly for conditions that are composed at run time, and for
/// rows without a record type. The operators `&&`, `||` and `!` combine conditions.
///
/// A condition is true or false, never unknown: a comparison of null by `<` is false, and its negation is true.
/// <doc:ComparisonRules> has the rules, which are the same in every store.
///
/// A condition contains names and is not validated when it is created. A request with an unknown name, with kinds that
/// cannot be compared, or with too deep nesting throws ``PersistenceError`` with code
/// ``PersistenceError/Code/invalidRequest`` before a row is read. The maximum depth is the same in every store. Put
/// many conditions into one ``all(_:)`` or ``any(_:)`` instead of nesting them.
///
/// ## Topics
///
/// ### Comparing
///
/// - ``compare(_:_:_:)``
/// - ``isTrue(_:)``
/// - ``isIn(_:_:)``
/// - ``FetchOperand``
/// - ``FetchComparison``
///
/// ### Searching texts
///
/// - ``contains(_:_:ignoringCase:)``
/// - ``startsWith(_:_:ignoringCase:)``
/// - ``endsWith(_:_:ignoringCase:)``
/// - ``like(_:_:ignoringCase:)``
///
/// ### Related objects
///
/// - ``related(_:_:)``
/// - ``traversesRelationships``
///
/// ### Combining
///
/// - ``&&(_:_:)``
/// - ``||(_:_:)``
/// - ``!(_:)``
/// - ``all(_:)``
/// - ``any(_:)``
/// - ``not(_:)``
/// - ``constant(_:)``
public indirect enum FetchCondition: Sendable, Hashable {
    /// A condition that is true for every row, or false for every row.
    case constant(Bool)
    /// A condition that compares two operands.
    ///
    /// Both operands must have a common kind. Whole numbers can be compared with doubles and with decimals, but doubles
    /// not with decimals.
    case compare(FetchOperand, FetchComparison, FetchOperand)
    /// A condition that is true if the Boolean operand is `true`; it is false if the operand is null.
    case isTrue(FetchOperand)
    /// A condition that is true if the first text contains the second text; every text contains the empty text.
    ///
    /// The condition is false if either text is null.
    ///
    /// The comparison is by UTF-8 bytes. `ignoringCase` ignores the case of the letters A to Z only; for other letters,
    /// compare the results of ``FetchFunction/lowercased``.
    case contains(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the first text starts with the second text.
    ///
    /// Every text starts with the empty text. The condition is false if either text is null.
    case startsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the first text ends with the second text.
    ///
    /// Every text ends with the empty text. The condition is false if either text is null.
    case endsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the whole text matches the pattern.
    ///
    /// In the pattern, `*` matches any characters and `?` matches one Unicode scalar. A backslash before one of them
    /// makes it literal.
    ///
    /// The condition is false if the operand is null. A pattern has at most 10,000 bytes.
    case like(FetchOperand, String, ignoringCase: Bool = false)
    /// A condition that is true if the list contains the operand's value; a null operand matches if the list contains
    /// null.
    ///
    /// An empty list matches no row. A list of more than 32,000 values can contain only whole numbers, or only texts
    /// without U+0000; null is permitted as well.
    case isIn(FetchOperand, [StoredValue])
    /// A condition that is true if all of the conditions are true; it is true for an empty array.
    ///
    /// The conditions are evaluated in order until one is false.
    case all([FetchCondition])
    /// A condition that is true if at least one of the conditions is true; it is false for an empty array.
    ///
    /// The conditions are evaluated in order until one is true.
    case any([FetchCondition])
    /// A condition that is true if the other condition is false.
    case not(FetchCondition)
    /// A condition that is true if at least one object of the named relationship satisfies the other condition.
    ///
    /// Inside the condition, each name is a property of the related object. Without related objects the condition is
    /// false. For “all related objects satisfy it”, negate a related condition with the negated condition.
    case related(String, FetchCondition)
}

/// The operator of a comparison of two operands.
///
/// Texts are compared by their UTF-8 bytes, and texts of an ordered format by their meaning if the comparison is one of
/// order.
public enum FetchComparison: Sendable, Hashable {
    /// True if both values are equal; null equals null.
    case equal
    /// True if the values are not equal; null equals null.
    case notEqual
    /// True if the left value precedes the right value; false if either is null.
    case less
    /// True if the left value precedes or equals the right value; false if either is null.
    case lessOrEqual
    /// True if the left value follows the right value; false if either is null.
    case greater
    /// True if the left value follows or equals the right value; false if either is null.
    case greaterOrEqual
}

/// An operand of a condition: an expression that has one value for each row.
///
/// The kind of an operand is known before a row is read. Only operands of compatible kinds can be compared or combined;
/// see <doc:ComparisonRules>.
///
/// ## Topics
///
/// ### Values of the row
///
/// - ``property(_:)``
/// - ``constant(_:)``
///
/// ### Calculating
///
/// - ``arithmetic(_:_:_:)``
/// - ``negated(_:)``
/// - ``function(_:_:)``
/// - ``FetchArithmetic``
/// - ``FetchFunction``
///
/// ### Choosing
///
/// - ``coalesce(_:_:)``
/// - ``conditional(_:_:_:)``
/// - ``truth(_:)``
///
/// ### Related objects
///
/// - ``related(_:_:)``
/// - ``relatedCount(_:_:)``
/// - ``relatedAggregate(_:_:_:)``
///
/// ### Groups of rows
///
/// - ``aggregate(_:)``
/// - ``FetchAggregate``
public indirect enum FetchOperand: Sendable, Hashable {
    /// The value of the row's attribute or to-one relationship with this name, or the identifier for `id`.
    ///
    /// A to-one relationship without a column has no value here; use ``related(_:_:)`` with `id`.
    case property(String)
    /// A constant value.
    case constant(StoredValue)
    /// The result of an arithmetic operation on two operands; null if either operand is null.
    ///
    /// Overflow and division by zero fail the request.
    case arithmetic(FetchOperand, FetchArithmetic, FetchOperand)
    /// The operand's number with the opposite sign.
    case negated(FetchOperand)
    /// The result of a function of the operand; null if the operand is null.
    case function(FetchFunction, FetchOperand)
    /// The value of the first operand, or that of the second operand if the first one is null.
    case coalesce(FetchOperand, FetchOperand)
    /// The value of the first operand if the condition is true, otherwise that of the second operand.
    case conditional(FetchCondition, FetchOperand, FetchOperand)
    /// The truth value of a condition, as a Boolean value.
    case truth(FetchCondition)
    /// The count of objects of the named relationship that satisfy the condition: a whole number, never null.
    case relatedCount(String, FetchCondition)
    /// The operand's value for the object of the named to-one relationship; null if there is no such object.
    ///
    /// Nest the case for a path across several relationships. Only to-one relationships have a single value; count the
    /// objects of a to-many relationship, or select by ``FetchCondition/related(_:_:)``.
    case related(String, FetchOperand)
    /// The aggregate over those objects of the named relationship that satisfy the condition.
    ///
    /// Inside the aggregate and the condition, each name is a property of the related object. Without such objects the
    /// value is that of an aggregate of no rows: null, or 0 for a count and a total.
    case relatedAggregate(String, FetchAggregate, FetchCondition)
    /// The aggregate over the rows of a group.
    ///
    /// Only the columns, the condition on groups and the order of groups of a ``StoreSelection`` can contain it.
    case aggregate(FetchAggregate)
}

/// An arithmetic operation on two numbers.
///
/// Whole numbers and decimals are calculated exactly. A request fails with ``PersistenceError/Code/arithmetic`` if a
/// result does not fit, or if a divisor is zero. Decimals can be added, subtracted and multiplied, but not divided.
public enum FetchArithmetic: String, Sendable, Hashable, CaseIterable {
    /// The sum of both numbers.
    case add
    /// The difference of both numbers.
    case subtract
    /// The product of both numbers.
    case multiply
    /// The quotient of two floating-point numbers.
    case divide
    /// The quotient of two whole numbers, rounded toward zero.
    case divideWhole
    /// The remainder of the division of two whole numbers, with the sign of the dividend.
    case remainder
}

extension FetchCondition {
    /// Returns a condition that is true if both conditions are true.
    ///
    /// Nested `all` conditions are merged into one array.
    public static func && (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .all(lhs.conjuncts + rhs.conjuncts)
    }

    /// Returns a condition that is true if at least one of both conditions is true.
    ///
    /// Nested `any` conditions are merged into one array.
    public static func || (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .any(lhs.disjuncts + rhs.disjuncts)
    }

    /// Returns the negation of a condition.
    public static prefix func ! (condition: FetchCondition) -> FetchCondition {
        .not(condition)
    }

    /// The conditions that must all be true for this condition to be true.
    package var conjuncts: [FetchCondition] {
        if case .all(let conditions) = self { conditions } else { [self] }
    }

    /// The conditions of which at least one must be true for this condition to be true.
    package var disjuncts: [FetchCondition] {
        if case .any(let conditions) = self { conditions } else { [self] }
    }
}
