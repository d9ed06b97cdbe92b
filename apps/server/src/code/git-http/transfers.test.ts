import { once } from 'node:events'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPack } from '@stithy/git/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../platform/config/config.ts'
import { gitInput, mustGit, newFolder, pushedProject } from '../../testing/git/git-client.ts'
import { runningGit } from '../../testing/git/running-git.ts'
import { noise } from '../../testing/noise.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

const never = 600_000
const open: { server: TestServer; sockets: Socket[] }[] = []

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await server.close()
  }
})

/** A server with limits, its project, and connections that say what no client would. */
async function build(limits: Partial<Config>) {
  const server = await buildTestServer({ gitInactivityTimeoutMs: never, ...limits })
  const sockets: Socket[] = []
  open.push({ server, sockets })
  const { project, tree, remote } = await pushedProject(server, { visibility: 'public' })
  const { hostname, port } = new URL(await server.url())
  const authorization = `Authorization: Basic ${btoa(`root:${server.root.token}`)}`
  const send = (service: string, body: string, headers = [authorization]) => {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    const head = [
      `POST /${project.path_with_namespace}.git/git-${service} HTTP/1.1`,
      'Host: server',
      'Content-Length: 1000000',
      'Git-Protocol: version=2',
      ...headers,
    ]
    socket.on('error', () => {}).write(`${head.join('\r\n')}\r\n\r\n${body}`)
    return socket
  }
  return { server, project, tree, remote, send, authorization }
}

/** The start of a response, whose connection stays open for the rest of the request. */
async function firstBytes(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line

/** The head of a push whose pack never ends. */
function unfinishedPush({ tree }: { tree: string }, name = 'x'): Promise<string> {
  return mustGit(tree, 'rev-parse', 'HEAD').then((head) => {
    const line = `${'0'.repeat(40)} ${head} refs/heads/${name}\0 report-status side-band-64k`
    return `${packet(line)}0000PACK`
  })
}

/** The git processes of transfers that still run. */
function running(server: TestServer): string {
  return runningGit(server)
    .filter((line) => !line.includes('cat-file'))
    .join('\n')
}

describe('transfers', () => {
  it('wait for a slot, unread, and get 429 when the queue is full', async () => {
    const limits = { gitTransfers: 1, gitTransfersPerClient: 1, gitTransferQueue: 1 }
    const built = await build(limits)
    const { server, tree, remote, send } = built
    const first = send('receive-pack', await unfinishedPush(built))
    await expect.poll(() => running(server)).toContain('index-pack')
    const started = server.app.git.spawnCount
    const second = send('receive-pack', await unfinishedPush(built, 'y'))
    const refused = send('receive-pack', await unfinishedPush(built, 'z'))
    // The second may arrive after the third, so it is enough that one of them is refused.
    const answer = await Promise.race([firstBytes(second), firstBytes(refused)])
    expect(answer).toMatch(/^HTTP\/1\.1 429 /)
    expect(answer).toMatch(/\r\nretry-after: 10\r\n/i)
    expect(answer).toContain('Too many requests are waiting for their turn.')
    expect(server.app.git.spawnCount).toBe(started)
    for (const socket of [second, refused]) socket.destroy()
    const fetched = mustGit(tree, 'fetch', '--quiet', remote, 'main')
    first.destroy()
    await fetched
  })

  it('are counted for each user, and for each address without one', async () => {
    const built = await build({ gitTransfers: 8, gitTransfersPerClient: 1, gitTransferQueue: 0 })
    const { server, project, send, remote } = built
    send('receive-pack', await unfinishedPush(built))
    await expect.poll(() => running(server)).toContain('index-pack')
    const refs = `//${project.path_with_namespace}.git/info/refs?service=git-upload-pack`
    const status = async (token: string) =>
      (
        await server.inject('GET', refs, {
          headers: { authorization: `Basic ${btoa(`x:${token}`)}` },
        })
      ).status
    const other = await server.buildUser()
    expect(await status(server.root.token)).toBe(429)
    expect(await status(other.token)).toBe(200)
    expect((await server.inject('GET', refs)).status).toBe(200)
    // The advertisement has its slot until its process ends, so the first of these may be refused.
    const fetches = () => {
      send('upload-pack', '0014command=ls-refs\n', [])
      return running(server)
    }
    await expect.poll(fetches).toContain('stateless-rpc')
    expect((await server.inject('GET', refs)).status).toBe(429)
    const folder = await newFolder()
    await expect(mustGit(folder, 'clone', '--quiet', remote)).rejects.toThrow('429')
  })

  it('give their slot back when they end, however they end', async () => {
    const built = await build({ gitTransfers: 1, gitTransfersPerClient: 1, gitTransferQueue: 4 })
    const { server, tree, remote, project, send } = built
    const cut = send('receive-pack', await unfinishedPush(built))
    await expect.poll(() => running(server)).toContain('index-pack')
    cut.destroy()
    await expect.poll(() => running(server)).toBe('')
    const malformed = await firstBytes(send('receive-pack', 'nonsense'))
    expect(malformed).toMatch(/^HTTP\/1\.1 400 /)
    await mustGit(tree, 'push', '--quiet', remote, 'main:refs/heads/other', 'main:refs/heads/more')
    await expect(mustGit(tree, 'push', remote, ':main')).rejects.toThrow('cannot be deleted')
    await mustGit(await newFolder(), 'clone', '--quiet', remote)
    const missing = `//${project.path_with_namespace}.git/info/refs?service=git-upload-pack`
    for (let count = 0; count < 3; count += 1) {
      expect((await server.inject('GET', missing)).status).toBe(200)
    }
  })
})

describe('a client that is inactive', () => {
  const limitMs = 200

  it.each([
    ['a push without its head', 'receive-pack', () => Promise.resolve('00')],
    ['a push without its pack', 'receive-pack', unfinishedPush],
    ['a fetch without its end', 'upload-pack', () => Promise.resolve('0014command=ls-refs\n')],
  ] as const)('is disconnected with 408: %s', async (_what, service, body) => {
    const built = await build({ gitTransfersPerClient: 1 })
    const { server, tree, remote, send } = built
    server.app.config.gitInactivityTimeoutMs = limitMs
    const answer = await text(send(service, await body(built)))
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('Nothing was received for 0.2 seconds.')
    await expect.poll(() => running(server)).toBe('')
    server.app.config.gitInactivityTimeoutMs = never
    await mustGit(tree, 'fetch', '--quiet', remote, 'main')
  })

  it('is disconnected when it sends a byte now and then', async () => {
    const built = await build({})
    built.server.app.config.gitInactivityTimeoutMs = limitMs
    const socket = built.send('receive-pack', await unfinishedPush(built))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const trickle = setInterval(() => socket.write('x'), limitMs / 8)
    await closed
    clearInterval(trickle)
    await expect.poll(() => running(built.server)).toBe('')
  })

  it('is disconnected when it reads nothing of what it asked for', async () => {
    const built = await build({})
    const { server, tree, remote, authorization } = built
    const blob = (
      await gitInput(tree, await noise(24 * 1024 * 1024), 'hash-object', '-w', '--stdin')
    )
      .toString()
      .trim()
    const root = (await gitInput(tree, `100644 blob ${blob}\tlarge\n`, 'mktree')).toString().trim()
    const oid = await mustGit(tree, 'commit-tree', '-m', 'Large', root)
    await mustGit(tree, 'push', '--quiet', remote, `${oid}:refs/heads/large`)
    const body = `${packet('command=fetch')}0001${packet(`want ${oid}\n`)}${packet('done\n')}0000`
    const { hostname, port } = new URL(await server.url())
    server.app.config.gitInactivityTimeoutMs = limitMs
    const socket = connect(Number(port), hostname)
    const head = [
      `POST /${built.project.path_with_namespace}.git/git-upload-pack HTTP/1.1`,
      'Host: server',
      'Git-Protocol: version=2',
      `Content-Length: ${body.length}`,
      authorization,
    ]
    socket.on('error', () => {}).write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await once(socket, 'connect')
    await expect.poll(() => running(server)).toContain('upload-pack')
    await expect.poll(() => running(server)).toBe('')
    socket.destroy()
  })

  it('is one that has to act: git may take any time', async () => {
    const built = await build({})
    const { server, project } = built
    const { spawner } = server.app.git.parts
    const start = spawner.start.bind(spawner)
    const slow = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
      if (options.args[0] === 'rev-list') await sleep(3 * limitMs)
      return start(options)
    })
    const line = (await unfinishedPush(built, 'slow')).replace('PACK', '')
    server.app.config.gitInactivityTimeoutMs = limitMs
    const body = Buffer.concat([Buffer.from(line), buildPack([])])
    const request = http.request(
      `${await server.url()}/${project.path_with_namespace}.git/git-receive-pack`,
      { agent: false, method: 'POST', auth: `root:${server.root.token}` },
    )
    request.end(body)
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    expect(await text(answer)).toContain('ok refs/heads/slow')
    slow.mockRestore()
  })
})
