import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildNoteableFixture } from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  callAs(server, method, path, server.root.token, body)

const made = (path: string, body: object) => created(server, path, body)

const read = async (path: string) => (await call('GET', path)).body

const plan = (group: Json, title: string, more = {}) =>
  made(`/groups/${group.id}/milestones`, { title, ...more })

async function transfer(project: Json, group: Json) {
  const moved = await call('PUT', `/projects/${project.id}/transfer?namespace=${group.id}`)
  expect(moved.status, moved.text).toBe(200)
}

/** A project in a private group below another group, which has a sibling. */
async function buildParents() {
  const top = await server.buildGroup()
  const old = await server.buildGroup({ parent_id: top.id, visibility: 'private' })
  const next = await server.buildGroup({ parent_id: top.id })
  const project = await server.buildProject({ namespace_id: old.id, visibility: 'private' })
  return { top, old, next, project, path: `/projects/${project.id}` }
}

describe('milestones of a project that is transferred', () => {
  it('stay on its issues: as milestones of the new groups, or as its own', async () => {
    const { top, old, next, project, path } = await buildParents()
    const data = { description: 'd', start_date: '2019-01-02', due_date: '2019-02-03' }
    await made(`${path}/milestones`, { title: 'first' })
    const above = await plan(top, 'above')
    const inherited = await plan(old, 'gone', data)
    const unused = await plan(old, 'unused')
    const both = await plan(old, 'both')
    const there = await plan(next, 'both')
    const build = (issues: string, { id }: Json) =>
      made(`${issues}/issues`, { title: 'a', milestone_id: id })
    const issues: Json[] = []
    for (const milestone of [above, inherited, inherited, both])
      issues.push(await build(path, milestone))
    const other = await server.buildProject({ namespace_id: old.id, visibility: 'private' })
    const unchanged = await build(`/projects/${other.id}`, inherited)
    await call('PUT', `/groups/${old.id}/milestones/${inherited.id}`, { state_event: 'close' })
    expect(await read(`${path}/issues?milestone=gone`)).toHaveLength(2)
    await transfer(project, next)

    const actual: Json[] = []
    for (const { iid } of issues) actual.push((await read(`${path}/issues/${iid}`)).milestone)
    const own = (await read(`${path}/milestones`)).find((one: Json) => one.title === 'gone')
    expect(actual.map((one) => one.id)).toEqual([above.id, own.id, own.id, there.id])
    expect(actual[1]).toMatchObject({ ...data, iid: 2, state: 'closed', project_id: project.id })
    expect(actual[1]).not.toHaveProperty('group_id')
    expect(JSON.stringify(actual)).not.toContain(old.full_path)
    expect(await read(`${path}/issues?milestone=gone`)).toHaveLength(2)
    const titles = (await read(`${path}/milestones`)).map((one: Json) => one.title)
    expect(titles).toEqual(['gone', 'first'])
    expect((await read(`/projects/${other.id}/issues/${unchanged.iid}`)).milestone.id).toBe(
      inherited.id,
    )
    expect(await read(`/groups/${old.id}/milestones/${inherited.id}/issues`)).toHaveLength(1)
    expect((await read(`/groups/${old.id}/milestones/${unused.id}`)).title).toBe('unused')
  })

  it('stay on its boards and their lists, each list once', async () => {
    const { top, old, next, project, path } = await buildParents()
    const [scope, column, above] = [
      await plan(old, 'scope'),
      await plan(old, 'column'),
      await plan(top, 'above'),
    ]
    const { id } = await made(`${path}/boards`, { name: 'Development' })
    const board = `${path}/boards/${id}`
    expect((await call('PUT', board, { milestone_id: scope.id })).status).toBe(200)
    await made(`${board}/lists`, { milestone_id: column.id })
    await made(`${board}/lists`, { milestone_id: above.id })
    // A second list for a project milestone with the same title.
    const doubled = await plan(old, 'doubled')
    await made(`${board}/lists`, { milestone_id: doubled.id })
    const twin = await made(`${path}/milestones`, { title: 'twin' })
    await made(`${board}/lists`, { milestone_id: twin.id })
    // The API refuses the title of an ancestor's milestone, so it is set directly.
    await server.app.db.run('test.title', { id: twin.id, title: 'doubled' }, (db, $) =>
      db
        .updateTable('milestones')
        .set({ title: $('title') })
        .where('id', '=', $('id')),
    )
    await transfer(project, next)

    const own = new Map(
      (await read(`${path}/milestones`)).map((one: Json) => [one.title, one.id] as const),
    )
    const actual = await read(board)
    expect(actual.milestone).toMatchObject({ id: own.get('scope'), project_id: project.id })
    expect(actual.lists.map((list: Json) => list.milestone.id)).toEqual([
      own.get('column'),
      above.id,
      twin.id,
    ])
    expect(JSON.stringify(actual)).not.toContain(old.full_path)
  })

  it('stay on its merge requests', async () => {
    const fixture = await buildNoteableFixture(server)
    const { group, made: has } = fixture
    const request = await fixture.build('MergeRequest')
    const milestone = await plan(group, 'requested')
    const args = { id: request.id ?? 0, milestoneId: milestone.id }
    await server.app.db.run('test.plan', args, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ milestoneId: $('milestoneId') })
        .where('id', '=', $('id')),
    )
    await transfer(has.project, await server.buildGroup())
    const [own] = await read(`/projects/${has.project.id}/milestones?title=requested`)
    expect(own.id).not.toBe(milestone.id)
    const where = `/milestones/${own.id}/merge_requests`
    const [actual] = await read(`/projects/${has.project.id}${where}`)
    expect(actual.milestone).toMatchObject({ id: own.id, project_id: has.project.id })
    expect(await read(`/groups/${group.id}/milestones/${milestone.id}/merge_requests`)).toEqual([])
  })
})
