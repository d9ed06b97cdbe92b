import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../testing/test-server.ts'
import { buildIssueWorld, type IssueWorld } from '../../../testing/worlds/issues.ts'

let world: IssueWorld

beforeAll(async () => {
  world = await buildIssueWorld()
})
afterAll(() => world.server.close())

const dependentTables = [
  'awards',
  'labelLinks',
  'labelEvents',
  'subscriptions',
  'mentions',
  'todos',
  'timeLogs',
  'crossReferences',
] as const

/** The tables that still refer to the issue. */
async function tablesReferringTo(id: number): Promise<string[]> {
  const { db } = world.server.app
  const left: string[] = []
  for (const table of dependentTables) {
    const rows = await db.all(`test.left|${table}`, { id }, (builder, $) =>
      builder.selectFrom(table).select('targetType').where('targetId', '=', $('id')),
    )
    if (rows.some((row) => row.targetType === 'issue')) left.push(table)
  }
  const notes = await db.all('test.left|notes', { id }, (builder, $) =>
    builder
      .selectFrom('notes')
      .select('id')
      .where('noteableType', '=', 'issue')
      .where('noteableId', '=', $('id')),
  )
  return notes.length === 0 ? left : [...left, 'notes']
}

describe('DELETE /projects/:id/issues/:issue_iid', () => {
  it('removes an issue with everything that belongs to it', async () => {
    const { server, project, developer, owner, guest } = world
    const other = await world.open()
    const issue = await world.open({
      labels: 'a,b',
      assignee_ids: [developer.id],
      description: `@${guest.username} see #${other.iid}`,
      weight: 1,
    })
    const path = `/projects/${project.id}/issues/${issue.iid}`
    const { token } = developer
    await server.inject('POST', `${path}/notes`, { token, body: { body: 'A comment' } })
    await server.inject('POST', `${path}/award_emoji`, { token, body: { name: 'thumbsup' } })
    await server.inject('POST', `${path}/links`, {
      token,
      body: { target_project_id: project.id, target_issue_iid: other.iid },
    })
    await world.call('POST', `/${issue.iid}/subscribe`, {}, guest)
    await world.call('PUT', `/${issue.iid}`, { weight: 2 })
    expect((await tablesReferringTo(issue.id)).length).toBeGreaterThan(5)
    const answer = await world.call('DELETE', `/${issue.iid}`, undefined, owner)
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect((await world.call('GET', `/${issue.iid}`)).status).toBe(404)
    for (const user of [developer, guest]) {
      const todos = await server.inject('GET', '/todos', { token: user.token })
      expect(todos.body.filter((todo: Json) => todo.target.id === issue.id)).toEqual([])
    }
    expect(await world.activity()).toEqual(['created  ', `opened Issue ${other.iid}`])
    expect(await tablesReferringTo(issue.id)).toEqual([])
    const counted = await server.inject('GET', `/projects/${project.id}`, { token: owner.token })
    expect(counted.body.open_issues_count).toBe(1)
    const links = await server.inject('GET', `/projects/${project.id}/issues/${other.iid}/links`, {
      token,
    })
    expect(links.body).toEqual([])
  })

  it('answers 403 to callers other than owners and administrators', async () => {
    const { iid } = await world.open({}, world.maintainer)
    for (const role of ['stranger', 'guest', 'reporter', 'developer', 'maintainer'] as const) {
      const answer = await world.call('DELETE', `/${iid}`, undefined, world[role])
      expect(answer.status, role).toBe(403)
    }
    const path = `/projects/${world.project.id}/issues/${iid}`
    expect((await world.server.inject('DELETE', path)).status).toBe(401)
    expect((await world.call('DELETE', `/${iid}`, undefined, world.server.root)).status).toBe(204)
    const again = await world.call('DELETE', `/${iid}`, undefined, world.owner)
    expect(again.status).toBe(404)
    expect(again.body).toEqual({ message: '404 Issue Not Found' })
  })

  it('succeeds once for two concurrent calls', async () => {
    const { iid } = await world.open()
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.call('DELETE', `/${iid}`, undefined, world.owner)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
  })

  it('answers 412 if the issue was changed since', async () => {
    const issue = await world.open()
    const path = `/projects/${world.project.id}/issues/${issue.iid}`
    const since = (ms: number) => ({
      token: world.owner.token,
      headers: { 'if-unmodified-since': new Date(Date.parse(issue.updated_at) + ms).toUTCString() },
    })
    const answer = await world.server.inject('DELETE', path, since(-60_000))
    expect(answer.status).toBe(412)
    expect(answer.body).toEqual({ message: '412 Precondition Failed' })
    expect((await world.server.inject('DELETE', path, since(60_000))).status).toBe(204)
  })

  it('does not reuse the iid', async () => {
    const { iid } = await world.open()
    await world.call('DELETE', `/${iid}`, undefined, world.owner)
    expect((await world.open()).iid).toBe(iid + 1)
  })
})
