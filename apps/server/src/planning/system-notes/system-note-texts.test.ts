import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

async function send(method: string, to: string, body?: object): Promise<Json> {
  const { token } = fixture.server.root
  const answer = await fixture.server.inject(method, to, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.status} ${answer.text}`)
  return answer.body
}

const pathOf = ({ project_id: project, iid }: Json) => `/projects/${project}/issues/${iid}`

describe('the text of a system note', () => {
  it('has the current username, or the last one of a deleted user', async () => {
    const [renamed, deleted] = [await fixture.server.buildUser(), await fixture.server.buildUser()]
    const issue = await fixture.open({})
    await send('PUT', pathOf(issue), { assignee_ids: [renamed.id, deleted.id] })
    await send('PUT', `/users/${renamed.id}`, { username: 'called-otherwise' })
    await send('DELETE', `/users/${deleted.id}`)
    await fixture.server.runJobs()
    expect(await fixture.systemNotes(issue)).toEqual([
      `assigned to @called-otherwise and @${deleted.username}`,
    ])
  })

  it('has the current title of a milestone, or the last one of a deleted milestone', async () => {
    const milestones = `/groups/${fixture.group.id}/milestones`
    const milestone = await send('POST', milestones, { title: 'first' })
    const issue = await fixture.open({ milestone_id: milestone.id })
    await send('PUT', `${milestones}/${milestone.id}`, { title: 'second' })
    expect(await fixture.systemNotes(issue)).toEqual(['changed milestone to %"second"'])
    await send('DELETE', `${milestones}/${milestone.id}`)
    await fixture.server.runJobs()
    expect(await fixture.systemNotes(issue)).toEqual([
      'changed milestone to %"first"',
      'removed milestone',
    ])
  })

  it('keeps the title of a milestone whose group the project has left', async () => {
    const { server } = fixture
    const group = await server.buildGroup({ visibility: 'private' })
    const project = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
    const milestones = `/groups/${group.id}/milestones`
    const milestone = await send('POST', milestones, { title: 'known' })
    const issue = await fixture.open({ milestone_id: milestone.id }, server.root, project)
    await send('PUT', `/projects/${project.id}/transfer`, { namespace: fixture.group.id })
    await send('PUT', `${milestones}/${milestone.id}`, { title: 'a secret of the group' })
    expect(await fixture.systemNotes(issue)).toEqual(['changed milestone to %"known"'])
  })

  it('refers to other issues relative to the project of a copied issue', async () => {
    const { server, project } = fixture
    const other = await server.buildProject({ visibility: 'public' })
    const issue = await fixture.open({})
    const source = await fixture.open({ description: `See #${issue.iid}` })
    const away = await send('POST', `${pathOf(issue)}/move`, { to_project_id: other.id })
    const full = project.path_with_namespace
    const left = `moved from ${full}#${issue.iid}`
    expect(await fixture.systemNotes(away)).toEqual([
      `mentioned in issue ${full}#${source.iid}`,
      left,
    ])
    const back = await send('POST', `${pathOf(away)}/move`, { to_project_id: project.id })
    expect(await fixture.systemNotes(back)).toEqual([
      `mentioned in issue #${source.iid}`,
      left,
      `moved from ${other.path_with_namespace}#${away.iid}`,
    ])
  })
})

describe('system notes in a list', () => {
  async function queries(issue: Json, list: string): Promise<number> {
    await send('GET', `${pathOf(issue)}/${list}`)
    const before = fixture.server.app.db.stats.queries
    await send('GET', `${pathOf(issue)}/${list}`)
    return fixture.server.app.db.stats.queries - before
  }

  it.each(['notes', 'discussions'])('add one query if they mention anything: %s', async (list) => {
    const { group, owner, developer } = fixture
    const issue = await fixture.open({ assignee_ids: [developer.id] })
    await send('POST', `${pathOf(issue)}/notes`, { body: 'A comment' })
    const few = await queries(issue, list)
    await send('PUT', pathOf(issue), { title: 'Another', weight: 3, state_event: 'close' })
    expect(await queries(issue, list)).toBe(few)
    await fixture.open({ description: `See #${issue.iid}` })
    expect(await queries(issue, list)).toBe(few + 1)
    const { id } = await send('POST', `/groups/${group.id}/milestones`, { title: `for ${list}` })
    await send('PUT', pathOf(issue), { milestone_id: id, assignee_ids: [owner.id] })
    await fixture.open({ description: `See #${issue.iid}` })
    expect(await queries(issue, list)).toBe(few + 1)
  })
})
