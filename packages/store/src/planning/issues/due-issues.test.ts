import { describe, expect, it } from 'vitest'
import {
  buildNamespace,
  buildProject,
  buildUser,
  insertRow,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { plansOf } from '../../testing/plans.ts'
import { listDueIssues } from './due-issues.ts'

const dueDate = '2019-06-02'

async function buildIssues(db: TestDatabase) {
  const author = await buildUser(db)
  const namespace = await buildNamespace(db)
  const project = await buildProject(db, namespace)
  const archived = await buildProject(db, namespace, { archived: 1 })
  const deleted = await buildProject(db, namespace, { deletedAt: someTime })
  let iid = 0
  const build = async (values: object, projectId = project.id) => {
    iid += 1
    const times = { createdAt: someTime, updatedAt: someTime }
    const texts = { title: 'A title', dueDate }
    const row = { projectId, iid, authorId: author.id, ...texts, ...times, ...values }
    return (await insertRow(db, 'issues', row)).id
  }
  const due = [await build({}), await build({})]
  await build({ state: 'closed' })
  await build({ dueDate: '2019-06-01' })
  await build({ dueDate: '2019-06-03' })
  await build({ dueDate: null })
  const inactive = [await build({}, archived.id), await build({}, deleted.id)]
  due.push(await build({ confidential: 1 }))
  return { authorId: author.id, due, inactive }
}

describe('listDueIssues', () => {
  it('pages through the open issues of a day, those of inactive projects marked', async () => {
    await using db = await openTestDatabase()
    const { authorId, due, inactive } = await buildIssues(db)
    const expected = [...due, ...inactive]
      .toSorted((a, b) => a - b)
      .map((id) => ({ id, authorId, isInactive: inactive.includes(id) }))
    const first = await listDueIssues(db, { dueDate, after: 0, limit: 3 })
    expect(first).toEqual(expected.slice(0, 3))
    const rest = await listDueIssues(db, { dueDate, after: first.at(-1)?.id ?? 0, limit: 3 })
    expect(rest).toEqual(expected.slice(3))
  })

  it('reads the rows of one day and page from an index, in its order', async () => {
    const plans = await plansOf((q) => listDueIssues(q, { dueDate, after: 0, limit: 3 }))
    expect([...plans.values()]).toEqual([
      [
        'SEARCH issues USING INDEX issues_opened_dueDate_id_index (dueDate=? AND id>?)',
        'SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    ])
  })
})
