import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { touchStamp } from '../../../platform/queries/stamps.ts'
import type { Row } from '../../../platform/schema/schema.ts'
import { listMergeRequests } from '../../../review/merge-requests/merge-request-list.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../../testing/index.ts'
import { putIssue, putMergeRequest, type WorkItemModel } from '../../../testing/work-items.ts'
import { listIssues } from '../../issues/issue-list.ts'

let db: TestDatabase
let author: Row<'users'>
let project: Row<'projects'>

const types = [
  {
    type: 'issues',
    table: 'issues',
    list: listIssues,
    async put(model: WorkItemModel): Promise<number> {
      await putIssue(db, model)
      return model.id
    },
  },
  {
    type: 'merge requests',
    table: 'mergeRequests',
    list: listMergeRequests,
    put: (model: WorkItemModel) => putMergeRequest(db, model),
  },
] as const

describe.each(types)('the full-text search of $type', ({ table, list, put }) => {
  beforeAll(async () => {
    db = await openTestDatabase()
    author = await buildUser(db)
    project = await buildProject(db, await buildNamespace(db))
  })
  afterAll(() => db.close())

  let count = 0

  function insert(title: string, description: string | null): Promise<number> {
    count += 1
    const times = { createdAt: someTime, updatedAt: someTime }
    const none = { weight: null, milestoneId: null, labelIds: [], assigneeIds: [], awards: [] }
    const texts = { title, description, state: 'opened', confidential: false } as const
    const ids = { id: count, iid: count, projectId: project.id, authorId: author.id }
    return put({ ...ids, ...texts, ...none, ...times })
  }

  async function found(search: string): Promise<number[]> {
    const caller = { userId: author.id, admin: true, external: false }
    const order = { orderBy: 'created_at', sort: 'asc' } as const
    const scope = { kind: 'anywhere', archived: true } as const
    const request = { scope, filter: { search }, caller, today: '2019-06-15', ...order }
    const { items } = await list(db, request, { page: 1, perPage: 100 })
    return items.map((row) => row.id)
  }

  async function set(id: number, changes: { title?: string; description?: string | null }) {
    const columns = Object.keys(changes).join()
    await db.run(
      `test.set|${table}|${columns}`,
      { id, title: '', description: null, ...changes },
      (kysely, $) =>
        kysely
          .updateTable(table as 'issues')
          .set({
            ...(changes.title === undefined ? {} : { title: $('title') }),
            ...(changes.description === undefined ? {} : { description: $('description') }),
          })
          .where('id', '=', $('id')),
    )
  }

  it('follows inserts, updates and deletions', async () => {
    const id = await insert('Harbour', null)
    expect(await found('arbou')).toEqual([id])
    await set(id, { title: 'Lantern' })
    expect(await found('harbour')).toEqual([])
    expect(await found('lantern')).toEqual([id])
    await set(id, { description: 'in the lighthouse' })
    expect(await found('lantern LIGHTHOUSE')).toEqual([id])
    await set(id, { description: null })
    expect(await found('lighthouse')).toEqual([])
    await db.run(`test.delete|${table}`, { id }, (kysely, $) =>
      kysely.deleteFrom(table as 'issues').where('id', '=', $('id')),
    )
    expect(await found('lantern')).toEqual([])
    expect(await found('la')).toEqual([])
  })

  it('drops those of a deleted project', async () => {
    await insert('Windmill', 'with sails')
    const other = await buildProject(db, await buildNamespace(db))
    await db.transaction(async (tx) => touchStamp(tx, 'projects'))
    const deleted = project
    project = other
    const id = await insert('Windmill too', null)
    expect(await found('windmill')).toHaveLength(2)
    await db.run('test.deleteProject', { id: deleted.id }, (kysely, $) =>
      kysely.deleteFrom('projects').where('id', '=', $('id')),
    )
    expect(await found('windmill')).toEqual([id])
    expect(await found('sails')).toEqual([])
  })

  it('treats operators of the query language as text', async () => {
    const id = await insert('a "quoted" NEAR(title) OR* {x} : -y ^z \\%_ 日本語の題', null)
    const texts = [
      'NEAR(title)',
      'OR*',
      '{x}',
      '^z',
      '\\%_',
      '日本',
      '日本語の題',
      '-y',
      '"quoted"',
    ]
    for (const text of texts) expect(await found(text), text).toEqual([id])
    expect(await found("o'")).toEqual([])
    expect(await found('"')).toEqual([id])
    for (const nothing of ['""', '" "']) expect(await found(nothing), nothing).toEqual([])
  })
})
