import { tokenScopes } from '@stithy/core'
import {
  deleteSessionsOf,
  deleteTokenByHash,
  findCaller,
  findCredentials,
  findTokenOwner,
  hasUsers,
  insertToken,
  isUniqueViolation,
  updateUser,
} from '@stithy/store'
import type { App } from '../app.ts'
import { addUser } from '../users/add-user.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { hashSecret, newSecret } from './secret.ts'

/** What was generated, to be shown once: nothing else knows it. */
export interface FirstStart {
  password?: string
  token?: string
}

export interface RootSecrets {
  password: string | undefined
  token: string | undefined
}

const rootId = 1

/** No address of anybody: mail to it goes nowhere, as RFC 2606 reserves the domain. */
const rootEmail = 'admin@local.invalid'

/**
 * Makes the administrator `root`, user 1, where there is no user yet, and holds it to the password and
 * the token that the configuration gives: as long as they are set there, they work.
 */
export async function ensureRoot(app: App, given: RootSecrets): Promise<FirstStart | undefined> {
  if (await hasUsers(app.db)) {
    await applySecrets(app, given)
    return undefined
  }
  const password = given.password ?? newSecret()
  const token = given.token ?? newSecret()
  try {
    await createRoot(app, password, token)
  } catch (error) {
    // Another server on the same database was faster.
    if (!isUniqueViolation(error)) throw error
    await applySecrets(app, given)
    return undefined
  }
  const generated: FirstStart = {}
  if (given.password === undefined) generated.password = password
  if (given.token === undefined) generated.token = token
  return Object.keys(generated).length === 0 ? undefined : generated
}

async function createRoot(app: App, password: string, token: string): Promise<void> {
  const passwordHash = await hashPassword(password, app.config.passwordCost)
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const userId = await addUser(tx, {
      username: 'root',
      name: 'Administrator',
      email: rootEmail,
      admin: 1,
      passwordHash,
      createdAt: now,
    })
    await insertToken(tx, rootToken(userId, token, now))
  })
}

function rootToken(userId: number, token: string, createdAt: number) {
  return {
    userId,
    kind: 'personal' as const,
    name: 'root',
    tokenHash: hashSecret(token),
    scopes: tokenScopes,
    expiresOn: null,
    createdById: null,
    createdAt,
  }
}

async function applySecrets(app: App, { password, token }: RootSecrets): Promise<void> {
  if (password === undefined && token === undefined) return
  const root = await findCaller(app.db, { id: rootId })
  if (root === undefined) {
    app.log.warn('The password and token of root are set, but user 1 was deleted')
    return
  }
  if (password !== undefined) await applyPassword(app, root.username, password)
  if (token !== undefined) await applyToken(app, token)
}

async function applyPassword(app: App, username: string, password: string): Promise<void> {
  const known = await findCredentials(app.db, username)
  const stored = known?.passwordHash ?? null
  if (stored !== null && (await verifyPassword(password, stored))) return
  const passwordHash = await hashPassword(password, app.config.passwordCost)
  await app.db.transaction(async (tx) => {
    await updateUser(tx, rootId, { passwordHash, mustChangePassword: 0, updatedAt: app.now() })
    await deleteSessionsOf(tx, rootId)
  })
}

async function applyToken(app: App, token: string): Promise<void> {
  const tokenHash = hashSecret(token)
  const known = await findTokenOwner(app.db, tokenHash)
  if (known?.id === rootId && known.revoked === 0) return
  await app.db.transaction(async (tx) => {
    await deleteTokenByHash(tx, tokenHash)
    await insertToken(tx, rootToken(rootId, token, app.now()))
  })
}
