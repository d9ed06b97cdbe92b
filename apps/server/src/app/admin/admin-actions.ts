import { text } from 'node:stream/consumers'
import { DomainError, tokenScopes } from '@stithy/core'
import { findUserByUsername, type UserRow } from '@stithy/store'
import { pino } from 'pino'
import { newSecret } from '../../directory/authentication/secret.ts'
import { createToken } from '../../directory/tokens/token.service.ts'
import { resetTwoFactor } from '../../directory/two-factor/two-factor.service.ts'
import { changeUser, createUser as createAccount } from '../../directory/users/user.service.ts'
import type { App } from '../../platform/app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { openApp } from '../open-app.ts'
import type { ConfigFlags } from './config-flags.ts'

/** Options as commander passes them. */
type Options = Record<string, unknown>

/** `stithy admin create-user`. */
export function createUser(
  username: string,
  options: Options,
  sources: ConfigFlags,
): Promise<void> {
  return withApp(sources, async (app) => {
    const given = await readPassword(options)
    const password = given ?? newSecret()
    const user = await createAccount(app, {
      username,
      name: typeof options.name === 'string' ? options.name : username,
      email: String(options.email),
      password,
      admin: options.admin === true,
      skip_confirmation: true,
    })
    say(`Created user ${user.username} (id ${user.id})`)
    if (given === undefined) say(`Password, shown only now: ${password}`)
  })
}

/** `stithy admin create-token`. */
export function createAccessToken(
  username: string,
  options: Options,
  sources: ConfigFlags,
): Promise<void> {
  return withApp(sources, async (app) => {
    const user = await requireAccount(app, username)
    const scopes = options.scope as string[]
    const unknown = scopes.find((scope) => !(tokenScopes as readonly string[]).includes(scope))
    if (unknown !== undefined) {
      throw new Error(`Unknown scope ${unknown}; known scopes: ${tokenScopes.join(', ')}`)
    }
    const created = await createToken(app, {
      userId: user.id,
      kind: 'personal',
      name: String(options.name),
      scopes,
      expiresOn: typeof options.expiresAt === 'string' ? options.expiresAt : null,
    })
    say(created.token)
  })
}

/** `stithy admin reset-password`. */
export function resetPassword(
  username: string,
  options: Options,
  sources: ConfigFlags,
): Promise<void> {
  return withApp(sources, async (app) => {
    const user = await requireAccount(app, username)
    const given = await readPassword(options)
    const password = given ?? newSecret()
    await changeUser(app, user.id, { password }, { sent: new Set(['password']), by: null })
    say(`${user.username} chooses a new password at the next sign-in`)
    if (given === undefined) say(`Password until then, shown only now: ${password}`)
  })
}

/** `stithy admin disable-two-factor`. */
export function disableTwoFactor(username: string, sources: ConfigFlags): Promise<void> {
  return withApp(sources, async (app) => {
    const user = await requireAccount(app, username)
    await resetTwoFactor(app, user.id)
    say(`${user.username} signs in with the password alone`)
  })
}

/** `stithy admin migrate`. */
export function migrate(sources: ConfigFlags): Promise<void> {
  return withApp(sources, async (_app, applied) => {
    for (const name of applied) say(`applied ${name}`)
    say('The database is up to date')
  })
}

/** Opens the data folder for a command. */
export async function withApp(
  { flags, file }: ConfigFlags,
  work: (app: App, applied: readonly string[]) => Promise<void>,
): Promise<void> {
  const config = loadConfig({ flags, env: process.env, file })
  const { app, applied, close } = await openApp(config, pino({ level: 'silent' }), {
    existing: true,
  })
  try {
    await work(app, applied)
  } catch (error) {
    throw error instanceof DomainError ? new Error(sentence(error)) : error
  } finally {
    await close()
  }
}

function sentence(error: DomainError): string {
  const { fields = {} } = error.detail
  const texts = Object.entries(fields).map(
    ([name, complaints]) => `${name} ${complaints.join(', ')}`,
  )
  return texts.length === 0 ? error.message : texts.join('; ')
}

async function requireAccount(app: App, username: string): Promise<UserRow> {
  const user = await findUserByUsername(app.db, username)
  if (user === undefined) throw new Error(`The user ${username} does not exist`)
  return user
}

/** The first line of standard input, if requested. */
async function readPassword(options: Options): Promise<string | undefined> {
  if (options.passwordStdin !== true) return undefined
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/)
  return line
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
