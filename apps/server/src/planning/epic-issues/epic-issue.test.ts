import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EpicTreeCalls,
  epicTreeCalls,
  type TestEpic,
} from '../../testing/fixtures/epic-tree.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered here, of the documentation of epic issues: listing, assigning, moving and removing issues; an
 * issue leaves its former epic; only issues that the caller may read; notes on the epic and the issue.
 */

let server: TestServer
let api: EpicTreeCalls
beforeAll(async () => {
  server = await buildTestServer()
  api = epicTreeCalls(server)
})
afterAll(() => server.close())

function notesOn({ groupId, id }: TestEpic, by?: { token: string }): Promise<string[]> {
  return api.systemNotes(`/groups/${groupId}/epics/${id}`, by)
}

interface World {
  group: Json
  project: Json
  epic: TestEpic
}

/** A group with a project and an epic. */
async function buildWorld(visibility = 'private'): Promise<World> {
  const group = await server.buildGroup({ visibility })
  const project = await server.buildProject({ namespace_id: group.id, visibility })
  return { group, project, epic: await api.epic(group) }
}

/** Issues in an epic, in their order, with the ids of their links. */
async function fill({ project, epic }: World, count: number) {
  const issues: Json[] = []
  const links: number[] = []
  for (let i = 0; i < count; i += 1) {
    const issue = await api.issue(project)
    issues.push(issue)
    links.push((await api.assignIssue(epic, issue)).body.id)
  }
  return { issues, links, ids: issues.map(({ id }) => id) }
}

async function member(group: Json, level: number) {
  const user = await server.buildUser()
  await server.addMember(`groups/${group.id}`, user.id, level)
  return user
}

describe('POST /groups/:id/epics/:epic_iid/issues/:issue_id', () => {
  it('assigns an issue and returns 201 with the link', async () => {
    const { project, epic } = await buildWorld()
    const issue = await api.issue(project, { weight: 3, labels: 'a' })
    const answer = await api.assignIssue(epic, issue)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      epic: expect.objectContaining({ id: epic.id, iid: epic.iid, start_date: null }),
      issue: expect.objectContaining({ id: issue.id, weight: 3, labels: ['a'] }),
      relative_position: expect.any(Number),
    })
    const [listed] = await api.list(`${epic.path}/issues`)
    expect(listed).toEqual({
      ...answer.body.issue,
      epic_issue_id: answer.body.id,
      relative_position: answer.body.relative_position,
    })
    expect(await notesOn(epic)).toEqual([`added issue ${project.path_with_namespace}#${issue.iid}`])
    expect(await api.systemNotes(issue.path)).toEqual([`added to epic &${epic.iid}`])
  })

  it('moves the issue from its former epic, with the same link', async () => {
    const world = await buildWorld()
    const other = await api.epic(world.group)
    const { issues, links, ids } = await fill(world, 1)
    const answer = await api.assignIssue(other, issues[0])
    expect([answer.status, answer.body.id]).toEqual([201, links[0]])
    expect([await api.issues(world.epic), await api.issues(other)]).toEqual([[], ids])
    expect((await notesOn(world.epic)).at(-1)).toMatch(/^removed issue /)
    expect(await notesOn(other)).toHaveLength(1)
    expect((await api.systemNotes(issues[0].path)).at(-1)).toBe(`changed epic to &${other.iid}`)
  })

  it('returns 409 for an issue of the epic, also concurrently', async () => {
    const { project, epic } = await buildWorld()
    const issue = await api.issue(project)
    const both = await Promise.all([api.assignIssue(epic, issue), api.assignIssue(epic, issue)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await api.assignIssue(epic, issue)).body).toEqual({
      message: 'Issue(s) already assigned',
    })
    expect(await notesOn(epic)).toHaveLength(1)
  })

  it('leaves an issue in one epic when two take it at the same time', async () => {
    const { group, project, epic } = await buildWorld()
    const other = await api.epic(group)
    const issue = await api.issue(project)
    const both = await Promise.all([api.assignIssue(epic, issue), api.assignIssue(other, issue)])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect([...(await api.issues(epic)), ...(await api.issues(other))]).toEqual([issue.id])
  })

  it('takes issues of projects in subgroups, and no others', async () => {
    const { group, epic } = await buildWorld()
    const below = await server.buildGroup({ parent_id: group.id })
    const inside = await server.buildProject({ namespace_id: below.id })
    const issue = await api.issue(inside)
    expect((await api.assignIssue(epic, issue)).status).toBe(201)
    expect(await api.systemNotes(issue.path)).toEqual([
      `added to epic ${group.full_path}&${epic.iid}`,
    ])
    const elsewhere = await api.assignIssue(epic, await api.issue(await server.buildProject()))
    expect([elsewhere.status, elsewhere.body]).toEqual([404, { message: '404 Issue Not Found' }])
    expect((await api.assignIssue(await api.epic(below), issue)).status).toBe(201)
    expect((await api.call('POST', `${epic.path}/issues/999999`)).status).toBe(404)
  })

  it('needs the Reporter role in the group and in the project', async () => {
    const { group, project, epic } = await buildWorld('public')
    const issue = await api.issue(project)
    const confidential = await api.issue(project, { confidential: true })
    const guest = await member(group, 10)
    const ofProject = await server.buildUser()
    await server.addMember(`projects/${project.id}`, ofProject.id, 40)
    for (const by of [guest, ofProject, await server.buildUser()]) {
      expect((await api.assignIssue(epic, issue, by)).status).toBe(403)
    }
    const reporter = await member(group, 20)
    expect((await api.assignIssue(epic, issue, reporter)).status).toBe(201)
    expect((await api.assignIssue(epic, confidential, reporter)).status).toBe(201)
    const { token } = server.root
    await server.inject('POST', `/projects/${project.id}/archive`, { token })
    expect((await api.assignIssue(await api.epic(group), issue, reporter)).status).toBe(403)
  })
})

describe('GET /groups/:id/epics/:epic_iid/issues', () => {
  it('lists and counts only issues that the caller may see', async () => {
    const world = await buildWorld('public')
    const { group, project, epic } = world
    const hidden = await server.buildProject({ namespace_id: group.id })
    const [open, confidential, elsewhere] = [
      await api.issue(project),
      await api.issue(project, { confidential: true }),
      await api.issue(hidden),
    ]
    for (const issue of [elsewhere, confidential, open]) await api.assignIssue(epic, issue)
    const stranger = await server.buildUser()
    const answer = await api.call('GET', `${epic.path}/issues`, stranger)
    expect(answer.body.map(({ id }: Json) => id)).toEqual([open.id])
    expect(answer.headers['x-total']).toBe('1')
    expect(await notesOn(epic, stranger)).toHaveLength(1)
    expect(await api.issues(epic, await member(group, 10))).toEqual([elsewhere.id, open.id])
    expect(await api.issues(epic)).toEqual([elsewhere.id, confidential.id, open.id])
    await api.call('PUT', confidential.path, server.root, { confidential: false })
    const after = await api.call('GET', `${epic.path}/issues`, stranger)
    expect(after.headers['x-total']).toBe('2')
  })

  it('pages with the same number of queries for any length', async () => {
    const world = await buildWorld()
    const details = { labels: 'a', assignee_ids: [1] }
    await api.assignIssue(world.epic, await api.issue(world.project, details))
    const read = () => api.issues(world.epic)
    const few = await api.queriesOf(read)
    for (let i = 0; i < 5; i += 1) {
      await api.assignIssue(world.epic, await api.issue(world.project, details))
    }
    expect(await api.queriesOf(read)).toBe(few)
    expect(few).toBeLessThanOrEqual(12)
    const ids = await read()
    const answer = await api.call('GET', `${world.epic.path}/issues?per_page=4&page=2`)
    expect(answer.body.map(({ id }: Json) => id)).toEqual(ids.slice(4))
    expect(answer.headers).toMatchObject({ 'x-total': '6', 'x-total-pages': '2' })
  })
})

describe('PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  function move({ path }: TestEpic, link: number, body: object, by?: { token: string }) {
    return api.call('PUT', `${path}/issues/${link}`, by, body)
  }

  it('moves an issue before, after or between others and returns all in their order', async () => {
    const world = await buildWorld()
    const { ids, links } = await fill(world, 4)
    const [a, b, c, d] = ids
    const [one, two, three, four] = links as [number, number, number, number]
    const first = await move(world.epic, four, { move_before_id: two })
    expect(first.status).toBe(200)
    expect(first.body.map(({ id }: Json) => id)).toEqual([a, d, b, c])
    expect(first.body.map((issue: Json) => issue.epic_issue_id)).toEqual([one, four, two, three])
    await move(world.epic, one, { move_after_id: two })
    expect(await api.issues(world.epic)).toEqual([d, b, a, c])
    await move(world.epic, three, { move_after_id: four, move_before_id: two })
    expect(await api.issues(world.epic)).toEqual([d, c, b, a])
  })

  it('writes one row, whatever the length', async () => {
    const world = await buildWorld()
    const { links } = await fill(world, 3)
    const swap = async (id: number) => {
      expect((await move(world.epic, id, { move_before_id: links[0] })).status).toBe(200)
    }
    const few = await api.queriesOf(() => swap(links[2] ?? 0))
    links.push(...(await fill(world, 5)).links)
    expect(await api.queriesOf(() => swap(links.at(-1) ?? 0))).toBe(few)
  })

  it('returns 400 for itself and for issues that are not neighbours', async () => {
    const world = await buildWorld()
    const { ids, links } = await fill(world, 4)
    const [one, two, three, four] = links as [number, number, number, number]
    for (const body of [
      { move_before_id: one },
      { move_after_id: two, move_before_id: four },
      { move_after_id: three, move_before_id: two },
    ]) {
      const answer = await move(world.epic, one, body)
      const message = { error: 'Issue could not be moved!' }
      expect([answer.status, answer.body]).toEqual([400, { message }])
    }
    expect((await move(world.epic, one, {})).status).toBe(400)
    expect(await api.issues(world.epic)).toEqual(ids)
  })

  it('does not count a hidden issue as a neighbour, and returns 404 for its link', async () => {
    const world = await buildWorld('public')
    const hidden = await server.buildProject({ namespace_id: world.group.id })
    const { ids, links } = await fill(world, 1)
    const between = await api.issue(hidden)
    const link = (await api.assignIssue(world.epic, between)).body.id
    const more = await fill(world, 2)
    const everybody = [...ids, between.id, ...more.ids]
    const [first, second] = [links[0], more.links[0]]
    const reporter = await member(world.group, 20)
    const { token } = server.root
    const body = { issues_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${hidden.id}`, { token, body })
    expect(await api.issues(world.epic, reporter)).toEqual([...ids, ...more.ids])
    const both = { move_after_id: first, move_before_id: second }
    expect((await move(world.epic, more.links[1] ?? 0, both, reporter)).status).toBe(200)
    expect(await api.issues(world.epic, reporter)).toEqual([ids[0], more.ids[1], more.ids[0]])
    const toHidden = await move(world.epic, first ?? 0, { move_before_id: link }, reporter)
    expect(toHidden.status).toBe(404)
    expect((await move(world.epic, link, { move_before_id: first }, reporter)).status).toBe(404)
    await server.inject('PUT', `/projects/${hidden.id}`, {
      token,
      body: { issues_access_level: 'enabled' },
    })
    expect((await api.issues(world.epic)).toSorted()).toEqual(everybody.toSorted())
  })

  it('returns 404 for links of other epics, and 403 below the Reporter role', async () => {
    const world = await buildWorld('public')
    const { links } = await fill(world, 1)
    const other = await buildWorld('public')
    const { links: others } = await fill(other, 1)
    const [one, two] = [links[0] ?? 0, others[0] ?? 0]
    expect((await move(world.epic, two, { move_before_id: one })).status).toBe(404)
    expect((await move(world.epic, one, { move_before_id: two })).status).toBe(404)
    const guest = await member(world.group, 10)
    expect((await move(world.epic, one, { move_before_id: one }, guest)).status).toBe(403)
  })
})

describe('DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  it('removes the issue and returns 200 with the link', async () => {
    const world = await buildWorld()
    const { issues, links } = await fill(world, 1)
    const path = `${world.epic.path}/issues/${links[0]}`
    const answer = await api.call('DELETE', path)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: links[0],
      epic: { id: world.epic.id },
      issue: { id: issues[0].id },
    })
    expect(await api.issues(world.epic)).toEqual([])
    expect((await notesOn(world.epic)).at(-1)).toMatch(/^removed issue /)
    const notes = await api.systemNotes(issues[0].path)
    expect(notes.at(-1)).toBe(`removed from epic &${world.epic.iid}`)
    expect((await api.call('DELETE', path)).status).toBe(404)
  })

  it('returns 404 for links of other epics, and 403 below the Reporter role', async () => {
    const world = await buildWorld('public')
    const { links, ids } = await fill(world, 1)
    const other = await api.epic(world.group)
    expect((await api.call('DELETE', `${other.path}/issues/${links[0]}`)).status).toBe(404)
    const path = `${world.epic.path}/issues/${links[0]}`
    expect((await api.call('DELETE', path, await member(world.group, 10))).status).toBe(403)
    expect(await api.issues(world.epic)).toEqual(ids)
  })
})

describe('quick actions of issues', () => {
  async function comment(issue: Json, body: string, by?: { token: string }) {
    const answer = await api.call('POST', `${issue.path}/notes`, by, { body })
    expect([201, 202, 400]).toContain(answer.status)
  }

  it('/epic assigns and /remove_epic removes, for reporters', async () => {
    const { group, project, epic } = await buildWorld('public')
    const issue = await api.issue(project)
    await comment(issue, `/epic &${epic.iid}`, await member(group, 10))
    expect(await api.issues(epic)).toEqual([])
    const reporter = await member(group, 20)
    await comment(issue, `/epic &${epic.iid}`, reporter)
    expect(await api.issues(epic)).toEqual([issue.id])
    await comment(issue, '/remove_epic', await member(group, 10))
    expect(await api.issues(epic)).toEqual([issue.id])
    await comment(issue, '/remove_epic', reporter)
    expect(await api.issues(epic)).toEqual([])
  })

  it('/epic takes a path, works in a description, and ignores what it cannot do', async () => {
    const { group, epic } = await buildWorld()
    const below = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: below.id })
    const command = `Text\n/epic ${group.full_path}&${epic.iid}`
    const issue = await api.issue(project, { description: command })
    expect(issue.description).toBe('Text')
    expect(await api.issues(epic)).toEqual([issue.id])
    const other = await buildWorld()
    await comment(issue, `/epic ${other.group.full_path}&${other.epic.iid}`)
    await comment(issue, '/epic &999')
    await comment(issue, '/epic')
    expect(await api.issues(epic)).toEqual([issue.id])
  })
})
