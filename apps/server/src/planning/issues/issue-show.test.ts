import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let hidden: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
  hidden = await buildIssueFixture('private')
})
afterAll(async () => {
  await fixture.server.close()
  await hidden.server.close()
})

const roles = ['stranger', 'guest', 'reporter', 'developer', 'maintainer', 'owner'] as const

describe('GET /projects/:id/issues/:issue_iid', () => {
  it('shows an issue to everyone who can see the project, with `subscribed`', async () => {
    const { iid, id } = await fixture.open()
    for (const role of roles) {
      const answer = await fixture.call('GET', `/${iid}`, undefined, fixture[role])
      expect(answer.status, role).toBe(200)
      expect(answer.body).toMatchObject({ id, iid, subscribed: role === 'reporter' })
    }
  })

  it('shows a confidential one to its author, its assignees, reporters and administrators', async () => {
    const { guest, stranger, server } = fixture
    const own = await fixture.open({ confidential: true }, stranger)
    const assigned = await fixture.open({ assignee_ids: [guest.id] })
    await fixture.call('PUT', `/${assigned.iid}`, { confidential: true })
    const other = await fixture.open({ confidential: true })
    const statusFor = async (issue: Json, as: { token: string }) =>
      (await fixture.call('GET', `/${issue.iid}`, undefined, as)).status
    expect(await statusFor(own, stranger)).toBe(200)
    expect(await statusFor(own, guest)).toBe(404)
    expect(await statusFor(assigned, guest)).toBe(200)
    expect(await statusFor(assigned, stranger)).toBe(404)
    for (const role of roles) {
      const status = role === 'stranger' || role === 'guest' ? 404 : 200
      expect(await statusFor(other, fixture[role]), role).toBe(status)
    }
    expect(await statusFor(other, server.root)).toBe(200)
    const hidden = await fixture.call('GET', `/${other.iid}`, undefined, guest)
    expect(hidden.body).toEqual({ message: '404 Issue Not Found' })
  })

  it('returns 404 for an unknown iid and for a global id', async () => {
    const { id, iid } = await fixture.open()
    for (const number of [iid + 100, 999_999_999_999, 0, -1]) {
      const answer = await fixture.call('GET', `/${number}`)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: '404 Issue Not Found' })
    }
    const other = await fixture.server.buildProject({ visibility: 'public' })
    const elsewhere = await fixture.open({}, fixture.server.root, other)
    expect(elsewhere.id).toBeGreaterThan(id)
    expect(
      (await fixture.call('GET', `/${elsewhere.id}`, undefined, undefined, other)).status,
    ).toBe(404)
    expect((await fixture.call('GET', '/first')).status).toBe(400)
  })

  it('returns 401 without a token, also in a public project', async () => {
    const { iid } = await fixture.open()
    const path = `/projects/${fixture.project.id}/issues/${iid}`
    expect((await fixture.server.inject('GET', path)).status).toBe(401)
  })

  it('returns 404 in a hidden project', async () => {
    const { iid } = await hidden.open()
    for (const role of roles) {
      const answer = await hidden.call('GET', `/${iid}`, undefined, hidden[role])
      expect(answer.status, role).toBe(role === 'stranger' ? 404 : 200)
    }
  })

  it('returns 403 while issues are disabled', async () => {
    const { server } = fixture
    const project = await server.buildProject({ visibility: 'public' })
    const { iid } = await fixture.open({}, server.root, project)
    const off = { issues_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body: off })
    const answer = await fixture.call('GET', `/${iid}`, undefined, server.root, project)
    expect(answer.status).toBe(403)
  })

  it('runs the same number of queries whatever the issue contains', async () => {
    const { app } = fixture.server
    const minimal = await fixture.open()
    const full = await fixture.open({
      labels: 'l1,l2,l3',
      assignee_ids: roles.slice(1).map((role) => fixture[role].id),
      description: '- [ ] a\n- [x] b',
    })
    const queriesOf = async (issue: Json) => {
      await fixture.call('GET', `/${issue.iid}`)
      const before = app.db.stats.queries
      await fixture.call('GET', `/${issue.iid}`)
      return app.db.stats.queries - before
    }
    expect(await queriesOf(minimal)).toBeLessThanOrEqual(6)
    expect(await queriesOf(full)).toBeLessThanOrEqual(8)
  })
})
