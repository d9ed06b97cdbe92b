import { decideOnGroup, type WrittenMentions } from '@stithy/core'
import {
  listGroupMemberIds,
  listMembers,
  listMentionedGroups,
  listMentionedUsers,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { ItemDraft } from '../items/item.ts'
import { filterReaders } from '../items/readers.service.ts'

/** The maximum number of members that a group or project name stands for: the first by id. */
const maxMembers = 500

/** Ids of users who are mentioned in a text and may read its item. */
export interface MentionedUsers {
  all: ReadonlySet<number>
  /** Users who are newly mentioned at the start of a line. */
  addressed: ReadonlySet<number>
  /** Other users who are newly mentioned. */
  mentioned: ReadonlySet<number>
}

const nobody: MentionedUsers = { all: new Set(), addressed: new Set(), mentioned: new Set() }

/**
 * Finds the users that a text mentions: users, members of groups that the author may read
 * (`@group/path`, including inherited members), and for `@all` the members of the project, if the
 * author is one. No queries if nobody is mentioned, at most six otherwise.
 */
export async function findMentionedUsers(
  app: App,
  caller: Caller,
  item: ItemDraft,
  { addressed, mentioned, previousNames }: WrittenMentions,
): Promise<MentionedUsers> {
  const names = [...addressed, ...mentioned]
  if (names.length === 0) return nobody
  const byName = await usersByName(app, caller, item, names)
  const readers = await filterReaders(app, item, [...byName.values()].flat())
  const readerIds = (some: readonly string[]) =>
    new Set(some.flatMap((name) => byName.get(name) ?? []).filter((id) => readers.has(id)))
  const isNew = (name: string) => !previousNames.includes(name)
  const addressees = readerIds(addressed.filter(isNew))
  const others = [...readerIds(mentioned.filter(isNew))].filter((id) => !addressees.has(id))
  return { all: readerIds(names), addressed: addressees, mentioned: new Set(others) }
}

type ByName = ReadonlyMap<string, readonly number[]>

async function usersByName(
  app: App,
  caller: Caller,
  item: ItemDraft,
  names: readonly string[],
): Promise<ByName> {
  const users = await listMentionedUsers(app.db, names)
  const found = new Map<string, readonly number[]>()
  for (const { id, usernameLower } of users) found.set(usernameLower, [id])
  const rest = names.filter((name) => !found.has(name))
  const groups = rest.filter((name) => name !== 'all')
  if (groups.length > 0) await addGroups(app, caller, groups, found)
  if (rest.includes('all')) found.set('all', await membersOfProject(app, caller, item))
  return found
}

async function addGroups(
  app: App,
  caller: Caller,
  paths: readonly string[],
  found: Map<string, readonly number[]>,
): Promise<void> {
  const today = dayOf(app.now())
  const viewer = { userId: caller.facts.userId ?? 0, today }
  const groups = (await listMentionedGroups(app.db, { ...viewer, paths })).filter((group) => {
    const { visibility, level } = group
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    return decideOnGroup('read_group', caller.facts, facts).allowed
  })
  if (groups.length === 0) return
  const groupIds = groups.map(({ id }) => id)
  const members = await listGroupMemberIds(app.db, { groupIds, today, limit: maxMembers })
  for (const { id, fullPath } of groups) {
    found.set(fullPath.toLowerCase(), members.get(id) ?? [])
  }
}

async function membersOfProject(app: App, caller: Caller, item: ItemDraft): Promise<number[]> {
  if (item.type === 'epic' || item.project === undefined) return []
  const { row, facts } = item.project
  if (facts.level === 0 && !caller.facts.admin) return []
  const of = { kind: 'project', projectId: row.id, namespaceId: row.namespaceId } as const
  const filter = { of, inherited: true, today: dayOf(app.now()) }
  const members = await listMembers(app.db, filter, { page: 1, perPage: maxMembers })
  return members.items.map((member) => member.id)
}
