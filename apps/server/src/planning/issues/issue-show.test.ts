import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { buildIssueWorld, type IssueWorld } from '../../testing/worlds/issues.ts'

let world: IssueWorld
let hidden: IssueWorld

beforeAll(async () => {
  world = await buildIssueWorld()
  hidden = await buildIssueWorld('private')
})
afterAll(async () => {
  await world.server.close()
  await hidden.server.close()
})

const roles = ['stranger', 'guest', 'reporter', 'developer', 'maintainer', 'owner'] as const

describe('GET /projects/:id/issues/:issue_iid', () => {
  it('shows an issue to everybody who can see the project, with `subscribed`', async () => {
    const { iid, id } = await world.open()
    for (const role of roles) {
      const answer = await world.call('GET', `/${iid}`, undefined, world[role])
      expect(answer.status, role).toBe(200)
      expect(answer.body).toMatchObject({ id, iid, subscribed: role === 'reporter' })
    }
  })

  it('shows a confidential one to its author, its assignees, reporters and administrators', async () => {
    const { guest, stranger, server } = world
    const own = await world.open({ confidential: true }, stranger)
    const assigned = await world.open({ assignee_ids: [guest.id] })
    await world.call('PUT', `/${assigned.iid}`, { confidential: true })
    const other = await world.open({ confidential: true })
    const statusFor = async (issue: Json, as: { token: string }) =>
      (await world.call('GET', `/${issue.iid}`, undefined, as)).status
    expect(await statusFor(own, stranger)).toBe(200)
    expect(await statusFor(own, guest)).toBe(404)
    expect(await statusFor(assigned, guest)).toBe(200)
    expect(await statusFor(assigned, stranger)).toBe(404)
    for (const role of roles) {
      const status = role === 'stranger' || role === 'guest' ? 404 : 200
      expect(await statusFor(other, world[role]), role).toBe(status)
    }
    expect(await statusFor(other, server.root)).toBe(200)
    const hidden = await world.call('GET', `/${other.iid}`, undefined, guest)
    expect(hidden.body).toEqual({ message: '404 Issue Not Found' })
  })

  it('answers 404 for an unknown iid and for a global id', async () => {
    const { id, iid } = await world.open()
    for (const number of [iid + 100, 999_999_999_999, 0, -1]) {
      const answer = await world.call('GET', `/${number}`)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: '404 Issue Not Found' })
    }
    const other = await world.server.buildProject({ visibility: 'public' })
    const elsewhere = await world.open({}, world.server.root, other)
    expect(elsewhere.id).toBeGreaterThan(id)
    expect((await world.call('GET', `/${elsewhere.id}`, undefined, undefined, other)).status).toBe(
      404,
    )
    expect((await world.call('GET', '/first')).status).toBe(400)
  })

  it('answers 401 without a token, also in a public project', async () => {
    const { iid } = await world.open()
    const path = `/projects/${world.project.id}/issues/${iid}`
    expect((await world.server.inject('GET', path)).status).toBe(401)
  })

  it('answers 404 in a hidden project', async () => {
    const { iid } = await hidden.open()
    for (const role of roles) {
      const answer = await hidden.call('GET', `/${iid}`, undefined, hidden[role])
      expect(answer.status, role).toBe(role === 'stranger' ? 404 : 200)
    }
  })

  it('answers 403 while issues are disabled', async () => {
    const { server } = world
    const project = await server.buildProject({ visibility: 'public' })
    const { iid } = await world.open({}, server.root, project)
    const off = { issues_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body: off })
    const answer = await world.call('GET', `/${iid}`, undefined, server.root, project)
    expect(answer.status).toBe(403)
  })

  it('runs the same number of queries whatever the issue contains', async () => {
    const { app } = world.server
    const minimal = await world.open()
    const full = await world.open({
      labels: 'l1,l2,l3',
      assignee_ids: roles.slice(1).map((role) => world[role].id),
      description: '- [ ] a\n- [x] b',
    })
    const queriesOf = async (issue: Json) => {
      await world.call('GET', `/${issue.iid}`)
      const before = app.db.stats.queries
      await world.call('GET', `/${issue.iid}`)
      return app.db.stats.queries - before
    }
    expect(await queriesOf(minimal)).toBeLessThanOrEqual(6)
    expect(await queriesOf(full)).toBeLessThanOrEqual(8)
  })
})
