import {
  type CallerFacts,
  type GroupFacts,
  groupPolicy,
  isOpenTo,
  notFound,
  parsePathOrId,
} from '@stithy/core'
import {
  findGroup,
  findGroupFor,
  hasReadableProjectInside,
  type GroupRow as StoredGroup,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { enforce } from '../../platform/http/authorize.ts'
import { subjectType } from '../../platform/http/subjects.ts'
import { followRedirects } from '../redirects/moved-path.service.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    group: GroupSubject
  }
}

/** A stored group. */
export interface GroupRow extends StoredGroup {}

/** The group named by the path, with the facts that the policy needs. */
export interface GroupSubject {
  row: GroupRow
  facts: GroupFacts
}

/**
 * Loads a group by id or full path with the caller's facts, whether it is visible to them or not.
 * One query; a second one where only a project inside can make the group readable.
 */
export async function loadGroup(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<GroupSubject | undefined> {
  const key = parsePathOrId(ref)
  if (key === undefined) return undefined
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
  return groupSubject(
    row,
    0,
    await hasReadableProjectInside(app.db, { ...viewer, groupId: row.id }),
  )
}

/** The subject type of `:id` in group endpoints. */
export const groupSubjectType = subjectType({
  policy: groupPolicy,
  find: ({ app, caller, ref }) => loadGroup(app, ref, caller),
  async findMoved({ app, caller, ref }) {
    const path = await followRedirects(app.db, ref)
    return path === undefined ? undefined : (await loadGroup(app, path, caller))?.row.id
  },
  factsOf: ({ facts }: GroupSubject) => facts,
})

/** Loads a group that the caller may see. @throws DomainError `not_found` */
export async function requireGroup(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<GroupSubject> {
  const group = await loadGroup(app, ref, caller)
  if (group === undefined) throw notFound('Group')
  enforce(groupPolicy.decide('read_group', caller.facts, group.facts), caller, 'Group')
  return group
}

function groupSubject(row: GroupRow, level: number, holdsReadableProject: boolean): GroupSubject {
  return { row, facts: { visibility: row.visibility, level, holdsReadableProject } }
}
