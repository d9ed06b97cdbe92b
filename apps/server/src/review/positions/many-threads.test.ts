import type { NotePosition } from '@stithy/core'
import { insertNote } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readRequest } from '../../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** A merge request that adds these files. */
async function build(files: Record<string, string>): Promise<{ id: number }> {
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('topic', files, 'Add')
  await fixture.push('main', 'topic')
  const request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
  await server.runJobs()
  return request
}

/** Starts threads on added lines of the latest version. */
async function start({ id }: { id: number }, places: readonly { path: string; line: number }[]) {
  const { projectId, baseSha, startSha, headSha } = await readRequest(server, id)
  const refs = { base_sha: baseSha ?? '', start_sha: startSha, head_sha: headSha }
  await server.app.db.transaction(async (tx) => {
    for (const [index, { path, line }] of places.entries()) {
      const files = { old_path: path, new_path: path, old_line: null, new_line: line }
      const position: NotePosition = { ...refs, position_type: 'text', ...files }
      await insertNote(tx, {
        noteable: { type: 'merge_request', id, projectId },
        discussionId: String(index).padStart(40, '0'),
        type: 'diff_note',
        authorId: server.root.id,
        body: 'x',
        position: { position, lineCode: 'unknown' },
        createdAt: server.app.now(),
      })
    }
  })
}

/** The lines of the comments, and the number of system notes. */
async function read(id: number): Promise<{ lines: (number | null)[]; systemNotes: number }> {
  const rows = await server.app.db.all('test.lines', { id }, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'merge_request')
      .where('noteableId', '=', $('id'))
      .where('position', 'is not', null)
      .orderBy('id')
      .select(['position', 'system']),
  )
  const comments = rows.filter(({ system }) => system === 0)
  const lines = comments.map(({ position }) => JSON.parse(position ?? '').new_line)
  return { lines, systemNotes: rows.length - comments.length }
}

/** Pushes to the topic branch; returns how many git processes read changed lines. */
async function push(files: Record<string, string>): Promise<number> {
  await fixture.commitTo('topic', files, 'Change')
  await fixture.push('topic')
  const started = vi.spyOn(server.app.git.parts.spawner, 'start')
  await server.runJobs()
  const count = started.mock.calls.filter(([{ args }]) => args.includes('-U0')).length
  started.mockRestore()
  return count
}

const fileOf = (lines: readonly string[]) => `${lines.join('\n')}\n`
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a push to a merge request', () => {
  it('moves 1,100 threads in a file of 100,000 lines', async () => {
    const lines = numbers(100_000).map((number) => `line ${number}`)
    const request = await build({ 'large.txt': fileOf(lines) })
    const places = numbers(1100).map((number) => ({ path: 'large.txt', line: number * 90 }))
    await start(request, places)
    // The line of every second thread changes.
    const changed = lines.map((line, index) => (index % 180 === 179 ? `other ${index}` : line))
    await push({ 'large.txt': fileOf(['first', ...changed]) })
    const { lines: found, systemNotes } = await read(request.id)
    expect(found).toEqual(places.map(({ line }) => (line % 180 === 0 ? line : line + 1)))
    expect(systemNotes).toBe(550)
  }, 120_000)

  it('takes as many git processes for threads in 1,000 of 3,000 files as for one', async () => {
    const files = (start: string, count = 3000) =>
      Object.fromEntries(numbers(count).map((number) => [`f/${number}.txt`, `${start}one\ntwo\n`]))
    const counts: number[] = []
    for (const threads of [1, 1000]) {
      const request = await build(files(''))
      await start(
        request,
        numbers(threads).map((number) => ({ path: `f/${number}.txt`, line: 2 })),
      )
      counts.push(await push(files('zero\n')))
      const { lines, systemNotes } = await read(request.id)
      expect([new Set(lines), lines.length, systemNotes]).toEqual([new Set([3]), threads, 0])
    }
    // From the previous head to the new one, and from the base to the new head.
    expect(counts).toEqual([2, 2])
  }, 120_000)
})
