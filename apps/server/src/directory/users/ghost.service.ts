import { ghostUsername } from '@stithy/core'
import {
  findGhost,
  findTakenNames,
  insertUser,
  isPathTaken,
  isUniqueViolation,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * Returns the id of the ghost user, who owns contributions of deleted users; creates it on first
 * use.
 */
export async function ensureGhost(app: App): Promise<number> {
  try {
    return await app.db.transaction(async (tx) => {
      const known = await findGhost(tx)
      return known === undefined ? createGhost(tx, app.now()) : known.id
    })
  } catch (error) {
    // Another server created it at the same moment.
    const known = isUniqueViolation(error) ? await findGhost(app.db) : undefined
    if (known === undefined) throw error
    return known.id
  }
}

async function createGhost(tx: Transaction, now: number): Promise<number> {
  const username = await findFreeUsername(tx, 0)
  return insertUser(tx, {
    kind: 'ghost',
    username,
    name: 'Ghost User',
    email: emailOf(username),
    passwordHash: null,
    bio: 'Holds what deleted users wrote.',
    projectsLimit: 0,
    canCreateGroup: 0,
    createdAt: now,
    updatedAt: now,
  })
}

/** `ghost`, or if that path is taken `ghost1`, `ghost2`… */
async function findFreeUsername(tx: Transaction, attempt: number): Promise<string> {
  const username = attempt === 0 ? ghostUsername : `${ghostUsername}${attempt}`
  const taken = await findTakenNames(tx, { username, email: emailOf(username), exceptId: 0 })
  const isFree = !taken.username && !taken.email && !(await isPathTaken(tx, username))
  return isFree ? username : findFreeUsername(tx, attempt + 1)
}

function emailOf(username: string): string {
  return `${username}@local.invalid`
}
