import { AccessLevel } from '../access/level.ts'
import { patternMatcher } from './ref-pattern.rules.ts'

/** Whom a protection lets pass: everybody from a level on, one user, or the members of a group. */
export interface AccessEntry {
  /** Exactly one of the three is not null. */
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}

/** One protected branch or tag, or wildcard, with what it lets pass by action. */
export interface Protection {
  name: string
  push: readonly AccessEntry[]
  merge: readonly AccessEntry[]
  unprotect: readonly AccessEntry[]
  create: readonly AccessEntry[]
}

/** Who wants to change a ref. */
export interface RefActor {
  userId: number | null
  admin: boolean
  /** The effective level in the project. */
  level: number
  /** Groups that the project is shared with and that the user is a member of. */
  groupIds: ReadonlySet<number>
  /** Whether pushing to the project is allowed at all, apart from what protects its refs. */
  mayPush: boolean
  /** A machine's key that may write: levels do not apply to it (catalogue: repository, 11). */
  deployKey: boolean
}

/** Whether one entry is enough. Administrators pass every one but level 0. */
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

/**
 * Whether any of the protections lets an action pass: of several matching ones the most permissive
 * decides (catalogue: repository, 6).
 */
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

/** Whether developers in general may push or merge; see `developers_can_push` (document 1, Branch). */
export function letsDevelopers(
  protections: readonly Protection[],
  action: 'push' | 'merge',
): boolean {
  return protections.some((protection) =>
    protection[action].some(({ accessLevel }) => accessLevel === AccessLevel.developer),
  )
}

/**
 * Whether a protection may be lifted or changed, by somebody who may change protections at all.
 * Administrators always may, so that nothing stays locked for good; maintainers may where nobody is
 * left of those that were named.
 */
export function mayUnprotect({ unprotect }: Protection, actor: RefActor): boolean {
  if (actor.admin || unprotect.length === 0) return true
  return unprotect.some((entry) => passesEntry(entry, actor))
}

/** Finds the protections of a name: those of the very name, then wildcards. */
export type ProtectionFinder = (name: string) => readonly Protection[]

/** Prepares protections for many look-ups; only wildcards cost more the more there are. */
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
