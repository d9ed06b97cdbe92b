import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEpicIssueFixture, type EpicIssueFixture } from '../../testing/fixtures/epic-issues.ts'
import type { Json } from '../../testing/test-server.ts'

/**
 * Covered here, of the documentation of epic issues: listing, assigning, moving and removing issues; an
 * issue leaves its former epic; only issues that the caller may read; notes on the epic and the issue.
 */

let api: EpicIssueFixture
beforeAll(async () => {
  api = await buildEpicIssueFixture()
})
afterAll(() => api.server.close())

describe('POST /groups/:id/epics/:epic_iid/issues/:issue_id', () => {
  it('assigns an issue and returns 201 with the link', async () => {
    const { project, epic } = await api.buildWorld()
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
    expect(await api.notesOn(epic)).toEqual([
      `added issue ${project.path_with_namespace}#${issue.iid}`,
    ])
    expect(await api.systemNotes(issue.path)).toEqual([`added to epic &${epic.iid}`])
  })

  it('moves the issue from its former epic, with the same link', async () => {
    const world = await api.buildWorld()
    const other = await api.epic(world.group)
    const { issues, links, ids } = await api.fill(world, 1)
    const answer = await api.assignIssue(other, issues[0])
    expect([answer.status, answer.body.id]).toEqual([201, links[0]])
    expect([await api.issues(world.epic), await api.issues(other)]).toEqual([[], ids])
    expect((await api.notesOn(world.epic)).at(-1)).toMatch(/^removed issue /)
    expect(await api.notesOn(other)).toHaveLength(1)
    expect((await api.systemNotes(issues[0].path)).at(-1)).toBe(`changed epic to &${other.iid}`)
  })

  it('returns 409 for an issue of the epic, also concurrently', async () => {
    const { project, epic } = await api.buildWorld()
    const issue = await api.issue(project)
    const both = await Promise.all([api.assignIssue(epic, issue), api.assignIssue(epic, issue)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await api.assignIssue(epic, issue)).body).toEqual({
      message: 'Issue(s) already assigned',
    })
    expect(await api.notesOn(epic)).toHaveLength(1)
  })

  it('leaves an issue in one epic when two take it at the same time', async () => {
    const { group, project, epic } = await api.buildWorld()
    const other = await api.epic(group)
    const issue = await api.issue(project)
    const both = await Promise.all([api.assignIssue(epic, issue), api.assignIssue(other, issue)])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect([...(await api.issues(epic)), ...(await api.issues(other))]).toEqual([issue.id])
  })

  it('takes issues of projects in subgroups, and no others', async () => {
    const { group, epic } = await api.buildWorld()
    const below = await api.server.buildGroup({ parent_id: group.id })
    const inside = await api.server.buildProject({ namespace_id: below.id })
    const issue = await api.issue(inside)
    expect((await api.assignIssue(epic, issue)).status).toBe(201)
    expect(await api.systemNotes(issue.path)).toEqual([
      `added to epic ${group.full_path}&${epic.iid}`,
    ])
    const elsewhere = await api.assignIssue(epic, await api.issue(await api.server.buildProject()))
    expect([elsewhere.status, elsewhere.body]).toEqual([404, { message: '404 Issue Not Found' }])
    expect((await api.assignIssue(await api.epic(below), issue)).status).toBe(201)
    expect((await api.call('POST', `${epic.path}/issues/999999`)).status).toBe(404)
  })

  it('needs the Reporter role in the group and in the project', async () => {
    const { group, project, epic } = await api.buildWorld('public')
    const issue = await api.issue(project)
    const confidential = await api.issue(project, { confidential: true })
    const guest = await api.member(group, 10)
    const ofProject = await api.server.buildUser()
    await api.server.addMember(`projects/${project.id}`, ofProject.id, 40)
    for (const by of [guest, ofProject, await api.server.buildUser()]) {
      expect((await api.assignIssue(epic, issue, by)).status).toBe(403)
    }
    const reporter = await api.member(group, 20)
    expect((await api.assignIssue(epic, issue, reporter)).status).toBe(201)
    expect((await api.assignIssue(epic, confidential, reporter)).status).toBe(201)
    const { token } = api.server.root
    await api.server.inject('POST', `/projects/${project.id}/archive`, { token })
    expect((await api.assignIssue(await api.epic(group), issue, reporter)).status).toBe(403)
  })
})

describe('GET /groups/:id/epics/:epic_iid/issues', () => {
  it('lists and counts only issues that the caller may see', async () => {
    const world = await api.buildWorld('public')
    const { group, project, epic } = world
    const hidden = await api.server.buildProject({ namespace_id: group.id })
    const [open, confidential, elsewhere] = [
      await api.issue(project),
      await api.issue(project, { confidential: true }),
      await api.issue(hidden),
    ]
    for (const issue of [elsewhere, confidential, open]) await api.assignIssue(epic, issue)
    const stranger = await api.server.buildUser()
    const answer = await api.call('GET', `${epic.path}/issues`, stranger)
    expect(answer.body.map(({ id }: Json) => id)).toEqual([open.id])
    expect(answer.headers['x-total']).toBe('1')
    expect(await api.notesOn(epic, stranger)).toHaveLength(1)
    expect(await api.issues(epic, await api.member(group, 10))).toEqual([elsewhere.id, open.id])
    expect(await api.issues(epic)).toEqual([elsewhere.id, confidential.id, open.id])
    await api.call('PUT', confidential.path, api.server.root, { confidential: false })
    const after = await api.call('GET', `${epic.path}/issues`, stranger)
    expect(after.headers['x-total']).toBe('2')
  })

  it('pages with the same number of queries for any length', async () => {
    const world = await api.buildWorld()
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

describe('DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  it('removes the issue and returns 200 with the link', async () => {
    const world = await api.buildWorld()
    const { issues, links } = await api.fill(world, 1)
    const path = `${world.epic.path}/issues/${links[0]}`
    const answer = await api.call('DELETE', path)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: links[0],
      epic: { id: world.epic.id },
      issue: { id: issues[0].id },
    })
    expect(await api.issues(world.epic)).toEqual([])
    expect((await api.notesOn(world.epic)).at(-1)).toMatch(/^removed issue /)
    const notes = await api.systemNotes(issues[0].path)
    expect(notes.at(-1)).toBe(`removed from epic &${world.epic.iid}`)
    expect((await api.call('DELETE', path)).status).toBe(404)
  })

  it('returns 404 for links of other epics, and 403 below the Reporter role', async () => {
    const world = await api.buildWorld('public')
    const { links, ids } = await api.fill(world, 1)
    const other = await api.epic(world.group)
    expect((await api.call('DELETE', `${other.path}/issues/${links[0]}`)).status).toBe(404)
    const path = `${world.epic.path}/issues/${links[0]}`
    expect((await api.call('DELETE', path, await api.member(world.group, 10))).status).toBe(403)
    expect(await api.issues(world.epic)).toEqual(ids)
  })
})
