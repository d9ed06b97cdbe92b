/**
 * What holds of wikis whose few objects stand for far more: every call is answered within the limits,
 * pages are found by name and written to beside them, and refusals cost nothing the next time.
 */
import { rm } from 'node:fs/promises'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bomb, bombNames, branchOf, buildBombs } from '../../testing/git/bombs.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { ensureWikiRepository } from './wiki-repository.ts'

let server: TestServer
let bombs: string

beforeAll(async () => {
  bombs = await buildBombs()
  server = await buildTestServer()
}, 120_000)
afterAll(async () => {
  await server.close()
  await rm(bombs, { recursive: true })
})

/** Builds a project whose wiki has a hostile history. */
async function buildHostileWiki(name: Bomb): Promise<Json> {
  const project = await server.buildProject()
  const row = await findRepository(server.app.db, project.id)
  if (row === undefined) throw new Error('no project')
  const { path } = await ensureWikiRepository(server.app, row)
  await mustGit(path, 'fetch', '--quiet', bombs, `+refs/heads/${branchOf(name)}:refs/heads/master`)
  return project
}

async function ask(method: string, path: string, body?: Json) {
  const { git } = server.app
  const before = git.spawnCount
  const { status } = await server.inject(method, path, { token: server.root.token, body })
  return { status, processes: git.spawnCount - before }
}

describe.each(bombNames)('a wiki with %s', (name) => {
  it('is answered within the limits', async () => {
    const base = `/projects/${(await buildHostileWiki(name)).id}/wikis`
    for (const path of [base, `${base}?with_content=true`, `${base}/a%2Fb`]) {
      const first = await ask('GET', path)
      expect([200, 404, 413, 422], path).toContain(first.status)
      const second = await ask('GET', path)
      expect(second.status, path).toBe(first.status)
      expect(second.processes, path).toBe(0)
    }
    const written = await ask('POST', base, { title: 'a page', content: 'x' })
    // A root folder of over 8 MiB can't be written.
    if (name === 'a large tree') expect(written.status).toBe(413)
    else expect(written.status).toBe(201)
    if (written.status !== 201) return
    expect((await ask('GET', `${base}/a-page`)).status).toBe(200)
    expect((await ask('PUT', `${base}/a-page`, { title: 'b' })).status).toBe(200)
    expect((await ask('DELETE', `${base}/b`)).status).toBe(204)
    await server.runJobs()
    // The folders of one take a minute and a half beside four busy loops.
  }, 600_000)
})
