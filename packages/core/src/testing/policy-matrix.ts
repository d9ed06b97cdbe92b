import type { ProjectFacts } from '../directory/projects/project-policy.ts'
import type { CallerFacts } from '../platform/access/caller.ts'
import type { Decision } from '../platform/access/rule.ts'

/** User ids in policy tests. */
export const ids = { author: 1, assignee: 2, other: 3 } as const

export const anonymousCaller: CallerFacts = { userId: null, admin: false, external: false }

/** A signed-in caller, by default neither author nor assignee. */
export function caller(facts: Partial<CallerFacts> = {}): CallerFacts {
  return { userId: ids.other, admin: false, external: false, ...facts }
}

/** A private project with every feature; by default the caller is not a member. */
export function projectFacts(facts: Partial<ProjectFacts> = {}): ProjectFacts {
  const features = {
    issues: 'enabled',
    repository: 'enabled',
    merge_requests: 'enabled',
    builds: 'enabled',
    wiki: 'enabled',
    snippets: 'enabled',
  } as const
  return { visibility: 'private', archived: false, level: 0, features, ...facts }
}

/** A caller, and the project as they see it. */
export interface Viewer {
  name: string
  caller: CallerFacts
  project: ProjectFacts
}

function viewer(name: string, by: CallerFacts, facts: Partial<ProjectFacts>): Viewer {
  return { name, caller: by, project: projectFacts(facts) }
}

const open = { visibility: 'public' } as const

/**
 * Columns of the matrices: on a public project anonymous, external and signed-in callers; on a
 * private one a non-member, a guest, the author and an assignee as guests, the levels 20 to 50, and
 * an administrator.
 */
export const viewers: readonly Viewer[] = [
  viewer('anonymous on a public project', anonymousCaller, open),
  viewer('external on a public project', caller({ external: true }), open),
  viewer('a non-member on a public project', caller(), open),
  viewer('a non-member', caller(), {}),
  viewer('a guest', caller(), { level: 10 }),
  viewer('the author, a guest', caller({ userId: ids.author }), { level: 10 }),
  viewer('an assignee, a guest', caller({ userId: ids.assignee }), { level: 10 }),
  ...[20, 30, 40, 50].map((level) => viewer(`level ${level}`, caller(), { level })),
  viewer('an administrator', caller({ admin: true }), {}),
]

/** `y` allowed, `-` forbidden, `?` absent, `!` refused in another way. */
export function letterOf({ allowed, refusal }: Decision): string {
  if (allowed) return 'y'
  if (refusal === undefined) return '-'
  return refusal === 'absent' ? '?' : '!'
}

/** The row of an ability in the columns of `viewers`, in groups of three, four and five. */
export function rowOf(decide: (viewer: Viewer) => Decision): string {
  const letters = viewers.map((one) => letterOf(decide(one)))
  return [letters.slice(0, 3), letters.slice(3, 7), letters.slice(7)]
    .map((group) => group.join(''))
    .join(' ')
}

/** The rows of all abilities of a policy. */
export function matrixOf<Ability extends string>(
  rules: Readonly<Record<Ability, unknown>>,
  decide: (ability: Ability, viewer: Viewer) => Decision,
): Record<string, string> {
  const abilities = Object.keys(rules) as Ability[]
  return Object.fromEntries(
    abilities.map((ability) => [ability, rowOf((one) => decide(ability, one))]),
  )
}
