import { DomainError } from '@stithy/core'
import { authenticateToken } from '../../directory/authentication/authenticate.ts'
import { passwordSignIn } from '../../directory/authentication/password-sign-in.ts'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { authenticateDeployToken } from '../deploy-tokens/deploy-token.service.ts'

/** The user of git, and what the credentials allow besides the user's own rights. */
export interface GitCaller {
  /** Null for a deploy token; who created a deploy key. */
  user: CallerUser | null
  /** The project that a deploy token or deploy key is for. */
  projectId?: number
  /** A deploy key, which has no rights of a user's. */
  deployKey?: boolean
  canRead: boolean
  canWrite: boolean
}

export interface BasicCredentials {
  username: string
  password: string
  /** The client's address. */
  address: string
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
}

/**
 * Checks credentials of Git over HTTP: a token as the password of any username, a deploy token with
 * its own username, or the account's own password. The error message is shown to the user.
 * @throws DomainError `unauthorized`, `invalid_token`, `forbidden`, `too_many_requests`.
 */
export async function authenticateBasic(
  app: App,
  credentials: BasicCredentials,
): Promise<GitCaller> {
  const { username, password } = credentials
  if (username === '' || password === '') throw refused()
  const found = await findByToken(app, password)
  if (found === undefined) {
    return (await byDeployToken(app, credentials)) ?? byPassword(app, credentials)
  }
  const { user, scopes, kind } = found
  if (kind === 'oauth' && username !== 'oauth2') throw refused()
  const canWrite = scopes.includes('api') || scopes.includes('write_repository')
  const canRead = canWrite || scopes.includes('read_repository')
  if (!canRead) throw refused(noScope)
  return { user, canRead, canWrite }
}

type Found = Awaited<ReturnType<typeof authenticateToken>>

/** Undefined if the password is no token at all. */
async function findByToken(app: App, password: string): Promise<Found | undefined> {
  try {
    return await authenticateToken(app, password)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unauthorized') return undefined
    throw error
  }
}

const noScope = 'The token has none of the scopes that Git needs.'

async function byDeployToken(
  app: App,
  { username, password }: BasicCredentials,
): Promise<GitCaller | undefined> {
  const found = await authenticateDeployToken(app, username, password)
  if (found === undefined) return undefined
  if (!found.scopes.includes('read_repository')) throw refused(noScope)
  return { user: null, projectId: found.projectId, canRead: true, canWrite: false }
}

const noPassword = 'Use a personal access token as the password: passwords are not accepted.'

async function byPassword(app: App, credentials: BasicCredentials): Promise<GitCaller> {
  if (!app.settings.password_authentication_enabled_for_git) throw refused(noPassword)
  const { username: login, ...rest } = credentials
  const user = await passwordSignIn(app, { login, ...rest })
  return { user, canRead: true, canWrite: true }
}

function refused(message = 'The user name, password or token is wrong.'): DomainError {
  return new DomainError('unauthorized', { message })
}
