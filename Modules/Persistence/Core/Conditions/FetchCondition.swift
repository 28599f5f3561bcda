/// A condition that selects the rows of a request: a small tree that each store translates or evaluates.
///
/// `#Predicate` is translated into this type, requests combine its values, and stores receive no other kind of
/// condition. A condition is true or false, never unknown: a comparison of null by `<` is false, and its negation is
/// true. <doc:ComparisonRules> has the rules.
public indirect enum FetchCondition: Sendable, Hashable {
    /// A condition that is true for every row, or false for every row.
    case constant(Bool)
    /// A condition that compares two operands.
    case compare(FetchOperand, FetchComparison, FetchOperand)
    /// A condition that is true if the Boolean operand is `true`; it is false if the operand is null.
    case isTrue(FetchOperand)
    /// A condition that is true if the first text contains the second text; every text contains the empty text.
    ///
    /// The condition is false if either text is null.
    case contains(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the first text starts with the second text.
    case startsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the first text ends with the second text.
    case endsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// A condition that is true if the whole text matches the pattern.
    ///
    /// In the pattern, `*` matches any characters and `?` matches one Unicode scalar. A backslash before one of them
    /// makes it literal.
    case like(FetchOperand, String, ignoringCase: Bool = false)
    /// A condition that is true if the list contains the operand's value; a null operand matches if the list contains
    /// null.
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
    case related(String, FetchCondition)
}

/// The operator of a comparison of two operands.
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
public indirect enum FetchOperand: Sendable, Hashable {
    /// The value of the row's attribute or to-one relationship with this name, or the identifier for `id`.
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
    case related(String, FetchOperand)
}

/// An arithmetic operation on two numbers.
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
