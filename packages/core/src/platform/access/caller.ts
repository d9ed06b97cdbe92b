import type { Visibility } from './level.ts'

/** What policies need of the caller; an anonymous caller has no `userId`. */
export interface CallerFacts {
  userId: number | null
  admin: boolean
  /** External users see internal and public resources like anonymous callers do. */
  external: boolean
}

export const anonymous: CallerFacts = { userId: null, admin: false, external: false }

/** Whether a resource of this visibility is visible to callers who are not members. */
export function isOpenTo(caller: CallerFacts, visibility: Visibility): boolean {
  if (visibility === 'public') return true
  return visibility === 'internal' && isInternalUser(caller)
}

/** Whether the caller is signed in and not external. */
export function isInternalUser(caller: CallerFacts): boolean {
  return caller.userId !== null && !caller.external
}
