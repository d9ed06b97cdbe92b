import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildNoteableFixture,
  type NoteableFixture,
  noteableKinds,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
/** Private. */
let secret: NoteableFixture
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  secret = await buildNoteableFixture(server, { visibility: 'private' })
})
afterAll(() => server.close())

/** `group/project#1` */
const nameOf = ({ iid }: TestNoteable) => `${fixture.made.project.path_with_namespace}#${iid}`

const mention = async (source: TestNoteable, target: TestNoteable) => {
  const body = { body: `See ${nameOf(target)}` }
  const answer = await secret.call(source, 'POST', '/discussions', body)
  if (answer.status !== 201) throw new Error(answer.text)
}

/** The notes and discussions of an issue that a caller sees, with their totals. */
async function visibleCounts(issue: TestNoteable, by?: { token: string }): Promise<unknown[]> {
  const notes = await fixture.call(issue, 'GET', '/notes', undefined, by)
  const discussions = await fixture.call(issue, 'GET', '/discussions', undefined, by)
  const totals = [notes.headers['x-total'], discussions.headers['x-total']].map(Number)
  return [notes.body.length, discussions.body.length, ...totals]
}

describe('the system note `mentioned in`', () => {
  it.each(noteableKinds)(
    'is hidden from users who cannot see the source: a private %s',
    async (kind) => {
      const issue = await fixture.build('Issue')
      const source = await secret.build(kind)
      await mention(source, issue)
      await fixture.call(issue, 'POST', '/notes', { body: 'A comment' })
      const outsider = await fixture.member(10)
      const internal = await secret.member(20)
      expect(await visibleCounts(issue, internal)).toEqual([2, 2, 2, 2])
      expect(await visibleCounts(issue)).toEqual([2, 2, 2, 2])
      expect(await visibleCounts(issue, outsider)).toEqual([1, 1, 1, 1])
      const { body } = await fixture.call(issue, 'GET', '/discussions')
      const systemNote = body.find((discussion: Json) => discussion.notes[0].system)
      expect(systemNote.notes[0].body).toContain('mentioned in')
      const { id } = systemNote.notes[0]
      for (const path of [
        `/notes/${id}`,
        `/notes/${id}/award_emoji`,
        `/discussions/${systemNote.id}`,
        `/discussions/${systemNote.id}/notes`,
        `/discussions/${systemNote.id}/notes/${id}`,
      ]) {
        expect((await fixture.call(issue, 'GET', path)).status).toBe(200)
        expect([
          path,
          (await fixture.call(issue, 'GET', path, undefined, outsider)).status,
        ]).toEqual([path, 404])
      }
      for (const [method, path, input] of [
        ['PUT', `/notes/${id}`, { body: 'x' }],
        ['DELETE', `/notes/${id}`],
        ['POST', `/notes/${id}/award_emoji`, { name: 'tada' }],
        ['POST', `/discussions/${systemNote.id}/notes`, { body: 'x' }],
      ] as const) {
        const answer = await fixture.call(issue, method, path, input, outsider)
        expect([path, answer.status]).toEqual([path, 404])
      }
    },
  )

  it('is hidden if the source is a confidential issue of the same project', async () => {
    const issue = await fixture.build('Issue')
    const confidential = await fixture.build('Issue', { confidential: true })
    await fixture.call(confidential, 'POST', '/notes', { body: `See #${issue.iid}` })
    expect(await visibleCounts(issue)).toEqual([1, 1, 1, 1])
    expect(await visibleCounts(issue, await fixture.member(20))).toEqual([1, 1, 1, 1])
    expect(await visibleCounts(issue, await fixture.member(10))).toEqual([0, 0, 0, 0])
  })

  it('is shown if everyone can see the source', async () => {
    const issue = await fixture.build('Issue')
    for (const kind of noteableKinds) {
      const source = await fixture.build(kind)
      const body = { body: `See ${nameOf(issue)}` }
      await fixture.call(source, 'POST', '/discussions', body)
    }
    expect(await visibleCounts(issue, await fixture.member(10))).toEqual([5, 5, 5, 5])
    const external = await server.buildUser({ external: true })
    expect(await visibleCounts(issue, external)).toEqual([5, 5, 5, 5])
  })

  it('does not shorten pages', async () => {
    const issue = await fixture.build('Issue')
    for (let at = 0; at < 3; at += 1) {
      await mention(await secret.build('Issue'), issue)
      await fixture.call(issue, 'POST', '/notes', { body: `Comment ${at}` })
    }
    const outsider = await fixture.member(10)
    const page = await fixture.call(issue, 'GET', '/notes?per_page=2', undefined, outsider)
    expect(page.body.map((note: Json) => note.body)).toEqual(['Comment 2', 'Comment 1'])
    expect(page.headers['x-total-pages']).toBe('2')
  })

  it('is deleted with its source, rather than becoming visible', async () => {
    const issue = await fixture.build('Issue')
    const source = await secret.build('Issue')
    await mention(source, issue)
    await secret.call(source, 'DELETE', '')
    expect(await visibleCounts(issue, await fixture.member(10))).toEqual([0, 0, 0, 0])
    expect(await visibleCounts(issue)).toEqual([0, 0, 0, 0])
  })
})
