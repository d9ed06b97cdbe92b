import type { CallerFacts } from '../platform/access/caller.ts'
import type { Visibility } from '../platform/access/level.ts'
import { refusalError } from '../platform/access/rule.ts'
import { accessSteps, type SubjectPolicy } from '../platform/access/subject-policy.ts'
import type { EndpointSpec } from '../platform/contract/endpoint.ts'
import { DomainError } from '../platform/errors.ts'
import { type SubjectType, subjectPolicies } from './abilities.ts'

/**
 * Callers in the permission matrix. Members are members of the project's group; the author has
 * created everything in it and the assignee is assigned to its issues and merge requests, both as
 * guests.
 */
export const callerKinds = [
  'anonymous',
  'external',
  'non_member',
  'guest',
  'author',
  'assignee',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'administrator',
] as const
export type CallerKind = (typeof callerKinds)[number]

const authorId = 1
const assigneeId = 2
const otherUserId = 3

const callers: Record<CallerKind, { level: number; facts: CallerFacts }> = {
  anonymous: { level: 0, facts: { userId: null, admin: false, external: false } },
  external: member(0, { external: true }),
  non_member: member(0),
  guest: member(10),
  author: member(10, { userId: authorId }),
  assignee: member(10, { userId: assigneeId }),
  reporter: member(20),
  developer: member(30),
  maintainer: member(40),
  owner: member(50),
  administrator: member(0, { admin: true }),
}

function member(level: number, facts: Partial<CallerFacts> = {}) {
  return { level, facts: { userId: otherUserId, admin: false, external: false, ...facts } }
}

type FactsOf<P> = P extends SubjectPolicy<infer _Ability, infer Facts> ? Facts : never
type AllFacts = { [S in SubjectType]: FactsOf<(typeof subjectPolicies)[S]> }

/**
 * A group and a project in it with every feature, both of one visibility, as one caller sees them.
 */
function parentsOf(level: number, visibility: Visibility) {
  const features = {
    issues: 'enabled',
    repository: 'enabled',
    merge_requests: 'enabled',
    builds: 'enabled',
    wiki: 'enabled',
    snippets: 'enabled',
  } as const
  return {
    project: { visibility, archived: false, level, features },
    group: { visibility, level, holdsReadableProject: false },
  }
}

/**
 * Facts for every policy in the project and the group; `parent` is the noteable that a note is on.
 */
function factsOf(kind: CallerKind, visibility: Visibility, parent: string | undefined): AllFacts {
  const { level, facts } = callers[kind]
  const { project, group } = parentsOf(level, visibility)
  const assigned = facts.userId === assigneeId
  const item = { discussionLocked: false, authorId, assigned }
  const snippet = { visibility, authorId }
  const noted = parent === 'epic' ? { scope: { group } } : { scope: { project } }
  const requestAuthorId = parent === 'merge_request' ? authorId : undefined
  return {
    award: { ...noted, userId: authorId },
    commit: { project },
    discussion: { ...noted, requestAuthorId },
    epic: { group },
    group,
    group_member: { source: group, own: false },
    instance: { canCreateGroup: true },
    issue: { project, issue: { ...item, confidential: false } },
    merge_request: { project, request: item },
    note: { ...noted, requestAuthorId, authorId, system: false },
    personal_snippet: { project: undefined, snippet },
    project,
    project_member: { source: project, own: false },
    snippet: { project, snippet },
    suggestion: { project, request: item },
    todo: { userId: authorId },
  }
}

/**
 * The refusal of a call by its contract and policies, before its parameters are validated;
 * undefined when the caller is allowed. Assumes that tier and token scope suffice.
 */
export function refusalOf(
  { auth }: Pick<EndpointSpec, 'auth'>,
  kind: CallerKind,
  visibility: Visibility,
): DomainError | undefined {
  if (auth === 'public' || auth === 'optional') return undefined
  const { facts: caller } = callers[kind]
  if (caller.userId === null && auth.anonymous !== true) return new DomainError('unauthorized')
  if (auth.on === undefined) return undefined
  const facts = factsOf(kind, visibility, auth.within?.at(0))
  for (const { subject, abilities } of accessSteps(subjectPolicies, auth)) {
    const type = subject as SubjectType
    const policy: SubjectPolicy<string, unknown> = subjectPolicies[type]
    for (const ability of abilities) {
      const decision = policy.decide(ability, caller, facts[type])
      if (!decision.allowed) return refusalError(decision, caller, policy.title)
    }
  }
  return undefined
}
