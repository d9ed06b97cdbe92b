import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Build, Queries } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  explainQuery,
  insertRow,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import {
  findDiscussion,
  findNote,
  listComments,
  listDiscussions,
  listNotesById,
  listNotesOfDiscussion,
} from './note-list.ts'
import { deleteNotes, removeNotes } from './note-removal.ts'
import type { Noteable } from './note-row.ts'
import { insertNote, moveNotes, updateNote } from './note-store.ts'

let db: TestDatabase
let projectId: number
let authorId: number
beforeAll(async () => {
  db = await openTestDatabase()
  projectId = (await buildProject(db, await buildNamespace(db))).id
  authorId = (await buildUser(db)).id
})
afterAll(() => db.close())

const page = { page: 1, perPage: 100 }
let count = 0

/** A noteable of each kind, without notes. */
function buildNoteable(type: 'commit' | 'issue'): Noteable {
  count += 1
  if (type === 'issue') return { type, id: count, projectId }
  return { type, projectId, commitId: String(count).padStart(40, '0') }
}

/** `a0000…`: an id of a discussion. */
const idOf = (name: string) => name.padEnd(40, '0')

function write(noteable: Noteable, discussion: string, body: string, createdAt = someTime) {
  const type = discussion === body ? null : ('discussion_note' as const)
  const note = { noteable, discussionId: idOf(discussion), type, authorId, body, createdAt }
  return db.transaction((tx) => insertNote(tx, note))
}

describe.each(['commit', 'issue'] as const)('notes on a noteable: %s', (type) => {
  it('are returned as they were written', async () => {
    const noteable = buildNoteable(type)
    const written = await write(noteable, 'a', 'text')
    const { items, total } = await listComments(db, noteable, page)
    const read = { ...written, bodyBytes: 4 }
    expect([items, total]).toEqual([[read], 1])
    expect(await listNotesById(db, [written.id, 0])).toEqual([read])
  })

  it('are listed by timestamp, not by id, without those of other noteables', async () => {
    const noteable = buildNoteable(type)
    await write(noteable, 'a', 'late', someTime + 5)
    await write(noteable, 'b', 'early', someTime - 5)
    await write(buildNoteable(type), 'a', 'elsewhere')
    await insertRow(db, 'notes', {
      projectId,
      noteableType: type,
      noteableId: 'id' in noteable ? noteable.id : null,
      commitId: 'commitId' in noteable ? noteable.commitId : null,
      discussionId: idOf('c'),
      authorId,
      body: 'closed',
      system: 1,
      createdAt: someTime,
      updatedAt: someTime,
    })
    const comments = await listComments(db, noteable, { page: 1, perPage: 1 })
    expect(comments.items.map(({ body }) => body)).toEqual(['early'])
    expect(comments.total).toBe(2)
  })

  it('are grouped by discussion, in the order of the first notes', async () => {
    const noteable = buildNoteable(type)
    await write(noteable, 'b', 'b1', someTime + 1)
    await write(noteable, 'a', 'a1', someTime + 2)
    await write(noteable, 'b', 'b2', someTime + 3)
    await write(noteable, 'c', 'c', someTime)
    const { items, total } = await listDiscussions(db, noteable, { page: 1, perPage: 2 })
    expect(items.map(({ id, notes }) => [id[0], ...notes.map(({ body }) => body)])).toEqual([
      ['c', 'c'],
      ['b', 'b1', 'b2'],
    ])
    expect(total).toBe(3)
    const second = await listDiscussions(db, noteable, { page: 2, perPage: 2 })
    expect(second.items.map(({ id }) => id)).toEqual([idOf('a')])
    expect((await listDiscussions(db, noteable, { page: 3, perPage: 2 })).items).toEqual([])
  })

  it('are found by discussion, and only on their noteable', async () => {
    const noteable = buildNoteable(type)
    const other = buildNoteable(type)
    const { id: noteId } = await write(noteable, 'd', 'd1')
    await write(noteable, 'd', 'd2')
    const discussionId = idOf('d')
    expect((await findDiscussion(db, noteable, discussionId))?.notes).toHaveLength(2)
    expect(await findDiscussion(db, other, discussionId)).toBeUndefined()
    expect(await findNote(db, noteable, { discussionId, noteId })).toMatchObject({ body: 'd1' })
    expect(await findNote(db, noteable, { discussionId: idOf('e'), noteId })).toBeUndefined()
    expect(await findNote(db, other, { discussionId, noteId })).toBeUndefined()
    const request = { page: 2, perPage: 1 }
    const second = await listNotesOfDiscussion(db, noteable, discussionId, request)
    expect(second.items.map(({ body }) => body)).toEqual(['d2'])
    expect(second.total).toBe(2)
  })
})

describe('a note', () => {
  it('is updated, moved to another author and deleted', async () => {
    const noteable = buildNoteable('issue')
    const { id: other } = await buildUser(db)
    const note = await write(noteable, 'a', 'one')
    const { id: noteId } = note
    const row = () => findNote(db, noteable, { discussionId: idOf('a'), noteId })
    const change = { noteId, body: 'two', now: someTime + 1 }
    expect(await db.transaction((tx) => updateNote(tx, change))).toBe(true)
    expect(await row()).toMatchObject({ body: 'two', createdAt: someTime, updatedAt: someTime + 1 })
    const move = { from: authorId, to: other, limit: 1000 }
    expect(await db.transaction((tx) => moveNotes(tx, move))).toBeGreaterThan(0)
    expect(await db.transaction((tx) => moveNotes(tx, move))).toBe(0)
    expect(await row()).toMatchObject({ authorId: other })
    const remove = () => db.transaction((tx) => deleteNotes(tx, [note]))
    expect([await remove(), await remove()]).toEqual([1, 0])
    expect(await db.transaction((tx) => updateNote(tx, change))).toBe(false)
    expect(await row()).toBeUndefined()
    await write(noteable, 'a', 'three')
    await write(noteable, 'a', 'four')
    const author = { userId: authorId, limit: 1 }
    const removed = async () => db.transaction((tx) => removeNotes(tx, author))
    expect([await removed(), await removed(), await removed()]).toEqual([1, 1, 0])
  })
})

describe('a list of notes', () => {
  it.each(['commit', 'issue'] as const)('is served by an index: on a %s', async (type) => {
    const noteable = buildNoteable(type)
    const plans = await plansOf(async (q) => {
      // Of an empty list, the second page is counted too.
      const second = { page: 2, perPage: 100 }
      await listComments(q, noteable, second)
      await listNotesOfDiscussion(q, noteable, idOf('a'), second)
      await listDiscussions(q, noteable, second)
      await findDiscussion(q, noteable, idOf('a'))
      await findNote(q, noteable, { discussionId: idOf('a'), noteId: 1 })
      await listNotesById(q, [1])
    })
    expect(plans).toHaveLength(9)
    for (const [shape, steps] of plans) {
      const onNotes = steps.filter((step) => /\bnotes\b/.test(step))
      expect([shape, onNotes]).toEqual([shape, [expect.stringMatching(/^SEARCH notes USING /)]])
      // Which discussions are first is known only after reading all notes of the noteable.
      if (shape.startsWith('notes.'))
        expect(steps).not.toContainEqual(expect.stringMatching(/ORDER/))
    }
    const [, discussions] = plans.find(([shape]) => shape.startsWith('discussions.page')) ?? []
    expect(discussions).toContainEqual(expect.stringContaining('COVERING INDEX'))
  })

  it.each(['authorId', 'resolvedById', 'projectId'] as const)(
    'is found by index for deletions: %s',
    async (column) => {
      const steps = await explainQuery<{ id: number }>((kysely, $) =>
        kysely.selectFrom('notes').where(column, '=', $('id')).select('id'),
      )
      expect(steps).toEqual([expect.stringMatching(`INDEX notes_${column}_`)])
    },
  )
})

/** SQLite's plans of the queries of `work`, by shape. */
async function plansOf(work: (q: Queries) => Promise<unknown>): Promise<[string, string[]][]> {
  const plans: [string, string[]][] = []
  async function record<A extends object, R>(shape: string, _args: A, build: Build<A, R>) {
    plans.push([shape, await explainQuery(build)])
  }
  await work({
    dialect: 'sqlite',
    async all(shape, args, build) {
      await record(shape, args, build)
      return []
    },
    async first(shape, args, build) {
      await record(shape, args, build)
      return undefined
    },
    run: async () => ({ changes: 0 }),
  })
  return plans
}
