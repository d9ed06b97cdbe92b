import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, gitInput, mustGit } from '../../testing/git/git-client.ts'
import { noise } from '../../testing/noise.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const size = 64 * 1024 * 1024
/** What the pipes in between may buffer; a server that collected the whole would need `size`. */
const allowance = 16 * 1024 * 1024

/** The memory outside the heap, where buffers are allocated, that is still referenced. */
function externalMemory(server: TestServer): number {
  server.collectGarbage()
  return process.memoryUsage().external
}

describe('a large repository', () => {
  let server: TestServer
  let project: Json
  let authorization: string
  let tree: string

  beforeAll(async () => {
    server = await buildTestServer()
    project = await server.buildProject()
    authorization = `Basic ${btoa(`root:${server.root.token}`)}`
    tree = await buildWorkTree()
    await mustGit(tree, 'config', 'core.compression', '0')
    await writeFile(join(tree, 'large.bin'), await noise(size))
    await mustGit(tree, 'add', 'large.bin')
    await mustGit(tree, 'commit', '--quiet', '--message', 'Large')
  })
  afterAll(async () => {
    await server.close()
    await rm(tree, { recursive: true, force: true })
  })

  it('is received without being held in memory', async () => {
    const head = await mustGit(tree, 'rev-parse', 'HEAD')
    // In a file: what is copied from another process counts as work of the event loop.
    const files = join(tree, 'large')
    const hash = await gitInput(tree, `${head}\n`, 'pack-objects', '--revs', '--quiet', files)
    const pack = await readFile(`${files}-${hash.toString().trim()}.pack`)
    const update = `${'0'.repeat(40)} ${head} refs/heads/main\0report-status\n`
    const request = http.request(await serviceUrl('git-receive-pack'), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-git-receive-pack-request' },
    })
    const response = once(request, 'response')
    const start = externalMemory(server)
    request.write(`${packet(update)}0000`)
    const most = Math.floor((pack.length * 3) / 4)
    await new Promise((resolve) => request.write(pack.subarray(0, most), resolve))
    expect(externalMemory(server) - start).toBeLessThan(allowance)
    request.end(pack.subarray(most))
    const [answer] = (await response) as [http.IncomingMessage]
    expect(await text(answer)).toContain('unpack ok')
    const path = `/projects/${project.id}/repository/branches/main`
    expect((await server.inject('GET', path, { token: server.root.token })).body).toMatchObject({
      commit: { id: head },
    })
  })

  it('is sent without being held in memory', async () => {
    const start = externalMemory(server)
    const answer = await fetchPack()
    let received = 0
    let held = 0
    for await (const chunk of answer.body ?? []) {
      if (received < size / 2 && received + chunk.length >= size / 2) {
        held = externalMemory(server) - start
      }
      received += chunk.length
    }
    expect(held).toBeLessThan(allowance)
    expect(received).toBeGreaterThan(size)
  })

  it('is no longer sent once the client disconnects', async () => {
    const disconnect = new AbortController()
    const answer = await fetchPack(disconnect.signal)
    await answer.body?.getReader().read()
    expect(await runningUploads(server)).toBeGreaterThan(0)
    disconnect.abort()
    await expect.poll(() => runningUploads(server)).toBe(0)
  })

  async function serviceUrl(service: string): Promise<string> {
    return `${await server.url()}/${project.path_with_namespace}.git/${service}`
  }

  /** Requests a pack of everything. */
  async function fetchPack(signal?: AbortSignal): Promise<Response> {
    const want = packet(`want ${await mustGit(tree, 'rev-parse', 'HEAD')}\n`)
    return fetch(await serviceUrl('git-upload-pack'), {
      method: 'POST',
      headers: { authorization, 'git-protocol': 'version=2' },
      body: `${packet('command=fetch')}0001${want}${packet('done\n')}0000`,
      ...(signal === undefined ? {} : { signal }),
    })
  }
})

function packet(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text
}

/** Number of processes that serve a fetch from this server's repositories. */
async function runningUploads(server: TestServer): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args'])
  const { data } = server.app.config
  return stdout.split('\n').filter((line) => line.includes('upload-pack') && line.includes(data))
    .length
}
