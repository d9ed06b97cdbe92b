import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createRepository, type Git } from '@stithy/git'
import { type StithyOptions, startHttpBackend, startStithy, type Target } from '../servers.ts'

/** A git server under test. */
export interface Site {
  target: Target
  /** Creates an empty repository; returns its URL for the client. */
  create: (name: string) => Promise<string>
}

/** The token of the administrator of `openStithy`. */
export const rootToken = 'bench-root-token-0123456789'

/** Stithy on an empty data folder, used by its administrator. */
export async function openStithy(folder: string, options: StithyOptions = {}): Promise<Site> {
  const env = { STITHY_ROOT_TOKEN: rootToken, ...options.env }
  const target = await startStithy(folder, { ...options, env })
  await whenRootIsThere(target)
  return {
    target,
    async create(name) {
      const answer = await fetch(`${target.url}/api/v4/projects`, {
        method: 'POST',
        headers: { 'private-token': rootToken, 'content-type': 'application/json' },
        body: JSON.stringify({ name, default_branch: 'main' }),
      })
      if (answer.status !== 201) throw new Error(`POST /projects answers ${answer.status}`)
      const address = new URL(`${target.url}/root/${name}.git`)
      address.username = 'root'
      address.password = rootToken
      return address.href
    },
  }
}

/** On its first start a server listens a moment before its administrator exists. */
async function whenRootIsThere({ url }: Target): Promise<void> {
  const headers = { 'private-token': rootToken }
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await fetch(`${url}/api/v4/user`, { headers })).ok) return
    await delay(20)
  }
  throw new Error('The server has no administrator')
}

/** Git's own server, on repositories with the same settings. */
export async function openHttpBackend(git: Git, folder: string): Promise<Site> {
  const target = await startHttpBackend(folder)
  return {
    target,
    async create(name) {
      await createRepository(git, join(folder, `${name}.git`), { defaultBranch: 'main' })
      return `${target.url}/${name}.git`
    },
  }
}
