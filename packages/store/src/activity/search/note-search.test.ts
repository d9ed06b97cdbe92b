import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { searchNotes } from './note-search.ts'

let db: TestDatabase
let author: Row<'users'>
let project: Row<'projects'>

beforeAll(async () => {
  db = await openTestDatabase()
  author = await buildUser(db)
  project = await buildProject(db, await buildNamespace(db))
})
afterAll(() => db.close())

let count = 0

/** A comment on a commit, which needs nothing else. */
async function put(body: string, { projectId = project.id, system = 0 } = {}): Promise<number> {
  count += 1
  const values = { id: count, projectId, body, system, authorId: author.id, at: someTime }
  await db.run('test.putNote', values, (kysely, $) =>
    kysely.insertInto('notes').values({
      id: $('id'),
      projectId: $('projectId'),
      noteableType: 'commit',
      discussionId: 'd',
      authorId: $('authorId'),
      body: $('body'),
      system: $('system') as 0,
      createdAt: $('at'),
      updatedAt: $('at'),
    }),
  )
  return count
}

async function set(id: number, body: string): Promise<void> {
  await db.run('test.setNote', { id, body }, (kysely, $) =>
    kysely
      .updateTable('notes')
      .set({ body: $('body') })
      .where('id', '=', $('id')),
  )
}

async function find(search: string, { projectId = project.id, page = 1, perPage = 100 } = {}) {
  const caller = { userId: author.id, admin: true, external: false }
  const request = { search, projectId, caller, today: '2019-06-15', totalMs: 60_000 }
  return searchNotes(db, request, { page, perPage })
}

async function found(search: string, projectId = project.id): Promise<number[]> {
  return (await find(search, { projectId })).items.map(({ id }) => id)
}

describe('the search of comments', () => {
  it('follows inserts, updates and deletions', async () => {
    const id = await put('By the Harbour')
    expect(await found('arbou')).toEqual([id])
    await set(id, 'in the lighthouse')
    expect(await found('harbour')).toEqual([])
    expect(await found('LIGHTHOUSE the')).toEqual([id])
    await db.run('test.deleteNote', { id }, (kysely, $) =>
      kysely.deleteFrom('notes').where('id', '=', $('id')),
    )
    expect(await found('lighthouse')).toEqual([])
  })

  it('finds those of one project, and no system notes', async () => {
    const id = await put('windmill')
    await put('windmill', { system: 1 })
    // Their ids have digits in common.
    for (const near of [project.id + 6400, project.id * 6400]) {
      const other = await buildProject(db, await buildNamespace(db), { id: near })
      const there = await put('windmill', { projectId: other.id })
      expect(await found('windmill', other.id)).toEqual([there])
      await db.run('test.deleteProject', { id: near }, (kysely, $) =>
        kysely.deleteFrom('projects').where('id', '=', $('id')),
      )
      expect(await found('windmill', near)).toEqual([])
    }
    expect(await found('windmill')).toEqual([id])
  })

  it('follows a comment that becomes a system note, or one of another project', async () => {
    const id = await put('sawmill')
    const other = await buildProject(db, await buildNamespace(db))
    const move = (projectId: number, system: number) =>
      db.run('test.moveNote', { id, projectId, system }, (kysely, $) =>
        kysely
          .updateTable('notes')
          .set({ projectId: $('projectId'), system: $('system') as 0 })
          .where('id', '=', $('id')),
      )
    await move(other.id, 0)
    expect([await found('sawmill'), await found('sawmill', other.id)]).toEqual([[], [id]])
    await move(other.id, 1)
    expect(await found('sawmill', other.id)).toEqual([])
    await move(project.id, 0)
    expect(await found('sawmill')).toEqual([id])
  })

  it('treats operators of the query language as text', async () => {
    const id = await put('a "quoted" NEAR(body) OR* {scope} : -y ^z \\%_ 日本語の題 Öl')
    for (const text of [
      ...['NEAR(body)', 'OR*', '{scope}', '^z', '\\%_', '日本', '日本語の題', '-y', '"quoted"'],
      ...['scope :', 'öl', 'a öl 日本語'],
    ]) {
      expect(await found(text), text).toEqual([id])
    }
    for (const nothing of [
      ...[
        '""',
        '" "',
        'body:quoted',
        'quoted*',
        'OR NOT',
        'NEAR("quoted" x)',
        '\ud800\ud800\ud800',
      ],
      // What stands for the project in the index.
      String.fromCharCode(57_344, 57_344, 57_344 + project.id),
    ]) {
      expect(await found(nothing), nothing).toEqual([])
    }
    expect(await found('quoted '.repeat(9000))).toEqual([id])
  })

  it('knows the total of each page', async () => {
    const ids: number[] = []
    for (let index = 0; index < 5; index += 1) ids.push(await put(`lantern ${index}`))
    ids.reverse()
    for (const [page, expected] of [
      [1, ids.slice(0, 2)],
      [2, ids.slice(2, 4)],
      [3, ids.slice(4)],
      [4, []],
    ] as const) {
      const { items, total, hasMore } = await find('lantern', { page, perPage: 2 })
      expect([page, items.map(({ id }) => id), total, hasMore]).toEqual([
        page,
        expected,
        5,
        undefined,
      ])
    }
  })
})
