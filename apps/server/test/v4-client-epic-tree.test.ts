import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

/** The calls of `EpicLinks` and `EpicIssues` of the unmodified @gitbeaker/rest, and parents in `Epics`. */

let server: TestServer
let api: InstanceType<typeof Gitlab>
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  const reporter = await server.buildUser()
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
  api = new Gitlab({ host: await server.url(), token: reporter.token })
})
afterAll(() => server.close())

const idsOf = (items: readonly Record<string, unknown>[]) => items.map(({ id }) => id)

it('child epics are created, assigned, listed, moved and unassigned', async () => {
  const parent = await api.Epics.create(group.id, 'A parent')
  const created = await api.EpicLinks.create(group.id, parent.iid, 'A new child')
  expect(created).toMatchObject({ parent_id: parent.id, has_children: false, has_issues: false })
  const other = await api.Epics.create(group.id, 'Another')
  const assigned = await api.EpicLinks.assign(group.id, parent.iid, other.id)
  expect(assigned.parent_id).toBe(parent.id)
  const third = await api.Epics.create(group.id, 'The third', { parentId: parent.id })
  expect(third.parent_id).toBe(parent.id)
  const listed = await api.EpicLinks.all(group.id, parent.iid)
  expect(idsOf(listed)).toEqual([created.id, other.id, third.id])
  const moved: unknown = await api.EpicLinks.reorder(group.id, parent.iid, third.id, {
    moveBeforeId: other.id,
  })
  expect(idsOf(moved as Json[])).toEqual([created.id, third.id, other.id])
  const unassigned = await api.EpicLinks.unassign(group.id, parent.iid, created.id)
  expect(unassigned.parent_id).toBe(null)
  expect(idsOf(await api.EpicLinks.all(group.id, parent.iid))).toEqual([third.id, other.id])
  await expect(api.EpicLinks.assign(group.id, third.iid, parent.id)).rejects.toThrow(/epic itself/)
})

it('issues of epics are assigned, listed, moved and removed', async () => {
  const epic = await api.Epics.create(group.id, 'An epic')
  const links: Json[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const issue = await api.Issues.create(project.id, title)
    links.push(await api.EpicIssues.assign(group.id, epic.iid, issue.id))
  }
  expect(links[0]).toMatchObject({ epic: { id: epic.id }, issue: { title: 'One' } })
  const ids = () => api.EpicIssues.all(group.id, epic.iid)
  expect((await ids()).map((issue) => issue.epic_issue_id)).toEqual(idsOf(links))
  await api.EpicIssues.edit(group.id, epic.iid, links[2].id, {
    moveAfterId: links[0].id,
    moveBeforeId: links[1].id,
  })
  expect((await ids()).map(({ title }) => title)).toEqual(['One', 'Three', 'Two'])
  await api.EpicIssues.remove(group.id, epic.iid, links[0].id)
  const rest = await api.EpicIssues.all(group.id, epic.iid, { perPage: 1, maxPages: 5 })
  expect(rest.map(({ title }) => title)).toEqual(['Three', 'Two'])
})
