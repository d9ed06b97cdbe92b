import { tokenScopes } from '@stithy/core'
import {
  deleteTokenByHash,
  findCaller,
  findCredentials,
  findTokenOwner,
  hasUsers,
  insertToken,
  isUniqueViolation,
} from '@stithy/store'
import { hashPassword, verifyPassword } from '../directory/authentication/password.ts'
import { hashSecret, newSecret } from '../directory/authentication/secret.ts'
import { addUser } from '../directory/users/add-user.ts'
import { setOwnPassword } from '../directory/users/password.service.ts'
import type { App } from '../platform/app.ts'

/** Generated secrets, shown once. */
export interface FirstStart {
  password?: string
  token?: string
}

export interface RootSecrets {
  password: string | undefined
  token: string | undefined
}

const rootId = 1

/** Not a deliverable address: RFC 2606 reserves the domain. */
const rootEmail = 'admin@local.invalid'

/**
 * Creates the administrator `root`, user 1, when there is no user yet, and applies the password and
 * token of the configuration: they are valid as long as they are configured.
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
    // Another server on the same database created it first.
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
  const now = app.now()
  await app.db.transaction((tx) => setOwnPassword(tx, rootId, { passwordHash, now }))
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
