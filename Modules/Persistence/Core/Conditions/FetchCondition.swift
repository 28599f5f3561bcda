/// The condition that selects a request's rows: a small tree that each store translates or evaluates.
///
/// `#Predicate` is translated into it, requests combine it, and stores receive no other form. It has two truth values:
/// a comparison with null by `<` is false, not unknown, and its negation is true. <doc:ComparisonRules> has the rules.
public indirect enum FetchCondition: Sendable, Hashable {
    /// The condition is true for every row, or for none.
    case constant(Bool)
    /// The comparison of two values is true.
    case compare(FetchOperand, FetchComparison, FetchOperand)
    /// The Boolean value is true; for null the condition is false.
    case isTrue(FetchOperand)
    /// The first text contains the second; every text contains the empty text.
    ///
    /// The condition is false if either value is null.
    case contains(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The first text starts with the second.
    case startsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The first text ends with the second.
    case endsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The whole text matches the pattern.
    ///
    /// In the pattern, `*` matches any characters and `?` matches one Unicode scalar. A backslash before one of them
    /// makes it literal.
    case like(FetchOperand, String, ignoringCase: Bool = false)
    /// The list contains the value; null matches if the list contains null.
    case isIn(FetchOperand, [StoredValue])
    /// Every condition is true; an empty list is true.
    ///
    /// The conditions are evaluated in order until one is false.
    case all([FetchCondition])
    /// At least one condition is true; an empty list is false.
    ///
    /// The conditions are evaluated in order until one is true.
    case any([FetchCondition])
    /// The condition is false.
    case not(FetchCondition)
    /// At least one of the objects of the named relationship satisfies the condition.
    case related(String, FetchCondition)
}

/// The operator of a comparison.
public enum FetchComparison: Sendable, Hashable {
    /// The values are equal; null equals null.
    case equal
    /// The values are not equal.
    case notEqual
    /// The first value precedes the second; false if either is null.
    case less
    /// The first value precedes or equals the second; false if either is null.
    case lessOrEqual
    /// The first value follows the second; false if either is null.
    case greater
    /// The first value follows or equals the second; false if either is null.
    case greaterOrEqual
}

/// A value in a condition.
public indirect enum FetchOperand: Sendable, Hashable {
    /// The row's attribute, to-one relationship, or `id`, by its name.
    case property(String)
    /// A constant value.
    case constant(StoredValue)
    /// The result of an operation on two numbers; null if either is null.
    ///
    /// Overflow and division by zero are errors.
    case arithmetic(FetchOperand, FetchArithmetic, FetchOperand)
    /// The number with the opposite sign.
    case negated(FetchOperand)
    /// The result of a function; null for null.
    case function(FetchFunction, FetchOperand)
    /// The first value, or the second value if the first is null.
    case coalesce(FetchOperand, FetchOperand)
    /// The first value if the condition is true, otherwise the second value.
    case conditional(FetchCondition, FetchOperand, FetchOperand)
    /// The truth value of a condition.
    case truth(FetchCondition)
    /// The count of objects of the named relationship that satisfy the condition: a whole number, never null.
    case relatedCount(String, FetchCondition)
    /// The operand's value for the object of the named to-one relationship; null if the relationship is empty.
    case related(String, FetchOperand)
}

/// An arithmetic operation.
public enum FetchArithmetic: String, Sendable, Hashable, CaseIterable {
    /// The sum.
    case add
    /// The difference.
    case subtract
    /// The product.
    case multiply
    /// The quotient of floating-point numbers.
    case divide
    /// The quotient of whole numbers, rounded toward zero.
    case divideWhole
    /// The remainder of the division of whole numbers, with the dividend's sign.
    case remainder
}

extension FetchCondition {
    /// Returns a condition that is true if both are true; nested lists are flattened.
    public static func && (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .all(lhs.conjuncts + rhs.conjuncts)
    }

    /// Returns a condition that is true if at least one is true; nested lists are flattened.
    public static func || (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .any(lhs.disjuncts + rhs.disjuncts)
    }

    /// Returns the negation of a condition.
    public static prefix func ! (condition: FetchCondition) -> FetchCondition {
        .not(condition)
    }

    /// The conditions whose conjunction is equivalent to this one.
    package var conjuncts: [FetchCondition] {
        if case .all(let conditions) = self { conditions } else { [self] }
    }

    /// The conditions whose disjunction is equivalent to this one.
    package var disjuncts: [FetchCondition] {
        if case .any(let conditions) = self { conditions } else { [self] }
    }
}
