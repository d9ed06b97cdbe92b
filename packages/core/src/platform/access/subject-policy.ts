import type { CallerFacts } from './caller.ts'
import type { Decision } from './rule.ts'

/** The policy of one type of subject, with the abilities that an endpoint's `auth` can name. */
export interface SubjectPolicy<Ability extends string, Facts> {
  /** `Issue` in `404 Issue Not Found`. */
  title: string
  /** The rule of each ability. */
  rules: Readonly<Record<Ability, unknown>>
  /** The parent type of subject, unless the endpoint's `within` names one. */
  parent?: string
  /**
   * What the caller must be able to do to the parent before the subject itself is looked up.
   * @param parent the type of the parent
   */
  onParent?(ability: Ability, parent: string): readonly string[]
  decide(ability: Ability, caller: CallerFacts, facts: Facts): Decision
}

/** Any policy: its user knows which abilities and facts it takes. */
export type AnySubjectPolicy = SubjectPolicy<string, unknown>

/** One subject on the path to the endpoint's subject, and the abilities that are checked on it. */
export interface AccessStep {
  /** The type of subject. */
  subject: string
  abilities: readonly string[]
}

/**
 * The subjects that a call is authorized on, outermost first: the project of the issue, the issue,
 * its note.
 * @param within the types of the parents from the outside in, if not the default ones
 * @throws Error for an unknown type of subject
 */
export function accessSteps(
  policies: Readonly<Record<string, AnySubjectPolicy>>,
  auth: { on: string; ability: string; within?: readonly string[] },
): AccessStep[] {
  const steps: AccessStep[] = []
  const parents = [...(auth.within ?? [])]
  let subject: string | undefined = auth.on
  let abilities: readonly string[] = [auth.ability]
  while (subject !== undefined) {
    const policy: AnySubjectPolicy | undefined = policies[subject]
    if (policy === undefined) throw new Error(`no policy for the subject ${subject}`)
    steps.unshift({ subject, abilities })
    const parent: string | undefined = parents.pop() ?? policy.parent
    if (parent === undefined) return steps
    const required = abilities.flatMap((ability) => policy.onParent?.(ability, parent) ?? [])
    abilities = [...new Set(required)]
    subject = parent
  }
  return steps
}
