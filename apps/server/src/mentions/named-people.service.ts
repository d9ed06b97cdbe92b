import { decideOnGroup, namedPeople, type Reference } from '@stithy/core'
import { listGroupMemberIds, listMembers, listNamedGroups, listNamedUsers } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'
import { thoseWhoMayRead } from '../items/readers.service.ts'
import { dayOf } from '../members/day.ts'

/** How many names of one text are looked up: the first ones. */
const mostNames = 500
/** How many members of a group or a project one name stands for: the first ones by id. */
const mostMembers = 500

/** People who are named in a text and may read the item that it belongs to, by id. */
export interface People {
  all: ReadonlySet<number>
  /** Those directly addressed, by a name that is new in the text. */
  addressed: ReadonlySet<number>
  /** All others of a new name. */
  mentioned: ReadonlySet<number>
}

/** A text with its references, and the names in lower case that it had before it was edited. */
export interface NamingText {
  text: string
  references: readonly Reference[]
  known: ReadonlySet<string>
}

const nobody: People = { all: new Set(), addressed: new Set(), mentioned: new Set() }

/**
 * Whom a text names: users, the members of groups that the writer may read (`@group/path`, inherited members
 * too), and with `@all` the members of the project, where the writer is one. Queries only where somebody is
 * named, and at most six.
 */
export async function findNamedPeople(
  app: App,
  caller: Caller,
  item: Item,
  { text, references, known }: NamingText,
): Promise<People> {
  const { addressed, mentioned } = namedPeople(text, references)
  const names = [...addressed, ...mentioned].slice(0, mostNames)
  if (names.length === 0) return nobody
  const byName = await peopleByName(app, caller, item, names)
  const readers = await thoseWhoMayRead(app, item, [...byName.values()].flat())
  const readersOf = (some: readonly string[]) =>
    new Set(some.flatMap((name) => byName.get(name) ?? []).filter((id) => readers.has(id)))
  const isNew = (name: string) => !known.has(name)
  const addressees = readersOf(addressed.filter(isNew))
  const others = [...readersOf(mentioned.filter(isNew))].filter((id) => !addressees.has(id))
  return { all: readersOf(names), addressed: addressees, mentioned: new Set(others) }
}

type ByName = ReadonlyMap<string, readonly number[]>

async function peopleByName(
  app: App,
  caller: Caller,
  item: Item,
  names: readonly string[],
): Promise<ByName> {
  const users = await listNamedUsers(app.db, names)
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
  const groups = (await listNamedGroups(app.db, { ...viewer, paths })).filter((group) => {
    const { visibility, level } = group
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    return decideOnGroup('read_group', caller.facts, facts).allowed
  })
  if (groups.length === 0) return
  const groupIds = groups.map(({ id }) => id)
  const members = await listGroupMemberIds(app.db, { groupIds, today, limit: mostMembers })
  for (const { id, fullPath } of groups) {
    found.set(fullPath.toLowerCase(), members.get(id) ?? [])
  }
}

async function membersOfProject(app: App, caller: Caller, item: Item): Promise<number[]> {
  if (item.type === 'epic' || item.project === undefined) return []
  const { row, facts } = item.project
  if (facts.level === 0 && !caller.facts.admin) return []
  const of = { kind: 'project', projectId: row.id, namespaceId: row.namespaceId } as const
  const filter = { of, inherited: true, today: dayOf(app.now()) }
  const members = await listMembers(app.db, filter, { page: 1, perPage: mostMembers })
  return members.items.map((member) => member.id)
}
