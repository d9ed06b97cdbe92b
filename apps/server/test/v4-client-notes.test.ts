import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildNoteableFixture, type NoteableFixture } from '../src/testing/fixtures/noteables.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
let root: InstanceType<typeof Gitlab>
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  const host = await server.url()
  root = new Gitlab({ host, token: server.root.token })
  api = new Gitlab({ host, token: (await fixture.member(30)).token })
})
afterAll(() => server.close())

const kinds = ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const

/** The path of a noteable, as the client spells it. */
async function path(kind: (typeof kinds)[number]): Promise<[number, number]> {
  const { id, iid } = await fixture.build(kind)
  const byId = kind === 'Epic' || kind === 'Snippet'
  return [kind === 'Epic' ? fixture.group.id : fixture.made.project.id, (byId ? id : iid) ?? 0]
}

const namesOf = { Issue: 'Issue', MergeRequest: 'MergeRequest', Snippet: 'ProjectSnippet' } as const

describe.each(kinds)('with the unmodified @gitbeaker/rest, on: %s', (kind) => {
  const prefix = kind === 'Epic' ? 'Epic' : namesOf[kind]

  it('notes are created, listed, updated and deleted', async () => {
    const at = await path(kind)
    const notes = api[`${prefix}Notes`]
    const first = await notes.create(...at, 'First')
    const second = await notes.create(...at, 'Second')
    expect(first).toMatchObject({ body: 'First', noteable_type: kind, system: false })
    const listed = await notes.all(...at, { sort: 'asc', orderBy: 'created_at' })
    expect(listed.map(({ body }) => body)).toEqual(['First', 'Second'])
    const changed = await notes.edit(...at, first.id, { body: 'Changed' })
    expect(changed.body).toBe('Changed')
    await notes.remove(...at, second.id)
    expect((await notes.show(...at, first.id)).body).toBe('Changed')
    expect(await notes.all(...at)).toHaveLength(1)
  })

  it('discussions are started, replied to and shown', async () => {
    const at = await path(kind)
    const discussions = api[`${prefix}Discussions`]
    const started = await discussions.create(...at, 'Why?')
    const reply = await discussions.addNote(...at, started.id, 'Because')
    await discussions.editNote(...at, started.id, reply.id, { body: 'Because!' })
    const shown = await discussions.show(...at, started.id)
    expect(shown.notes).toMatchObject([{ body: 'Why?' }, { body: 'Because!' }])
    await discussions.removeNote(...at, started.id, reply.id)
    const all = await discussions.all(...at)
    expect(all.map(({ notes }) => notes?.length)).toEqual([1])
  })
})

describe('with the unmodified @gitbeaker/rest', () => {
  it.each(['Issue', 'MergeRequest', 'Snippet'] as const)('awards emoji to: %s', async (kind) => {
    const at = await path(kind)
    const awards = api[`${namesOf[kind]}AwardEmojis`]
    const given = await awards.award(...at, 'thumbsup')
    expect(given).toMatchObject({ name: 'thumbsup', awardable_type: kind })
    await expect(awards.award(...at, '+1')).rejects.toThrow()
    expect(await awards.all(...at)).toHaveLength(1)
    expect((await awards.show(...at, given.id)).id).toBe(given.id)
    await awards.remove(...at, given.id)
    expect(await awards.all(...at)).toEqual([])
  })

  it.each(['Issue', 'MergeRequest'] as const)('awards notes on: %s', async (kind) => {
    const at = await path(kind)
    const note = await api[`${kind}Notes`].create(...at, 'Hello')
    const awards = api[`${kind}NoteAwardEmojis`]
    const given = await awards.award(...at, note.id, 'tada')
    expect(given).toMatchObject({ awardable_type: 'Note', awardable_id: note.id })
    expect(await awards.all(...at, note.id)).toHaveLength(1)
    await awards.remove(...at, note.id, given.id)
    expect(await awards.all(...at, note.id)).toEqual([])
  })

  it('starts a discussion on a line of a merge request, and resolves it', async () => {
    const at = await path('MergeRequest')
    const position = {
      baseSha: fixture.made.first,
      startSha: fixture.made.first,
      headSha: fixture.made.second,
      positionType: 'text',
      newPath: 'new.txt',
      oldPath: 'new.txt',
      newLine: '2',
    } as const
    const started = await api.MergeRequestDiscussions.create(...at, 'Two?', { position })
    expect(started.notes?.[0]).toMatchObject({ type: 'DiffNote', position: { new_line: 2 } })
    const resolved = await root.MergeRequestDiscussions.resolve(...at, started.id, true)
    expect(resolved.notes?.[0]).toMatchObject({ resolved: true, resolved_by: { id: 1 } })
    const [addSystemNote] = await api.MergeRequestNotes.all(...at)
    expect(addSystemNote).toMatchObject({ system: true, body: 'resolved all threads' })
  })

  it('turns a comment into a discussion by replying to it', async () => {
    const at = await path('Issue')
    await api.IssueNotes.create(...at, 'Alone')
    const [single] = await api.IssueDiscussions.all(...at)
    if (single === undefined) throw new Error('no discussion')
    expect(single.individual_note).toBe(true)
    await root.IssueDiscussions.addNote(...at, single.id, 'Not any more')
    const { individual_note } = await api.IssueDiscussions.show(...at, single.id)
    expect(individual_note).toBe(false)
  })
})
