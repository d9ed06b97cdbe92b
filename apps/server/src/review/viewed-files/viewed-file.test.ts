/*
 * Covered here: marks of viewed files of a merge request: their own user's, of a version, outdated by
 * a later one that changes the file, bounded, and gone with the merge request and the user.
 */

import { setImmediate } from 'node:timers/promises'
import { maxViewedFiles } from '@stithy/core'
import { type Queries, saveViewedFile } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteUser } from '../../testing/delete-user.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildMergeFixture(server)
})

async function push(files: Record<string, string>): Promise<void> {
  await fixture.commitTo('topic', files, 'More')
  await fixture.push('topic')
  await server.runJobs()
}

const view = (path: string, body: object = {}, token?: string) =>
  fixture.call('PUT', `/viewed_files/${encodeURIComponent(path)}`, body, token)

async function marks(query = ''): Promise<[string, boolean][]> {
  const { body } = await fixture.call('GET', `/viewed_files${query}`)
  return body.map(({ path, outdated }: Json) => [path, outdated])
}

function storedMarks(q: Queries = server.app.db): Promise<{ userId: number }[]> {
  return q.all('test.viewedFiles', { id: fixture.request.id }, (db, $) =>
    db.selectFrom('viewedFiles').where('mergeRequestId', '=', $('id')).select('userId'),
  )
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files/:file_path', () => {
  it('marks a file for the caller alone, also again', async () => {
    for (const _ of [1, 2]) {
      const { status, body } = await view('b.txt')
      expect([status, body]).toEqual([
        200,
        { path: 'b.txt', viewed_at: expect.any(String), outdated: false },
      ])
    }
    expect(await marks()).toEqual([['b.txt', false]])
    const other = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, other.id, 30)
    expect((await fixture.call('GET', '/viewed_files', undefined, other.token)).body).toEqual([])
  })

  it('answers 404 for a file that the version does not change', async () => {
    const [{ id: first }] = (await fixture.call('GET', '/versions')).body
    await push({ 'd/ä.txt': 'd\n' })
    expect((await view('README.md')).status).toBe(404)
    expect((await view('d/ä.txt', { version_id: first })).status).toBe(404)
    expect((await view('b.txt', { version_id: 1234567 })).status).toBe(404)
    expect((await view('d/ä.txt')).body.path).toBe('d/ä.txt')
  })

  it('answers 404 to whom the merge request is hidden from, and 401 without a token', async () => {
    const stranger = await server.buildUser()
    expect((await view('b.txt', {}, stranger.token)).status).toBe(404)
    const path = `/projects/${fixture.project.id}/merge_requests/1/viewed_files/b.txt`
    expect((await server.inject('PUT', path, { body: {} })).status).toBe(401)
  })

  it('drops the marks that were made first beyond the maximum', async () => {
    const viewing = { mergeRequestId: fixture.request.id, userId: fixture.user.id }
    // In several turns: the time of the test's own work counts, too.
    for (let start = 0; start < maxViewedFiles; start += 100) {
      await server.app.db.transaction(async (tx) => {
        for (let at = start; at < start + 100; at += 1) {
          const file = { path: `f${at}`, mode: '100644', oid: '0', viewedAt: at }
          await saveViewedFile(tx, viewing, file, maxViewedFiles)
        }
      })
      await setImmediate()
    }
    await view('b.txt')
    const paths = (await marks()).map(([path]) => path)
    expect(paths).toHaveLength(maxViewedFiles)
    expect([paths.includes('b.txt'), paths.includes('f0'), paths.includes('f1')]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('GET /projects/:id/merge_requests/:merge_request_iid/viewed_files', () => {
  it('says which files a later version changed, its mode as well, and which it left alone', async () => {
    for (const path of ['b.txt', 'c.txt']) await view(path)
    await push({ 'b.txt': 'other\n' })
    expect(await marks()).toEqual([
      ['b.txt', true],
      ['c.txt', false],
    ])
    const [, { id: first }] = (await fixture.call('GET', '/versions')).body
    expect(await marks(`?version_id=${first}`)).toEqual([
      ['b.txt', false],
      ['c.txt', false],
    ])
    await fixture.git('update-index', '--chmod=+x', 'c.txt')
    await fixture.git('commit', '--quiet', '-m', 'Mode')
    await fixture.push('topic')
    await server.runJobs()
    await view('b.txt')
    expect(await marks()).toEqual([
      ['b.txt', false],
      ['c.txt', true],
    ])
  })

  it('marks what was viewed at an older version as outdated', async () => {
    const [{ id: first }] = (await fixture.call('GET', '/versions')).body
    await push({ 'b.txt': 'other\n' })
    await view('b.txt', { version_id: first })
    expect(await marks()).toEqual([['b.txt', true]])
  })

  it('knows deleted files, and those that are no longer changed', async () => {
    await fixture.git('rm', '--quiet', 'b.txt')
    await fixture.git('rm', '--quiet', 'README.md')
    await fixture.git('commit', '--quiet', '-m', 'Delete')
    await view('b.txt')
    await fixture.push('topic')
    await server.runJobs()
    await view('README.md')
    expect(await marks()).toEqual([
      ['README.md', false],
      ['b.txt', true],
    ])
  })
})

describe('DELETE /projects/:id/merge_requests/:merge_request_iid/viewed_files/:file_path', () => {
  it('removes the mark, and answers 404 without one', async () => {
    await view('b.txt')
    expect((await fixture.call('DELETE', '/viewed_files/b.txt')).status).toBe(204)
    expect(await marks()).toEqual([])
    expect((await fixture.call('DELETE', '/viewed_files/b.txt')).status).toBe(404)
  })
})

describe('a mark', () => {
  it('goes with its merge request', async () => {
    await view('b.txt')
    const { token } = server.root
    expect((await fixture.call('DELETE', '', undefined, token)).status).toBe(204)
    expect(await storedMarks()).toEqual([])
  })

  it('goes with its user', async () => {
    const other = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, other.id, 30)
    await view('b.txt', {}, other.token)
    await view('b.txt')
    await deleteUser(server, other.id)
    expect(await storedMarks()).toEqual([{ userId: fixture.user.id }])
  })
})
