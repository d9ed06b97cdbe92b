import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const size = 64 * 1024 * 1024
/** What the pipes in between may buffer; a server that collected the whole would need `size`. */
const allowance = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The maximum memory outside the heap, where buffers are allocated, while `work` ran. */
async function peakWhile(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    collectGarbage()
    // Dead buffers are freed beside the program; the next collection waits for that.
    collectGarbage()
    return process.memoryUsage().external
  }
  const start = used()
  let peak = start
  const timer = setInterval(() => {
    peak = Math.max(peak, used())
  }, 300)
  await work()
  clearInterval(timer)
  return peak - start
}

describe('a large repository', () => {
  let server: TestServer
  let project: Json
  let remote: string
  let tree: string
  let folder: string

  beforeAll(async () => {
    server = await buildTestServer()
    folder = await mkdtemp(join(tmpdir(), 'stithy-clone-'))
    project = await server.buildProject()
    const { username, token } = server.root
    remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
    tree = await buildWorkTree()
    await mustGit(tree, 'config', 'core.compression', '0')
    await writeFile(join(tree, 'large.bin'), randomBytes(size))
    await mustGit(tree, 'add', 'large.bin')
    await mustGit(tree, 'commit', '--quiet', '--message', 'Large')
  })
  afterAll(async () => {
    await server.close()
    for (const path of [tree, folder]) await rm(path, { recursive: true, force: true })
  })

  it('is pushed and cloned without being held in memory', { timeout: 180_000 }, async () => {
    const pushing = await peakWhile(() => mustGit(tree, 'push', remote, 'main'))
    const cloning = await peakWhile(() => mustGit(folder, 'clone', '--bare', remote, 'copy'))
    expect(pushing).toBeLessThan(allowance)
    expect(cloning).toBeLessThan(allowance)
  })

  it('is no longer sent once the client disconnects', { timeout: 180_000 }, async () => {
    await mustGit(tree, 'push', remote, 'main:again')
    const want = packet(`want ${await mustGit(tree, 'rev-parse', 'HEAD')}\n`)
    const disconnect = new AbortController()
    const answer = await fetch(
      `${await server.url()}/${project.path_with_namespace}.git/git-upload-pack`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`root:${server.root.token}`)}`,
          'git-protocol': 'version=2',
        },
        body: `${packet('command=fetch')}0001${want}${packet('done\n')}0000`,
        signal: disconnect.signal,
      },
    )
    await answer.body?.getReader().read()
    expect(await runningUploads(server)).toBeGreaterThan(0)
    disconnect.abort()
    for (let tries = 0; (await runningUploads(server)) > 0 && tries < 200; tries += 1) {
      await sleep(25)
    }
    expect(await runningUploads(server)).toBe(0)
  })
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
