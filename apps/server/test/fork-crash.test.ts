import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import { mustGit } from '../src/testing/git/git-client.ts'
import { type KillingStep, writeKillingGit } from '../src/testing/git/killing-git.ts'
import type { Json } from '../src/testing/test-server.ts'

const token = 'fork-crash-token-0123456789'

let folder: string | undefined
const processes: ServerProcess[] = []

afterEach(async () => {
  for (const server of processes.splice(0)) await server.end('SIGKILL')
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

async function start(data: string, path: string): Promise<ServerProcess> {
  const env = {
    PATH: `${path}:${process.env.PATH}`,
    STITHY_ROOT_TOKEN: token,
    STITHY_ROOT_PASSWORD: 'fork crash password',
  }
  const server = await startServerProcess({ data, env })
  processes.push(server)
  await writeFile(join(path, 'pid'), String(server.child.pid))
  return server
}

async function call(server: ServerProcess, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.address}/api/v4${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

describe('kill -9 during POST /projects/:id/fork', () => {
  it.each<[string, KillingStep]>([
    ['before its refs are read', { when: 'before', command: 'for-each-ref', input: '' }],
    ['after its objects are linked', { when: 'after', command: '--batch-check', input: '' }],
    ['before it is published', { when: 'before', command: '--batch-command', input: '' }],
  ])('%s: there is no fork after a restart, and the next one is complete', async (_, step) => {
    folder = await mkdtemp(join(tmpdir(), 'stithy-fork-crash-'))
    await writeKillingGit(folder, step)
    const data = join(folder, 'data')
    const first = await start(data, folder)
    const source = { name: 'p', default_branch: 'main', initialize_with_readme: true }
    expect((await call(first, 'POST', '/projects', source)).status).toBe(201)
    await writeFile(join(folder, 'armed'), '')
    const fork = { name: 'f', path: 'f' }
    const forking = '/projects/root%2Fp/fork'
    expect(await call(first, 'POST', forking, fork).catch(() => undefined)).toBeUndefined()

    const second = await start(data, folder)
    expect((await call(second, 'GET', '/projects/root%2Ff')).status).toBe(404)
    expect((await call(second, 'GET', '/projects/root%2Fp')).body.forks_count).toBe(0)
    const made = await call(second, 'POST', forking, fork)
    expect(made).toMatchObject({ status: 201, body: { path: 'f', default_branch: 'main' } })
    expect((await call(second, 'GET', '/projects/root%2Fp')).body.forks_count).toBe(1)
    const url = new URL(`${second.address}/root/f.git`)
    url.username = 'root'
    url.password = token
    await mustGit(folder, 'clone', '--quiet', url.href, 'clone')
    await mustGit(join(folder, 'clone'), 'fsck', '--strict')
  })
})
