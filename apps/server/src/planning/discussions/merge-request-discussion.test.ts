import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

async function start(item: TestNoteable, input: object = {}, by?: { token: string }) {
  const answer = await fixture.call(item, 'POST', '/discussions', { body: 'Why?', ...input }, by)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

const resolve = (item: TestNoteable, id: string, resolved: unknown, by?: { token: string }) =>
  fixture.call(item, 'PUT', `/discussions/${id}`, { resolved }, by)

/** The system notes, oldest first. */
async function systemNotes(item: TestNoteable): Promise<string[]> {
  const { body } = await fixture.call(item, 'GET', '/notes?sort=asc&per_page=100')
  return body.flatMap((note: Json) => (note.system ? [note.body] : []))
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', () => {
  it('resolves and reopens all notes of a thread', async () => {
    const request = await fixture.build('MergeRequest')
    const { id } = await start(request)
    await fixture.call(request, 'POST', `/discussions/${id}/notes`, { body: 'Because' })
    const by = await fixture.member(30)
    const { status, body } = await resolve(request, id, true, by)
    expect([status, body.id, body.notes]).toEqual([
      200,
      id,
      [1, 2].map(() =>
        expect.objectContaining({
          resolvable: true,
          resolved: true,
          resolved_by: expect.objectContaining({ id: by.id, username: by.username }),
        }),
      ),
    ])
    expect((await fixture.call(request, 'GET', `/discussions/${id}`)).body).toEqual(body)
    const again = await resolve(request, id, true)
    expect(again.body.notes[0].resolved_by.id).toBe(by.id)
    const opened = await resolve(request, id, false)
    expect(opened.body.notes).toMatchObject(
      [1, 2].map(() => ({ resolvable: true, resolved: false, resolved_by: null })),
    )
  })

  it('writes one system note when the last open thread is resolved', async () => {
    const request = await fixture.build('MergeRequest')
    const [one, two] = [await start(request), await start(request)]
    await fixture.call(request, 'POST', '/notes', { body: 'A single comment does not count' })
    await resolve(request, one.id, true)
    expect(await systemNotes(request)).toEqual([])
    await resolve(request, two.id, true)
    await resolve(request, two.id, true)
    expect(await systemNotes(request)).toEqual(['resolved all threads'])
    await resolve(request, one.id, false)
    await resolve(request, one.id, true)
    expect(await systemNotes(request)).toHaveLength(2)
  })

  it('writes one system note for two concurrent calls that resolve the last two threads', async () => {
    const request = await fixture.build('MergeRequest')
    const threads = [await start(request), await start(request)]
    const answers = await Promise.all(threads.map(({ id }) => resolve(request, id, true)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await systemNotes(request)).toEqual(['resolved all threads'])
  })

  it('is for developers and the author of the merge request', async () => {
    const author = await fixture.member(10)
    const request = await fixture.build('MergeRequest', { authorId: author.id })
    const writer = await fixture.member(20)
    const { id } = await start(request, {}, writer)
    for (const [level, status] of [
      [0, 403],
      [10, 403],
      [20, 403],
      [30, 200],
      [40, 200],
    ] as const) {
      const answer = await resolve(request, id, true, await fixture.member(level))
      expect([level, answer.status]).toEqual([level, status])
    }
    expect((await resolve(request, id, false, author)).status).toBe(200)
    // The author of the thread may resolve its notes one by one.
    expect((await resolve(request, id, true, writer)).status).toBe(403)
  })

  it('returns 403 for a single comment, 404 for an unknown discussion, 400 without `resolved`', async () => {
    const request = await fixture.build('MergeRequest')
    await fixture.call(request, 'POST', '/notes', { body: 'Alone' })
    const { body } = await fixture.call(request, 'GET', '/discussions')
    expect((await resolve(request, body[0].id, true)).status).toBe(403)
    expect((await resolve(request, 'f'.repeat(40), true)).status).toBe(404)
    for (const value of [undefined, '', null, 'perhaps', 2]) {
      expect((await resolve(request, body[0].id, value)).status).toBe(400)
    }
    expect((await resolve(request, body[0].id, 'true')).status).toBe(403)
  })
})

describe('PUT …/merge_requests/…/discussions/:discussion_id/notes/:note_id with `resolved`', () => {
  it('resolves one note, also by its author', async () => {
    const request = await fixture.build('MergeRequest')
    const writer = await fixture.member(0)
    const { id, notes } = await start(request, {}, writer)
    const path = `/discussions/${id}/notes`
    const { body: reply } = await fixture.call(request, 'POST', path, { body: 'Because' })
    const one = `${path}/${notes[0].id}`
    const { status, body } = await fixture.call(request, 'PUT', one, { resolved: true }, writer)
    expect([status, body.resolved, body.resolved_by.id]).toEqual([200, true, writer.id])
    expect(await systemNotes(request)).toEqual([])
    const other = await fixture.call(request, 'GET', `${path}/${reply.id}`)
    expect(other.body.resolved).toBe(false)
    const input = { resolved: true }
    const refused = await fixture.call(request, 'PUT', `${path}/${reply.id}`, input, writer)
    expect(refused.status).toBe(403)
    await fixture.call(request, 'PUT', `${path}/${reply.id}`, input)
    expect(await systemNotes(request)).toEqual(['resolved all threads'])
    const opened = await fixture.call(request, 'PUT', one, { resolved: false }, writer)
    expect(opened.body).toMatchObject({ resolved: false, resolved_by: null })
  })

  it('returns 400 for a single comment', async () => {
    const request = await fixture.build('MergeRequest')
    const { body: note } = await fixture.call(request, 'POST', '/notes', { body: 'Alone' })
    const { body } = await fixture.call(request, 'GET', '/discussions')
    const path = `/discussions/${body[0].id}/notes/${note.id}`
    const answer = await fixture.call(request, 'PUT', path, { resolved: true })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('Note is not resolvable'),
    ])
  })
})

describe('POST …/merge_requests/…/discussions with a position', () => {
  const at = (changes: object = {}) => ({
    base_sha: fixture.made.first,
    start_sha: fixture.made.first,
    head_sha: fixture.made.second,
    position_type: 'text',
    old_path: 'a.txt',
    new_path: 'a.txt',
    new_line: 15,
    ...changes,
  })

  it('creates a diff note; a reply has the same position', async () => {
    const request = await fixture.build('MergeRequest')
    const discussion = await start(request, { position: at() })
    expect(discussion.individual_note).toBe(false)
    expect(discussion.notes[0]).toMatchObject({
      type: 'DiffNote',
      resolvable: true,
      resolved: false,
      position: { ...at(), old_line: null },
    })
    const path = `/discussions/${discussion.id}/notes`
    const { body: reply } = await fixture.call(request, 'POST', path, { body: 'Because' })
    expect(reply).toMatchObject({ type: 'DiffNote', position: { ...at(), old_line: null } })
    const { body } = await resolve(request, discussion.id, true)
    expect(body.notes.map((note: Json) => note.resolved)).toEqual([true, true])
  })

  it('accepts removed and unchanged lines, renamed files and points in images', async () => {
    const request = await fixture.build('MergeRequest')
    for (const change of [
      { new_line: null, old_line: 15 },
      { new_line: 14, old_line: 14 },
      { new_path: 'amed.txt', old_path: 'old name.txt', new_line: 2 },
      { new_path: 'gone.txt', old_path: 'gone.txt', new_line: null, old_line: 1 },
      { position_type: 'image', new_line: null, width: 9, height: 8, x: 0, y: 7 },
    ]) {
      const { notes } = await start(request, { position: at(change) })
      expect(notes[0].type).toBe('DiffNote')
    }
  })

  it.each<[string, object, RegExp]>([
    ['no line', { new_line: null }, /position is incomplete/],
    ['no path', { new_path: null, old_path: null }, /position is incomplete/],
    ['a line that is not there', { new_line: 9999 }, /line_code/],
    ['a file that is not there', { new_path: 'none', old_path: 'none' }, /line_code/],
    ['a path out of the tree', { new_path: '../x', old_path: null }, /line_code/],
    ['an option', { new_path: '--output=x', old_path: null }, /line_code/],
    ['a head of no version', { head_sha: '0'.repeat(40) }, /does not belong to this diff/],
    ['a branch for a hash', { base_sha: 'main' }, /does not belong to this diff/],
    ['an option for a hash', { start_sha: '--output=x' }, /does not belong to this diff/],
    ['a hash of 64 KiB', { head_sha: 'a'.repeat(65_536) }, /head_sha/],
    ['a path of 64 KiB', { new_path: 'p/'.repeat(32_768), old_path: null }, /new_path/],
    ['a path with a null character', { new_path: 'a\0.txt', old_path: null }, /new_path/],
    ['line 0', { new_line: 0 }, /line_code/],
    ['a negative line', { new_line: -1 }, /line_code/],
    ['a huge line', { new_line: 2 ** 31 }, /line_code/],
    ['a line beyond all integers', { new_line: '9'.repeat(400) }, /new_line/],
    ['half a line', { new_line: 1.5 }, /new_line/],
    ['both numbers for an added line', { old_line: 15 }, /line_code/],
    ['one number for an unchanged line', { new_line: 14 }, /line_code/],
    ['the old path of another file', { old_path: 'new.txt' }, /line_code/],
    ['an unknown type', { position_type: 'video' }, /position_type/],
    ['an image without a point', { position_type: 'image', width: 9, height: 8 }, /incomplete/],
    [
      'a point of huge numbers',
      { position_type: 'image', width: 1e300, height: 8, x: 0, y: 0 },
      /width/,
    ],
  ])('answers 400 for %s', async (_, change, message) => {
    const request = await fixture.build('MergeRequest')
    const input = { body: 'x', position: at(change) }
    const answer = await fixture.call(request, 'POST', '/discussions', input)
    expect(answer.status).toBe(400)
    expect(answer.body.message ?? answer.body.error).toMatch(message)
  })

  it('answers 400 for the version of another merge request or project, and for half of one', async () => {
    const [request, other] = [
      await fixture.build('MergeRequest'),
      await (await buildNoteableFixture(server)).build('MergeRequest'),
    ]
    const { body: elsewhere } = await fixture.call(other, 'GET', '')
    const mixed = { ...elsewhere.diff_refs, base_sha: fixture.made.first }
    for (const refs of [elsewhere.diff_refs, mixed, { head_sha: elsewhere.diff_refs.head_sha }]) {
      const input = { body: 'x', position: at(refs) }
      const answer = await fixture.call(request, 'POST', '/discussions', input)
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringContaining('does not belong to this diff'),
      ])
    }
    for (const position of [[1, 2], 'a.txt:15', 7, true]) {
      const input = { body: 'x', position }
      const { status } = await fixture.call(request, 'POST', '/discussions', input)
      expect([position, status]).toEqual([position, 400])
    }
    for (const name of ['base_sha', 'start_sha', 'head_sha', 'position_type']) {
      const input = { body: 'x', position: at({ [name]: null }) }
      const answer = await fixture.call(request, 'POST', '/discussions', input)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(name)])
    }
  })

  it('accepts the hashes of an earlier version', async () => {
    const request = await fixture.build('MergeRequest')
    await server.app.db.run('test.version', { id: request.id ?? 0 }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40) })
        .where('id', '=', $('id')),
    )
    const { notes } = await start(request, { position: at() })
    expect(notes[0].position.head_sha).toBe(fixture.made.second)
  })
})

describe('a position', () => {
  it('is ignored for items without diffs', async () => {
    const issue = await fixture.build('Issue')
    const { notes } = await start(issue, { position: { position_type: 'nonsense' } })
    expect(notes[0].type).toBe('DiscussionNote')
    expect(notes[0]).not.toHaveProperty('position')
  })
})
