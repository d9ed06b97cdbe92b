import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import { buildTestServer, type Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let count = 0

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const call = (method: string, path: string, body?: unknown, who = fixture.owner) =>
  callAs(fixture.server, method, path, who.token, body)

const made = (path: string, body: object) => created(fixture.server, path, body, fixture.owner)

const build = (owner: string, values: object = {}) =>
  made(`/${owner}/milestones`, { title: `v${++count}`, ...values })

describe('GET /projects/:id/milestones/:milestone_id/issues', () => {
  it('lists the issues that the caller may see, by label priority, then newest first', async () => {
    const { project } = fixture
    const milestone = await build(`projects/${project.id}`)
    const label = (name: string, priority: number | null) =>
      made(`/projects/${project.id}/labels`, { name, color: '#fff', priority })
    const open = (title: string, more: object = {}) =>
      fixture.open({ title, milestone_id: milestone.id, ...more }, fixture.owner)
    const list = async (query = '', who = fixture.owner) => {
      const path = `/projects/${project.id}/milestones/${milestone.id}/issues${query}`
      const answer = await call('GET', path, undefined, who)
      expect(answer.status, answer.text).toBe(200)
      for (const issue of answer.body) {
        for (const field of ['_links', 'has_tasks']) {
          expect(issue).not.toHaveProperty(field)
        }
        expect(issue.subscribed).toBe(who === fixture.owner)
      }
      return answer.body.map((issue: Json) => issue.title)
    }
    await open('plain')
    await open('secret', { confidential: true })
    await fixture.open({ title: 'elsewhere' }, fixture.owner)
    expect(await list()).toEqual(['secret', 'plain'])
    await label('high', 0)
    await label('low', 9)
    await label('none', null)
    await open('low', { labels: 'low,none' })
    await open('both', { labels: 'low,high' })
    await open('none', { labels: 'none' })
    expect(await list()).toEqual(['both', 'low', 'none', 'secret', 'plain'])
    expect(await list('?per_page=2&page=2')).toEqual(['none', 'secret'])
    expect(await list('', fixture.stranger)).toEqual(['both', 'low', 'none', 'plain'])
  })

  it('returns 404 for a group milestone, whose issues the group lists', async () => {
    const { group, project } = fixture
    const milestone = await build(`groups/${group.id}`)
    const hidden = await fixture.server.buildProject({ namespace_id: group.id })
    await fixture.open({ title: 'open', milestone_id: milestone.id }, fixture.owner)
    await fixture.open({ title: 'hidden', milestone_id: milestone.id }, fixture.owner, hidden)
    const own = `/projects/${project.id}/milestones/${milestone.id}/issues`
    expect((await call('GET', own)).status).toBe(404)
    const path = `/groups/${group.id}/milestones/${milestone.id}/issues`
    const titles = async (who = fixture.owner) =>
      (await call('GET', path, undefined, who)).body.map((issue: Json) => issue.title)
    expect(await titles()).toEqual(['hidden', 'open'])
    expect(await titles(fixture.stranger)).toEqual(['open'])
  })
})

describe('GET /projects/:id/milestones/:milestone_id/burndown_events', () => {
  const dayMs = 24 * 60 * 60_000
  const day = (offset: number) =>
    new Date(fixture.server.app.now() + offset * dayMs).toISOString().slice(0, 10)

  it('lists when issues were created, closed and reopened', async () => {
    const { project } = fixture
    const dates = { start_date: day(-1), due_date: day(9) }
    const milestone = await build(`projects/${project.id}`, dates)
    const path = `/projects/${project.id}/milestones/${milestone.id}/burndown_events`
    const issue = await fixture.open({ milestone_id: milestone.id, weight: 3 }, fixture.owner)
    await fixture.open({ milestone_id: milestone.id, confidential: true }, fixture.owner)
    for (const state_event of ['close', 'reopen', 'close']) {
      fixture.server.advance(1000)
      await fixture.call('PUT', `/${issue.iid}`, { state_event }, fixture.owner)
    }
    const burndownEvents = async (who = fixture.owner) =>
      (await call('GET', path, undefined, who)).body.map((event: Json) => [
        event.action,
        event.weight,
      ])
    expect(await burndownEvents()).toEqual([
      ['created', 3],
      ['created', null],
      ['closed', 3],
      ['reopened', 3],
      ['closed', 3],
    ])
    expect(await burndownEvents(fixture.stranger)).toHaveLength(4)
    const { stats } = fixture.server.app.db
    const cost = async () => {
      const before = stats.queries
      await burndownEvents()
      return stats.queries - before
    }
    const withDates = await cost()
    const page = await call('GET', `${path}?per_page=2&page=2`)
    expect([page.body.length, page.headers['x-total']]).toEqual([2, '5'])
    await call('PUT', `/projects/${project.id}/milestones/${milestone.id}`, { due_date: null })
    expect(await burndownEvents()).toEqual([])
    // One query reads all issues and all changes of their states.
    expect(withDates).toBe((await cost()) + 1)
  })

  it('returns 403 in the community tier', async () => {
    const server = await buildTestServer({ tier: 'community' })
    const project = await server.buildProject()
    const path = `/projects/${project.id}/milestones/1/burndown_events`
    expect((await callAs(server, 'GET', path, server.root.token)).status).toBe(403)
    await server.close()
  })
})
