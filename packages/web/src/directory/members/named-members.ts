import { StithyError } from '@stithy/client'
import type { FormError } from '../../platform/forms/submit.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** Users and groups that a form names. */
export interface NamedMembers {
  userIds: number[]
  groupIds: number[]
  /** Names that nobody has, as errors of their fields. */
  formErrors: FormError[]
}

interface Names {
  /** Usernames, with or without `@`, between commas or blanks. */
  users: { field: string; text: string }
  /** Full paths of groups. */
  groups: { field: string; text: string }
}

/** The most names that are looked up: each is a call. */
const maxNames = 50

/** Looks up the users and groups that a form names. */
export async function findNamedMembers(
  { client }: Pick<PageCall, 'client'>,
  { users, groups }: Names,
): Promise<NamedMembers> {
  const [foundUsers, foundGroups] = await loadAll([
    findAll(users, async (name) => {
      const { items } = await client.users.list({ username: name.replace('@', '') })
      return items[0]?.id
    }),
    findAll(groups, (name) => findGroup(client, name)),
  ])
  return {
    userIds: foundUsers.ids,
    groupIds: foundGroups.ids,
    formErrors: [...foundUsers.formErrors, ...foundGroups.formErrors],
  }
}

async function findGroup(client: PageCall['client'], path: string): Promise<number | undefined> {
  try {
    return (await client.groups.show({ groupId: path, with_projects: false })).id
  } catch (error) {
    if (error instanceof StithyError && error.status === 404) return undefined
    throw error
  }
}

async function findAll(
  { field, text }: Names['users'],
  find: (name: string) => Promise<number | undefined>,
): Promise<{ ids: number[]; formErrors: FormError[] }> {
  const names = [...new Set(text.split(/[\s,]/).filter((name) => name !== ''))]
  if (names.length > maxNames) {
    return { ids: [], formErrors: [{ field, text: `Name at most ${maxNames} at once.` }] }
  }
  const found = await loadAll(names.map(async (name) => ({ name, id: await find(name) })))
  return {
    ids: found.flatMap(({ id }) => id ?? []),
    formErrors: found.flatMap(({ name, id }) =>
      id === undefined ? [{ field, text: `There is no ${name}.` }] : [],
    ),
  }
}
