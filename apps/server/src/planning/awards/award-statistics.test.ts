import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildNoteableFixture, type NoteableFixture } from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

const kinds = ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const

describe.each(kinds)('GET award_emoji_statistics of: %s', (kind) => {
  async function build() {
    const built = await fixture.build(kind)
    // Award emoji name epics by their iid.
    const path = kind === 'Epic' ? built.path.replace(/\d+$/, `${built.iid}`) : built.path
    return { ...built, path }
  }

  it('counts the awards of an item and of some of its notes, in the order of the first', async () => {
    const item = await build()
    const guest = await fixture.member(10)
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Hello' })
    const { body: other } = await fixture.call(item, 'POST', '/notes', { body: 'Bye' })
    const award = (on: string, name: string, by?: { token: string }) =>
      fixture.call(item, 'POST', `${on}/award_emoji`, { name }, by)
    const { body: own } = await award('', 'tada')
    await award('', 'tada', guest)
    await award(`/notes/${note.id}`, 'heart', guest)
    await award(`/notes/${note.id}`, 'tada', guest)
    await award(`/notes/${other.id}`, 'rocket')
    const path = `/award_emoji_statistics?note_ids[]=${note.id}`
    const { status, body } = await fixture.call(item, 'GET', path)
    const ofItem = { awardable_id: item.id, awardable_type: kind }
    const ofNote = { awardable_id: note.id, awardable_type: 'Note', count: 1, award_id: null }
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { ...ofItem, name: 'tada', unicode: '🎉', count: 2, award_id: own.id },
        { ...ofNote, name: 'heart', unicode: expect.any(String) },
        { ...ofNote, name: 'tada', unicode: '🎉' },
      ],
    })
  })

  it('leaves out notes of other items', async () => {
    const [item, other] = [await build(), await build()]
    const { body: note } = await fixture.call(other, 'POST', '/notes', { body: 'Hello' })
    await fixture.call(other, 'POST', `/notes/${note.id}/award_emoji`, { name: 'tada' })
    const path = `/award_emoji_statistics?note_ids[]=${note.id}`
    expect((await fixture.call(item, 'GET', path)).body).toEqual([])
    expect((await fixture.call(other, 'GET', path)).body).toHaveLength(1)
  })
})
