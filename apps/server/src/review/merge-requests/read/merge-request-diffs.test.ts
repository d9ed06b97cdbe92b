/*
 * Covered here: GET .../diffs, an extension, with its pages, versions, single files and limits; the
 * discussions of the files of a page.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildMergeFixture, type MergeFixture } from '../../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildMergeFixture(server)
})

const list = (query = '') => fixture.call('GET', `/diffs?${query}`)
const paths = (body: Json[]) => body.map((entry) => entry.new_path)

/** Pushes one more commit to the source branch. */
async function push(files: Record<string, string>): Promise<void> {
  await fixture.commitTo('topic', files, 'More')
  await fixture.push('topic')
  await server.runJobs()
}

/** The ids of the versions, oldest first. */
async function versions(): Promise<number[]> {
  const { body } = await fixture.call('GET', '/versions')
  return body.map(({ id }: Json) => id).reverse()
}

describe('GET /projects/:id/merge_requests/:merge_request_iid/diffs', () => {
  it('lists the files of the latest version in pages', async () => {
    await push({ 'd.txt': 'd\n' })
    const first = await list('per_page=2')
    expect(first.headers['x-total']).toBe('3')
    expect(paths(first.body)).toEqual(['b.txt', 'c.txt'])
    expect(first.body[0].diff).toContain('+b')
    expect(paths((await list('per_page=2&page=2')).body)).toEqual(['d.txt'])
    expect((await list('page=9')).body).toEqual([])
  })

  it('lists those of another version, or between two', async () => {
    await push({ 'c.txt': 'changed\n', 'd.txt': 'd\n' })
    const [old, latest] = await versions()
    expect(paths((await list(`version_id=${old}`)).body)).toEqual(['b.txt', 'c.txt'])
    const between = await list(`version_id=${latest}&start_version_id=${old}`)
    expect(paths(between.body)).toEqual(['c.txt', 'd.txt'])
    expect(between.body[0].diff).toContain('-c\n+changed')
    expect((await list(`version_id=${old}&start_version_id=${old}`)).body).toEqual([])
  })

  it('shows one file by its new path, past the limit of a file in a page', async () => {
    await push({ 'large.txt': 'a line of text\n'.repeat(20_000) })
    const all = await list()
    expect(all.body.at(-1)).toMatchObject({ new_path: 'large.txt', too_large: true, diff: '' })
    const { headers, body } = await list('path=large.txt')
    expect(headers['x-total']).toBe('1')
    expect(body).toMatchObject([{ new_path: 'large.txt', too_large: false }])
    expect(body[0].diff.length).toBeGreaterThan(300_000)
    expect((await list('path=c.txt')).body).toMatchObject([{ diff: expect.stringContaining('+c') }])
    expect((await list('path=c.txt&page=2')).body).toEqual([])
    expect((await list('path=none')).body).toEqual([])
  })

  it('ignores white space on request', async () => {
    const [old] = await versions()
    await push({ 'b.txt': 'b  \n' })
    const latest = (await versions()).at(-1)
    const between = `version_id=${latest}&start_version_id=${old}&path=b.txt`
    expect((await list(between)).body[0].diff).toContain('+b')
    expect((await list(`${between}&ignore_whitespace=true`)).body[0].diff).toBe('')
  })

  it('returns 404 for a version of another merge request', async () => {
    const other = await buildMergeFixture(server)
    const [{ id }] = (await other.call('GET', '/versions')).body
    expect((await list(`version_id=${id}`)).status).toBe(404)
    expect((await list(`start_version_id=${id}`)).status).toBe(404)
  })

  it('needs as many queries for many files as for few', async () => {
    const count = async () => {
      await list()
      const before = server.app.db.stats.queries
      await list()
      return server.app.db.stats.queries - before
    }
    const few = await count()
    await push(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, 'x\n'])))
    expect(await count()).toBe(few)
  })
})

describe('GET .../discussions?paths', () => {
  it('lists those on lines of these files alone', async () => {
    const { diff_refs: refs } = (await fixture.call('GET', '')).body
    const comment = async (path: string) => {
      const position = {
        ...refs,
        position_type: 'text',
        old_path: path,
        new_path: path,
        new_line: 1,
      }
      const { status } = await fixture.call('POST', '/discussions', { body: path, position })
      expect(status).toBe(201)
    }
    for (const path of ['b.txt', 'c.txt', 'b.txt']) await comment(path)
    await fixture.call('POST', '/discussions', { body: 'On none' })
    const bodies = async (query: string) =>
      (await fixture.call('GET', `/discussions?${query}`)).body.map(
        ({ notes }: Json) => notes[0].body,
      )
    expect(await bodies('')).toEqual(['b.txt', 'c.txt', 'b.txt', 'On none'])
    expect(await bodies('paths[]=b.txt')).toEqual(['b.txt', 'b.txt'])
    expect(await bodies('paths[]=b.txt&per_page=1&page=2')).toEqual(['b.txt'])
    expect(await bodies('paths[]=b.txt&paths[]=c.txt')).toEqual(['b.txt', 'c.txt', 'b.txt'])
    expect(await bodies('paths[]=none')).toEqual([])
  })
})
