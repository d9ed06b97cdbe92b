/**
 * What a request's parameters must be together, which the schema of each cannot state. A blank value
 * counts for `atLeastOneOf` where it clears something, and nowhere else.
 */
export type ParameterConstraint =
  | {
      atLeastOneOf: readonly string[]
      /** The error, where v4 clients know another than the list of all names. */
      message?: string
    }
  | { exactlyOneOf: readonly string[] }
  | { mutuallyExclusive: readonly [string, string] }
  | { allOrNoneOf: readonly [string, string] }
  /** The first needs the second. */
  | { dependent: readonly [string, string] }

/** Whether a request without parameters breaks a constraint. */
export function needsParameters(constraint: ParameterConstraint): boolean {
  return 'atLeastOneOf' in constraint || 'exactlyOneOf' in constraint
}

/** The parameters that a constraint is about. */
export function constrainedNames(constraint: ParameterConstraint): readonly string[] {
  if ('atLeastOneOf' in constraint) return constraint.atLeastOneOf
  if ('exactlyOneOf' in constraint) return constraint.exactlyOneOf
  if ('allOrNoneOf' in constraint) return constraint.allOrNoneOf
  if ('dependent' in constraint) return constraint.dependent
  return constraint.mutuallyExclusive
}

/** The sentence that documents a constraint. */
export function constraintSentence(constraint: ParameterConstraint): string {
  const names = constrainedNames(constraint).map((name) => `\`${name}\``)
  if ('atLeastOneOf' in constraint) return `At least one of ${names.join(', ')} must be sent.`
  if ('exactlyOneOf' in constraint) return `Exactly one of ${names.join(', ')} must be sent.`
  if ('allOrNoneOf' in constraint) return `${names.join(' and ')} must be sent together.`
  if ('dependent' in constraint) return `${names.join(' needs ')}.`
  return `${names.join(' and ')} exclude each other.`
}

/** A constraint on the members of an object as JSON schema. */
export function constraintSchema(constraint: ParameterConstraint): Record<string, unknown> {
  const names = constrainedNames(constraint)
  const each = names.map((name) => ({ required: [name] }))
  if ('atLeastOneOf' in constraint) return { anyOf: each }
  if ('exactlyOneOf' in constraint) return { oneOf: each }
  if ('mutuallyExclusive' in constraint) return { not: { required: names } }
  if ('dependent' in constraint) {
    const [one, other] = constraint.dependent
    return { dependentRequired: { [one]: [other] } }
  }
  const [one, other] = constraint.allOrNoneOf
  return { dependentRequired: { [one]: [other], [other]: [one] } }
}
