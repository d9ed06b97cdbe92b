import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { type BlobReader, blobContent } from './content.service.ts'

/** More than is streamed by one process of the pool. */
const size = 9 * 1024 * 1024

let server: TestServer
/** @param stallMs how long the reader may take for each chunk */
let open: (userId: number, stallMs?: number) => Promise<Readable>

beforeAll(async () => {
  server = await buildTestServer()
  const { app, root } = server
  const project = await server.buildProject()
  const tree = await buildWorkTree()
  await commit(tree, { 'large.txt': 'x'.repeat(size) }, 'Large')
  const remote = remoteUrl(
    await server.url(),
    project.path_with_namespace,
    root.username,
    root.token,
  )
  await mustGit(tree, 'push', remote, 'main')
  const oid = await mustGit(tree, 'rev-parse', 'main:large.txt')
  const row = await findRepository(app.db, project.id)
  if (row === undefined) throw new Error('no project')
  const { codeLimits } = app.config
  open = async (userId, stallMs = 60_000) => {
    const archive = { ...codeLimits.archive, stallMs, perClient: 1 }
    app.config.codeLimits = { ...codeLimits, archive }
    const caller = { user: { id: userId } } as BlobReader['caller']
    const signal = () => new AbortController().signal
    const reader = { app, subject: { row: project as { id: number } }, caller, signal }
    const content = blobContent(
      { ...reader, repository: repositoryOf(app, row) },
      { oid, size },
      async () => ({}),
    )
    return (await content.open(undefined)) as Readable
  }
})
afterAll(() => server.close())

describe('a large file', () => {
  it('is no longer sent to a client that does not read it, which frees its slot for the next', async () => {
    const stalled = await open(1, 50)
    stalled.read(1)
    const next = open(1)
    const [error] = await once(stalled, 'error')
    expect(error).toMatchObject({ code: 'timeout' })
    expect((await buffer(await next)).length).toBe(size)
  })

  it('is sent to others meanwhile', async () => {
    const first = await open(1)
    const other = await open(2)
    expect((await buffer(other)).length).toBe(size)
    first.destroy()
  })
})
