import { AccessLevel } from '../../platform/access/level.ts'
import { patternMatcher } from '../../platform/text/wildcard.rules.ts'

/**
 * One access rule of a protection: everyone from a level on, one user, or the members of a group.
 */
export interface AccessEntry {
  /** Exactly one of the three is not null. */
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}

/** A protected branch, tag or wildcard, with its access rules by action. */
export interface Protection {
  name: string
  push: readonly AccessEntry[]
  merge: readonly AccessEntry[]
  unprotect: readonly AccessEntry[]
  create: readonly AccessEntry[]
}

/** The user or deploy key that changes a ref. */
export interface RefActor {
  userId: number | null
  admin: boolean
  /** The effective level in the project. */
  level: number
  /** Groups that the project is shared with and that the user is a member of. */
  groupIds: ReadonlySet<number>
  /** Whether the user may push to the project at all, apart from protected refs. */
  mayPush: boolean
  /** Branches that the user may move all the same, unless they are protected. */
  collaborationBranches?: ReadonlySet<string>
  /** A deploy key with write access: levels do not apply to it. */
  deployKey: boolean
}

/**
 * Whether one access rule allows the actor. Administrators are allowed by every rule but level 0.
 */
export function passesEntry(entry: AccessEntry, actor: RefActor): boolean {
  const { accessLevel, userId, groupId } = entry
  if (accessLevel === AccessLevel.none) return false
  if (actor.admin) return true
  if (accessLevel !== null) {
    return accessLevel < AccessLevel.admin && actor.level >= accessLevel
  }
  if (userId !== null) return userId === actor.userId
  return groupId !== null && actor.groupIds.has(groupId)
}

/** Whether any of the matching protections allows an action: the most permissive one decides. */
export function passesAny(
  protections: readonly Protection[],
  action: 'push' | 'merge' | 'create',
  actor: RefActor,
): boolean {
  if (actor.deployKey) return true
  return protections.some((protection) =>
    protection[action].some((entry) => passesEntry(entry, actor)),
  )
}

/** Whether developers in general may push or merge, as in `developers_can_push` of branches. */
export function allowsDevelopers(
  protections: readonly Protection[],
  action: 'push' | 'merge',
): boolean {
  return protections.some((protection) =>
    protection[action].some(({ accessLevel }) => accessLevel === AccessLevel.developer),
  )
}

/**
 * Whether an actor who may manage protections may change or remove this one. Administrators always
 * may, so that no branch stays locked; maintainers may when no user or group of its rules is left.
 */
export function mayUnprotect({ unprotect }: Protection, actor: RefActor): boolean {
  if (actor.admin || unprotect.length === 0) return true
  return unprotect.some((entry) => passesEntry(entry, actor))
}

/** Finds the protections of a name: exact names first, then wildcards. */
export type ProtectionFinder = (name: string) => readonly Protection[]

/** Indexes protections for many look-ups; only the cost of wildcards grows with their number. */
export function protectionFinder(protections: readonly Protection[]): ProtectionFinder {
  const exact = new Map(protections.map((protection) => [protection.name, protection]))
  const wildcards = protections
    .filter(({ name }) => name.includes('*'))
    .map((protection) => ({ protection, matches: patternMatcher(protection.name) }))
  return (name) => {
    const own = exact.get(name)
    const wide = wildcards.filter(({ matches }) => matches(name))
    return [...(own ? [own] : []), ...wide.map(({ protection }) => protection)]
  }
}
