import type { FormError } from '../../platform/forms/submit.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** The most usernames that one form takes. */
const maxUsers = 50

/** The usernames in a text: `@kim, lee`. */
export function usernamesIn(text: string): string[] {
  const names = text.split(/[\s,]/).map((word) => (word.startsWith('@') ? word.slice(1) : word))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, maxUsers)
}

export type FoundUsers = { ok: true; ids: number[] } | { ok: false; formErrors: FormError[] }

/** The ids of users by their names; names that are none become an error of the field. */
export async function findUsers(
  { client }: Pick<PageCall, 'client'>,
  text: string,
  field: string,
): Promise<FoundUsers> {
  const found = await loadAll(
    usernamesIn(text).map(async (username) => {
      const { items } = await client.users.list({ username })
      return { username, id: items[0]?.id }
    }),
  )
  const missing = found.filter(({ id }) => id === undefined)
  if (missing.length === 0) return { ok: true, ids: found.flatMap(({ id }) => id ?? []) }
  const names = missing.map(({ username }) => `@${username}`).join(', ')
  return { ok: false, formErrors: [{ field, text: `There is no user ${names}.` }] }
}
