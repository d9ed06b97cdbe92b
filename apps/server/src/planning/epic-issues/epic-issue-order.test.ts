import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEpicIssueFixture, type EpicIssueFixture } from '../../testing/fixtures/epic-issues.ts'
import type { TestEpic } from '../../testing/fixtures/epic-tree.ts'
import type { Json } from '../../testing/test-server.ts'

let api: EpicIssueFixture
beforeAll(async () => {
  api = await buildEpicIssueFixture()
})
afterAll(() => api.server.close())

describe('PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  function move({ path }: TestEpic, link: number, body: object, by?: { token: string }) {
    return api.call('PUT', `${path}/issues/${link}`, by, body)
  }

  it('moves an issue before, after or between others and returns all in their order', async () => {
    const world = await api.buildWorld()
    const { ids, links } = await api.fill(world, 4)
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
    const world = await api.buildWorld()
    const { links } = await api.fill(world, 3)
    const swap = async (id: number) => {
      expect((await move(world.epic, id, { move_before_id: links[0] })).status).toBe(200)
    }
    const few = await api.queriesOf(() => swap(links[2] ?? 0))
    links.push(...(await api.fill(world, 5)).links)
    expect(await api.queriesOf(() => swap(links.at(-1) ?? 0))).toBe(few)
  })

  it('returns 400 for itself and for issues that are not neighbours', async () => {
    const world = await api.buildWorld()
    const { ids, links } = await api.fill(world, 4)
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
    const world = await api.buildWorld('public')
    const hidden = await api.server.buildProject({ namespace_id: world.group.id })
    const { ids, links } = await api.fill(world, 1)
    const between = await api.issue(hidden)
    const link = (await api.assignIssue(world.epic, between)).body.id
    const more = await api.fill(world, 2)
    const everybody = [...ids, between.id, ...more.ids]
    const [first, second] = [links[0], more.links[0]]
    const reporter = await api.member(world.group, 20)
    const { token } = api.server.root
    const body = { issues_access_level: 'disabled' }
    await api.server.inject('PUT', `/projects/${hidden.id}`, { token, body })
    expect(await api.issues(world.epic, reporter)).toEqual([...ids, ...more.ids])
    const both = { move_after_id: first, move_before_id: second }
    expect((await move(world.epic, more.links[1] ?? 0, both, reporter)).status).toBe(200)
    expect(await api.issues(world.epic, reporter)).toEqual([ids[0], more.ids[1], more.ids[0]])
    const toHidden = await move(world.epic, first ?? 0, { move_before_id: link }, reporter)
    expect(toHidden.status).toBe(404)
    expect((await move(world.epic, link, { move_before_id: first }, reporter)).status).toBe(404)
    await api.server.inject('PUT', `/projects/${hidden.id}`, {
      token,
      body: { issues_access_level: 'enabled' },
    })
    expect((await api.issues(world.epic)).toSorted()).toEqual(everybody.toSorted())
  })

  it('returns 404 for links of other epics, and 403 below the Reporter role', async () => {
    const world = await api.buildWorld('public')
    const { links } = await api.fill(world, 1)
    const other = await api.buildWorld('public')
    const { links: others } = await api.fill(other, 1)
    const [one, two] = [links[0] ?? 0, others[0] ?? 0]
    expect((await move(world.epic, two, { move_before_id: one })).status).toBe(404)
    expect((await move(world.epic, one, { move_before_id: two })).status).toBe(404)
    const guest = await api.member(world.group, 10)
    expect((await move(world.epic, one, { move_before_id: one }, guest)).status).toBe(403)
  })
})

describe('quick actions of issues', () => {
  async function comment(issue: Json, body: string, by?: { token: string }) {
    const answer = await api.call('POST', `${issue.path}/notes`, by, { body })
    expect([201, 202, 400]).toContain(answer.status)
  }

  it('/epic assigns and /remove_epic removes, for reporters', async () => {
    const { group, project, epic } = await api.buildWorld('public')
    const issue = await api.issue(project)
    await comment(issue, `/epic &${epic.iid}`, await api.member(group, 10))
    expect(await api.issues(epic)).toEqual([])
    const reporter = await api.member(group, 20)
    await comment(issue, `/epic &${epic.iid}`, reporter)
    expect(await api.issues(epic)).toEqual([issue.id])
    await comment(issue, '/remove_epic', await api.member(group, 10))
    expect(await api.issues(epic)).toEqual([issue.id])
    await comment(issue, '/remove_epic', reporter)
    expect(await api.issues(epic)).toEqual([])
  })

  it('/epic takes a path, works in a description, and ignores what it cannot do', async () => {
    const { group, epic } = await api.buildWorld()
    const below = await api.server.buildGroup({ parent_id: group.id })
    const project = await api.server.buildProject({ namespace_id: below.id })
    const command = `Text\n/epic ${group.full_path}&${epic.iid}`
    const issue = await api.issue(project, { description: command })
    expect(issue.description).toBe('Text')
    expect(await api.issues(epic)).toEqual([issue.id])
    const other = await api.buildWorld()
    await comment(issue, `/epic ${other.group.full_path}&${other.epic.iid}`)
    await comment(issue, '/epic &999')
    await comment(issue, '/epic')
    expect(await api.issues(epic)).toEqual([issue.id])
  })
})
