import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  runServerToEnd,
  type ServerProcess,
  startServerProcess,
} from '../src/testing/clients/server-process.ts'
import { buildWorkTree, commit, git, mustGit, remoteUrl } from '../src/testing/git/git-client.ts'

const token = 'bad-days-token-0123456789'
const env = { STITHY_ROOT_TOKEN: token, STITHY_ROOT_PASSWORD: 'bad days password' }

const processes: ServerProcess[] = []
const folders: string[] = []

async function start(data: string, wrapper: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServerProcess({ data, env, wrapper })
  processes.push(server)
  return server
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-bad-days-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const server of processes.splice(0)) await server.end('SIGKILL')
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

function call(server: ServerProcess, method: string, path: string, body?: object) {
  return fetch(`${server.address}/api/v4${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function listAll(
  server: ServerProcess,
  path: string,
): Promise<{ id: number; name: string }[]> {
  const items: { id: number; name: string }[] = []
  for (let page = '1'; page !== ''; ) {
    const answer = await call(server, 'GET', `${path}?per_page=100&page=${page}`)
    expect(answer.status).toBe(200)
    items.push(...((await answer.json()) as { id: number; name: string }[]))
    page = answer.headers.get('x-next-page') ?? ''
  }
  return items
}

describe('kill -9 during 200 concurrent writes and a push', () => {
  it('loses no acknowledged write, and lists no incomplete repository', {
    timeout: 120_000,
  }, async () => {
    const data = await temporaryFolder()
    const first = await start(data)
    expect((await call(first, 'POST', '/projects', { name: 'pushed' })).status).toBe(201)
    const tree = await buildWorkTree()
    folders.push(tree)
    const before = await mustGit(tree, 'rev-parse', 'HEAD')
    await mustGit(
      tree,
      'push',
      '--quiet',
      remoteUrl(first.address, 'root/pushed', 'root', token),
      'main',
    )
    const after = await commit(tree, { 'large.txt': 'x'.repeat(4_000_000) }, 'More')

    const acknowledged: string[] = []
    let sent = 0
    const writers = Array.from({ length: 200 }, async (_, index) => {
      sent += 1
      const name = `crash-${index}`
      const answer = await call(first, 'POST', '/projects', { name }).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(name)
    })
    const push = git(tree, 'push', remoteUrl(first.address, 'root/pushed', 'root', token), 'main')
    while (acknowledged.length < 40) await new Promise((resolve) => setTimeout(resolve, 5))
    await first.end('SIGKILL')
    const pushed = await push
    await Promise.all(writers)
    expect(sent).toBe(200)
    expect(acknowledged.length).toBeLessThan(200)

    const second = await start(data)
    const projects = await listAll(second, '/projects')
    const names = new Set(projects.map(({ name }) => name))
    for (const name of acknowledged) expect(names).toContain(name)
    for (const { id } of projects) {
      const commits = await call(second, 'GET', `/projects/${id}/repository/commits`)
      expect(commits.status).toBe(200)
    }
    await expect.poll(() => countRepositories(data)).toBe(projects.length)

    const url = remoteUrl(second.address, 'root/pushed', 'root', token)
    const tip = (await mustGit(tree, 'ls-remote', url, 'refs/heads/main')).split('\t')[0]
    expect([before, after]).toContain(tip)
    if (pushed.code === 0) expect(tip).toBe(after)
    const clone = await temporaryFolder()
    await mustGit(clone, 'clone', '--quiet', url, 'clone')
    await mustGit(join(clone, 'clone'), 'fsck', '--strict')
    await expectPushEvent(second, String(tip))
  })
})

/** Every moved ref must have an event, however the server ended in between. */
async function expectPushEvent(server: ServerProcess, tip: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await call(server, 'GET', '/projects/root%2Fpushed/events?action=pushed')
        const events = (await answer.json()) as { push_data: { commit_to: string } }[]
        return events.map(({ push_data }) => push_data.commit_to)
      },
      { timeout: 20_000 },
    )
    .toContain(tip)
}

async function countRepositories(data: string): Promise<number> {
  const entries = await readdir(join(data, 'repositories'), { recursive: true })
  return entries.filter((entry) => entry.endsWith('.git')).length
}

describe('SIGTERM', { timeout: 120_000 }, () => {
  it('finishes requests in flight and ends within 10 s', async () => {
    const server = await start(await temporaryFolder())
    const inFlight = Array.from({ length: 20 }, (_, index) =>
      call(server, 'POST', '/projects', { name: `late-${index}` }),
    )
    const [one] = await Promise.all([Promise.race(inFlight)])
    expect(one?.status).toBe(201)
    const started = Date.now()
    const ended = server.end('SIGTERM')
    const statuses = await Promise.all(inFlight.map(async (answer) => (await answer).status))
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(await ended).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  it('ends a server that has just announced itself without an error', async () => {
    const data = await temporaryFolder()
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const server = await start(data)
      expect(await server.end('SIGTERM')).toBe(0)
      expect(server.output()).not.toContain('"err"')
    }
  })
})

describe('a data folder that cannot be created', { timeout: 120_000 }, () => {
  it.each(['/proc/stithy', '/dev/null/stithy'])('is refused with a message: %s', async (data) => {
    const { code, output } = await runServerToEnd({ data, env })
    expect(code).toBe(1)
    expect(output).toContain(`The folder ${data} can't be created: `)
    expect(output.trim().split('\n')).toHaveLength(1)
  })
})

describe.skipIf(process.env.STITHY_TEST_DATABASE_URL)(
  'a second server on the same data folder',
  { timeout: 120_000 },
  () => {
    it('is refused with a message, and the first server keeps running', async () => {
      const data = await temporaryFolder()
      const first = await start(data)
      const second = await runServerToEnd({ data, env })
      expect(second.code).toBe(1)
      expect(second.output).toContain(`Another server is running on the data folder ${data}`)
      expect((await call(first, 'GET', '/version')).status).toBe(200)
    })
  },
)

describe('an invalid setting', { timeout: 120_000 }, () => {
  it.each([
    [['--port', '70000'], /--port cannot be "70000"/],
    [['--tier', 'gold'], /tier/],
    [['--external-url', 'ftp://x'], /--external-url cannot be "ftp:\/\/x"/],
  ])('stops the start with a message: %s', async (args, sentence) => {
    const ended = await runServerToEnd({ data: await temporaryFolder(), env, args })
    expect(ended.code).not.toBe(0)
    expect(ended.output).toMatch(sentence)
    expect(ended.output).not.toContain('    at ')
  })
})

describe('a full disk', { timeout: 120_000 }, () => {
  it('returns 507 or 500, and recovers', async ({ skip }) => {
    const folder = await temporaryFolder()
    // A small file system, in a mount namespace that ends with the server.
    const mount = ['unshare', '--user', '--map-root-user', '--mount', '--', 'sh', '-c']
    const script = 'mount -t tmpfs -o size=32m stithy "$0" && exec "$@"'
    const server = await start(folder, [...mount, script, folder]).catch((error: Error) => error)
    if (server instanceof Error) return skip('no private mounts here')
    const inside = join('/proc', String(server.child.pid), 'root', folder)
    const filler = join(inside, 'filler')

    const create = async (name: string) =>
      (await call(server, 'POST', '/projects', { name })).status
    expect(await create('before')).toBe(201)
    await fillUp(filler)
    const statuses: number[] = []
    for (let index = 0; index < 50; index += 1) statuses.push(await create(`during-${index}`))
    expect(statuses).toSatisfy((all: number[]) => all.some((status) => status >= 500))
    expect(new Set([201, 500, 507])).toEqual(new Set([201, 500, 507, ...statuses]))
    const read = await call(server, 'GET', '/projects')
    expect(read.status, server.output().slice(-2000)).toBe(200)

    await rm(filler)
    expect(await create('after')).toBe(201)
    const names = (await listAll(server, '/projects')).map(({ name }) => name)
    const kept = statuses.flatMap((status, index) => (status === 201 ? [`during-${index}`] : []))
    expect(names.toSorted()).toEqual(['before', ...kept, 'after'].toSorted())
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

/** Writes until the file system is full. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) await file.write(block)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await file.close()
  }
}
