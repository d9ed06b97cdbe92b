import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let calls: string[]

beforeAll(async () => {
  server = await buildTestServer()
  const { project, tree, push } = await buildPushedProject(server)
  await mustGit(tree, 'branch', 'topic')
  await mustGit(tree, 'tag', '-a', 'v1', '-m', 'v1')
  await push('topic', 'v1')
  const oid = await mustGit(tree, 'rev-parse', 'HEAD')
  const blob = await mustGit(tree, 'rev-parse', 'HEAD:README.md')
  calls = [
    `commits/${oid}`,
    'commits/main',
    'commits',
    'commits?ref_name=v1&per_page=5',
    'tree',
    'tree?recursive=true&ref=topic',
    'files/README.md?ref=main',
    'files/README.md/raw',
    `blobs/${blob}`,
    'branches',
    'branches/main',
  ].map((path) => `/projects/${project.id}/repository/${path}`)
  // The refs are checked on every read for a tenth of a second after a change.
  await sleep(150)
})
afterAll(() => server.close())

it('starts no git process for repeated reads of a commit, commits, a tree, a file and branches', async () => {
  for (const path of calls) expect((await server.inject('GET', path)).status).toBe(200)
  const before = server.app.git.spawnCount
  for (const path of [...calls, ...calls.toReversed()]) {
    expect((await server.inject('GET', path)).status).toBe(200)
  }
  await Promise.all(calls.map((path) => server.inject('GET', path)))
  expect(server.app.git.spawnCount).toBe(before)
})
