import { type CallerFacts, type GroupFacts, isOpenTo } from '@stithy/core'
import {
  findGroup,
  findGroupFor,
  type GroupKey,
  holdsProjectOf,
  type GroupRow as StoredGroup,
} from '@stithy/store'
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'

/** A group as it is stored. */
export interface GroupRow extends StoredGroup {}

/** The group that a path names, loaded once, with what the policy needs to know of it. */
export interface GroupSubject {
  row: GroupRow
  facts: GroupFacts
}

/**
 * The group of an id or a full path, with the facts of the caller, whether visible to them or not.
 * One query; a second one where only a project inside can make the group readable.
 */
export async function loadGroup(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<GroupSubject | undefined> {
  const key = groupKey(ref)
  const { facts } = caller
  if (facts.userId === null) {
    const row = await findGroup(app.db, key)
    return row && groupSubject(row, 0, false)
  }
  const viewer = { userId: facts.userId, today: dayOf(app.now()) }
  const found = await findGroupFor(app.db, key, viewer)
  if (found === undefined) return undefined
  const { level, ...row } = found
  if (level !== null || facts.admin || isOpenTo(facts, row.visibility)) {
    return groupSubject(row, level ?? 0, false)
  }
  return groupSubject(row, 0, await holdsProjectOf(app.db, { ...viewer, groupId: row.id }))
}

/** What a reference to a group means. */
function groupKey(ref: string): GroupKey {
  return /^\d{1,15}$/.test(ref) ? { id: Number(ref) } : { fullPathLower: ref.toLowerCase() }
}

function groupSubject(row: GroupRow, level: number, holdsReadableProject: boolean): GroupSubject {
  return { row, facts: { visibility: row.visibility, level, holdsReadableProject } }
}
