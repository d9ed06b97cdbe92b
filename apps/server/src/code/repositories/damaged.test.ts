import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gitInput, mustGit } from '../../testing/git/git-client.ts'
import {
  buildPushedProject,
  type PushedProject,
  repositoryFolder,
} from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let folder: string

beforeEach(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  folder = await repositoryFolder(server, pushed.project.id)
  await unpack()
  // Objects that are read from here on were never read before.
  server.app.git.forget(folder)
})
afterEach(() => server.close())

/** Stores each object of the push in a file of its own. */
async function unpack(): Promise<void> {
  const packs = join(folder, 'objects', 'pack')
  for (const name of await readdir(packs)) {
    if (!name.endsWith('.pack')) continue
    const pack = await readFile(join(packs, name))
    // Git unpacks what it doesn't have.
    await rm(packs, { recursive: true })
    await gitInput(folder, pack, 'unpack-objects', '-q')
  }
}

async function pathOf(object: string): Promise<string> {
  const oid = await mustGit(pushed.tree, 'rev-parse', object)
  const path = join(folder, 'objects', oid.slice(0, 2), oid.slice(2))
  expect(await readdir(join(folder, 'objects', oid.slice(0, 2)))).toContain(oid.slice(2))
  return path
}

async function garble(object: string): Promise<void> {
  const path = await pathOf(object)
  await chmod(path, 0o600)
  await writeFile(path, 'this is no object')
}

const damages: [string, (object: string) => Promise<void>][] = [
  ['missing', async (object) => rm(await pathOf(object))],
  ['garbled', garble],
]

const paths = [
  'tree',
  'tree?recursive=true',
  'files/README.md?ref=main',
  'files/README.md/raw',
  'files/README.md/blame?ref=main',
  'commits',
  'commits?with_stats=true',
  'commits/main',
  'commits/main/diff',
  'commits/main/refs',
  'commits/main/signature',
  'compare?from=main&to=main',
  'contributors',
  'merge_base?refs[]=main&refs[]=main',
  'branches',
]

describe.each(damages)('a repository with a %s object', (_, damage) => {
  it.each(['main:README.md', 'main^{tree}', 'main'])(
    'answers every read when %s is corrupt, and logs unexpected errors',
    async (object) => {
      const blob = await mustGit(pushed.tree, 'rev-parse', 'main:README.md')
      await damage(object)
      const log = vi.spyOn(server.app.log, 'error')
      for (const path of [...paths, `blobs/${blob}`, `blobs/${blob}/raw`]) {
        log.mockClear()
        const url = `/projects/${pushed.project.id}/repository/${path}`
        const { status, body } = await server.inject('GET', url)
        expect([200, 404, 500], path).toContain(status)
        if (status === 200) continue
        expect(body.message).toMatch(/^(404 \w+( \w+)* Not Found|500 Internal Server Error)$/)
        expect(log.mock.calls.length, path).toBe(status === 500 ? 1 : 0)
      }
      expect((await server.inject('GET', '/version', { token: server.root.token })).status).toBe(
        200,
      )
      const { project } = await buildPushedProject(server)
      const whole = `/projects/${project.id}/repository/files/README.md/raw`
      expect((await server.inject('GET', whole)).text).toBe('# Hello\n')
    },
  )

  it('never sends an archive that lacks a file as a complete one', async () => {
    await damage('main:README.md')
    for (const format of ['tar', 'tar.gz', 'zip']) {
      const url = `/projects/${pushed.project.id}/repository/archive.${format}`
      // Either git fails before its first byte, or the response is aborted.
      const status = await server.inject('GET', url).then(
        (answer) => answer.status,
        (error: Error) => error.message,
      )
      expect([404, 500, 'response destroyed before completion']).toContain(status)
    }
  })

  it('returns 404 or 500 when the corrupt object itself is requested', async () => {
    await damage('main:README.md')
    for (const path of ['files/README.md/raw', 'files/README.md?ref=main']) {
      const url = `/projects/${pushed.project.id}/repository/${path}`
      expect([404, 500]).toContain((await server.inject('GET', url)).status)
    }
  })
})
