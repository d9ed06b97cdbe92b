import { CliError, exitCodes } from '../cli-error.ts'
import type { CliIo } from '../cli-io.ts'
import { toJson } from '../output/clean.ts'
import { cellOf, type Json } from '../output/render.ts'
import { readConfig, writeConfig } from './config-file.ts'
import { checkToken, findConnection, normalizeUrl, warnOfToken } from './connection.ts'
import { fetchCurrentUser } from './current-user.ts'
import { promptSecret } from './prompt.ts'

/** The options of all three commands. */
export interface AccountOptions {
  url?: string
  token?: string
  json?: true
}

/** Checks a token with its server, and stores both. */
export async function login(options: AccountOptions, io: CliIo): Promise<void> {
  const { baseUrl } = await findConnection(io, options.url, undefined)
  if (options.token !== undefined) warnOfToken(io)
  const given =
    options.token || io.env.STITHY_TOKEN || (await promptSecret(io, `Token for ${baseUrl}: `))
  const token = checkToken(given.trim())
  const user = await fetchCurrentUser(io, { baseUrl, token })
  const config = await readConfig(io.configDir)
  const hosts = { ...config.hosts, [baseUrl]: { token } }
  await writeConfig(io.configDir, { default: baseUrl, hosts })
  answer(options, io, { url: baseUrl, user }, `Signed in to ${baseUrl} as ${nameOf(user)}.`)
}

/** Removes the stored token of one server; the token stays valid. */
export async function logout(options: AccountOptions, io: CliIo): Promise<void> {
  const config = await readConfig(io.configDir)
  const named = options.url || io.env.STITHY_URL || config.default
  const baseUrl = named === undefined ? undefined : normalizeUrl(named)
  if (baseUrl === undefined || config.hosts[baseUrl] === undefined) {
    const where = baseUrl === undefined ? 'any server' : baseUrl
    throw new CliError(`Not signed in to ${where}`, exitCodes.unauthorized)
  }
  const { [baseUrl]: _forgotten, ...hosts } = config.hosts
  const [first] = Object.keys(hosts)
  const next = config.default === baseUrl ? first : config.default
  await writeConfig(io.configDir, next === undefined ? { hosts } : { default: next, hosts })
  answer(options, io, { url: baseUrl }, `Signed out of ${baseUrl}.`)
}

/** Prints the current server and user. */
export async function whoami(options: AccountOptions, io: CliIo): Promise<void> {
  const connection = await findConnection(io, options.url, options.token)
  if (connection.token === undefined) {
    throw new CliError(
      `Not signed in to ${connection.baseUrl} (sign in with: stithy login)`,
      exitCodes.unauthorized,
    )
  }
  const user = await fetchCurrentUser(io, connection)
  const { baseUrl: url } = connection
  answer(options, io, { url, user }, `${nameOf(user)} at ${url}`)
}

function answer({ json }: AccountOptions, { stdout }: CliIo, data: Json, text: string): void {
  stdout.write(`${json ? toJson(data, 2) : text}\n`)
}

function nameOf({ name, username }: Json): string {
  return `${cellOf(name)} (@${cellOf(username)})`
}
