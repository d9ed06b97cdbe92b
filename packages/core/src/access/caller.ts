import type { Visibility } from './level.ts'

/** What the policies know of who calls; an anonymous caller has no `userId`. */
export interface CallerFacts {
  userId: number | null
  admin: boolean
  /** External users see internal and public things as anonymous callers do. */
  external: boolean
}

export const anonymous: CallerFacts = { userId: null, admin: false, external: false }

/** Whether visitors, that is callers who are no members, may see a thing of this visibility. */
export function isOpenTo(caller: CallerFacts, visibility: Visibility): boolean {
  if (visibility === 'public') return true
  return visibility === 'internal' && isInsider(caller)
}

/** A signed-in user who is not external. */
export function isInsider(caller: CallerFacts): boolean {
  return caller.userId !== null && !caller.external
}
