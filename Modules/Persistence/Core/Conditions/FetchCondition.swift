/// What rows a request selects: a small tree of values that every store translates or evaluates in its own way.
///
/// `#Predicate` is lowered into it, requests combine it, and a store sees nothing else. Truth has two values: a comparison with
/// null by `<` is false, not unknown, and its negation is true. <doc:ComparisonRules> has the rules.
public indirect enum FetchCondition: Sendable, Hashable {
    /// Every row, or none.
    case constant(Bool)
    /// Two values compared.
    case compare(FetchOperand, FetchComparison, FetchOperand)
    /// A truth value is true; null is not.
    case isTrue(FetchOperand)
    /// The first text contains the second; the empty text is in every text. Null contains nothing and is in nothing.
    case contains(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The first text starts with the second.
    case startsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The first text ends with the second.
    case endsWith(FetchOperand, FetchOperand, ignoringCase: Bool = false)
    /// The whole text is as the pattern: `*` stands for any characters, `?` for one Unicode scalar, a backslash before them for themselves.
    case like(FetchOperand, String, ignoringCase: Bool = false)
    /// The value is one of the list; null is when the list holds null.
    case isIn(FetchOperand, [StoredValue])
    /// Every one holds; evaluated from the first to the last and not beyond the first that does not. True when empty.
    case all([FetchCondition])
    /// At least one holds; evaluated from the first to the last and not beyond the first that does. False when empty.
    case any([FetchCondition])
    /// The condition does not hold.
    case not(FetchCondition)
    /// At least one of the objects that a relationship leads to, by its name, fulfils the condition.
    case related(String, FetchCondition)
}

/// How two values are compared.
public enum FetchComparison: Sendable, Hashable {
    /// The same value; null is the same as null.
    case equal
    /// Not the same value.
    case notEqual
    /// Before it; false when either is null.
    case less
    /// Before it or equal; false when either is null.
    case lessOrEqual
    /// After it; false when either is null.
    case greater
    /// After it or equal; false when either is null.
    case greaterOrEqual
}

/// A value in a condition.
public indirect enum FetchOperand: Sendable, Hashable {
    /// The row's attribute, to-one relationship, or `id`, by name.
    case property(String)
    /// A fixed value.
    case constant(StoredValue)
    /// Two numbers calculated; null when either is. Overflow and division by zero are errors.
    case arithmetic(FetchOperand, FetchArithmetic, FetchOperand)
    /// The number with its sign turned.
    case negated(FetchOperand)
    /// What a function makes of a value; null of null.
    case function(FetchFunction, FetchOperand)
    /// The first value, or the second where the first is null.
    case coalesce(FetchOperand, FetchOperand)
    /// The first value where the condition holds, the second where it does not.
    case conditional(FetchCondition, FetchOperand, FetchOperand)
    /// A condition's truth as a value.
    case truth(FetchCondition)
    /// How many of the objects that a relationship leads to, by its name, fulfil the condition: a whole number, never null.
    case relatedCount(String, FetchCondition)
    /// The value of the operand for the object that a to-one relationship leads to, by its name; null where it leads to none.
    case related(String, FetchOperand)
}

/// What is calculated.
public enum FetchArithmetic: String, Sendable, Hashable, CaseIterable {
    /// The sum.
    case add
    /// The difference.
    case subtract
    /// The product.
    case multiply
    /// The quotient of floating-point numbers.
    case divide
    /// The quotient of whole numbers, cut towards zero.
    case divideWhole
    /// What the division of whole numbers leaves, with the dividend's sign.
    case remainder
}

extension FetchCondition {
    /// Both hold; nested lists are made one.
    public static func && (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .all(lhs.conjuncts + rhs.conjuncts)
    }

    /// At least one holds; nested lists are made one.
    public static func || (lhs: FetchCondition, rhs: FetchCondition) -> FetchCondition {
        .any(lhs.disjuncts + rhs.disjuncts)
    }

    /// The condition does not hold.
    public static prefix func ! (condition: FetchCondition) -> FetchCondition {
        .not(condition)
    }

    /// The conditions that all hold where this one does.
    package var conjuncts: [FetchCondition] {
        if case .all(let conditions) = self { conditions } else { [self] }
    }

    /// The conditions of which one holds where this one does.
    package var disjuncts: [FetchCondition] {
        if case .any(let conditions) = self { conditions } else { [self] }
    }
}
