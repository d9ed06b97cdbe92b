import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Build, Queries } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  explainQuery,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { buildMergeRequest } from '../../testing/merge-requests.ts'
import { findDiscussion } from './note-list.ts'
import {
  findThreadPosition,
  hasThreadPositions,
  listThreadPositions,
  updateThreadPosition,
} from './note-positions.ts'
import type { StoredNotePosition } from './note-row.ts'
import { insertNote } from './note-store.ts'

let db: TestDatabase
let project: { id: number }
let author: { id: number }
beforeAll(async () => {
  db = await openTestDatabase()
  project = await buildProject(db, await buildNamespace(db))
  author = await buildUser(db)
})
afterAll(() => db.close())

const idOf = (name: string) => name.padEnd(40, '0')

const at = (line: number): StoredNotePosition => ({
  position: {
    base_sha: 'a',
    start_sha: 'a',
    head_sha: 'b',
    position_type: 'text',
    old_path: 'f',
    new_path: 'f',
    old_line: null,
    new_line: line,
  },
  lineCode: `code_${line}`,
})

const build = async () => (await buildMergeRequest(db, project, author)).id

function write(mergeRequestId: number, discussion: string, position?: StoredNotePosition) {
  return db.transaction((tx) =>
    insertNote(tx, {
      noteable: { type: 'merge_request', id: mergeRequestId, projectId: project.id },
      discussionId: idOf(discussion),
      type: position === undefined ? 'discussion_note' : 'diff_note',
      authorId: author.id,
      body: 'x',
      position,
      createdAt: someTime,
    }),
  )
}

describe('the positions of threads', () => {
  it('are listed once for each thread, in pages, without other comments', async () => {
    const [id, other] = [await build(), await build()]
    await write(id, 'plain')
    expect(await hasThreadPositions(db, { mergeRequestId: id })).toBe(false)
    for (const name of ['b', 'a', 'a', 'c']) await write(id, name, at(name.length))
    await write(other, 'd', at(1))
    expect(await hasThreadPositions(db, { mergeRequestId: id })).toBe(true)
    const list = async (after: string, limit: number) => {
      const rows = await listThreadPositions(db, { mergeRequestId: id, after, limit })
      return rows.map(({ discussionId }) => discussionId)
    }
    expect(await list('', 2)).toEqual(['a', 'b'].map(idOf))
    expect(await list(idOf('b'), 2)).toEqual([idOf('c')])
    const [row] = await listThreadPositions(db, { mergeRequestId: other, after: '', limit: 1 })
    expect(row).toEqual({
      discussionId: idOf('d'),
      position: JSON.stringify(at(1).position),
      lineCode: 'code_1',
    })
  })

  it('change for all notes of a thread', async () => {
    const id = await build()
    for (const name of ['e', 'e', 'f']) await write(id, name, at(1))
    const changed = { discussionId: idOf('e'), ...at(7) }
    expect(await db.transaction((tx) => updateThreadPosition(tx, changed))).toBe(true)
    const noteable = { type: 'merge_request', id, projectId: project.id } as const
    const codes = async (name: string) =>
      (await findDiscussion(db, noteable, idOf(name)))?.notes.map(({ lineCode }) => lineCode)
    expect(await codes('e')).toEqual(['code_7', 'code_7'])
    expect(await codes('f')).toEqual(['code_1'])
    expect(await findThreadPosition(db, { discussionId: idOf('e') })).toEqual({
      position: JSON.stringify(at(7).position),
      lineCode: 'code_7',
    })
  })

  it('are those of threads that exist', async () => {
    const gone = { discussionId: idOf('none'), ...at(1) }
    expect(await db.transaction((tx) => updateThreadPosition(tx, gone))).toBe(false)
    expect(await findThreadPosition(db, gone)).toBeUndefined()
  })

  it('are read by their index', async () => {
    const plans: string[][] = []
    const reader = {
      async first<A extends object, R>(_: string, __: A, query: Build<A, R>) {
        plans.push(await explainQuery(query))
        return undefined
      },
      async all<A extends object, R>(_: string, __: A, query: Build<A, R>) {
        plans.push(await explainQuery(query))
        return []
      },
    } as unknown as Queries
    await hasThreadPositions(reader, { mergeRequestId: 1 })
    await listThreadPositions(reader, { mergeRequestId: 1, after: '', limit: 1 })
    const index = 'notes_noteableType_noteableId_discussionId_index'
    expect(plans).toEqual([
      [expect.stringContaining(index)],
      [expect.stringContaining(`${index} (noteableType=? AND noteableId=? AND discussionId>?)`)],
    ])
  })
})
