import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'

/** The stored configuration: a token per server, and the default server. */
export interface CliConfig {
  default?: string
  /** By base URL. */
  hosts: Record<string, { token: string }>
}

function pathOf(configDir: string): string {
  return join(configDir, 'config.toml')
}

/** @throws CliError if the file is invalid; its content is not printed. */
export async function readConfig(configDir: string): Promise<CliConfig> {
  const path = pathOf(configDir)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CliError(`${path} cannot be read (${error.code})`)
  })
  const { parse } = await import('smol-toml')
  try {
    return checkConfig(parse(text))
  } catch {
    // The parser's message quotes lines of the file, which may contain a token.
    throw new CliError(
      `${path} is not a configuration file of stithy; sign in again after removing it`,
    )
  }
}

function checkConfig(value: Record<string, unknown>): CliConfig {
  const hosts: CliConfig['hosts'] = {}
  for (const [url, host] of Object.entries((value.hosts ?? {}) as Record<string, unknown>)) {
    const { token } = host as { token?: unknown }
    if (typeof token !== 'string') throw new TypeError('token')
    hosts[url] = { token }
  }
  return typeof value.default === 'string' ? { default: value.default, hosts } : { hosts }
}

/** Replaces the file atomically; only its owner may ever read it. */
export async function writeConfig(configDir: string, config: CliConfig): Promise<void> {
  const { stringify } = await import('smol-toml')
  const path = pathOf(configDir)
  const partial = `${path}.${process.pid}.part`
  await mkdir(configDir, { recursive: true, mode: 0o700 })
  try {
    await using file = await open(partial, 'wx', 0o600)
    await file.writeFile(stringify(config))
    await chmod(partial, 0o600)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(`${path} cannot be written (${code})`)
  }
}
