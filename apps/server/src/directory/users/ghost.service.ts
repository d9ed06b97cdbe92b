import { ghostUsername } from '@stithy/core'
import {
  findGhost,
  findTakenNames,
  findUserRefs,
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
    return await app.db.transaction((tx) => ghostId(tx, app.now()))
  } catch (error) {
    // Another server created it at the same moment.
    const known = isUniqueViolation(error) ? await findGhost(app.db) : undefined
    if (known === undefined) throw error
    return known.id
  }
}

/**
 * Returns the id of the user who caused a change, or that of the ghost user if there is none, or if
 * that user was deleted since. It is read in the transaction that stores it: what a job, a long
 * push or an interrupted merge finishes may outlast the user who began it.
 */
export async function existingActor(
  tx: Transaction,
  userId: number | null,
  now: number,
): Promise<number> {
  const [user] = userId === null ? [] : await findUserRefs(tx, [userId])
  return user?.id ?? ghostId(tx, now)
}

async function ghostId(tx: Transaction, now: number): Promise<number> {
  return (await findGhost(tx))?.id ?? createGhost(tx, now)
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
