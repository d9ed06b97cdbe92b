import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

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
  const { db } = fixture.server.app
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
    const { server, project, developer, owner, guest } = fixture
    const other = await fixture.open()
    const issue = await fixture.open({
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
    await fixture.call('POST', `/${issue.iid}/subscribe`, {}, guest)
    await fixture.call('PUT', `/${issue.iid}`, { weight: 2 })
    expect((await tablesReferringTo(issue.id)).length).toBeGreaterThan(5)
    const answer = await fixture.call('DELETE', `/${issue.iid}`, undefined, owner)
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect((await fixture.call('GET', `/${issue.iid}`)).status).toBe(404)
    for (const user of [developer, guest]) {
      const todos = await server.inject('GET', '/todos', { token: user.token })
      expect(todos.body.filter((todo: Json) => todo.target.id === issue.id)).toEqual([])
    }
    expect(await fixture.activity()).toEqual(['created  ', `opened Issue ${other.iid}`])
    expect(await tablesReferringTo(issue.id)).toEqual([])
    const counted = await server.inject('GET', `/projects/${project.id}`, { token: owner.token })
    expect(counted.body.open_issues_count).toBe(1)
    const links = await server.inject('GET', `/projects/${project.id}/issues/${other.iid}/links`, {
      token,
    })
    expect(links.body).toEqual([])
  })

  it('returns 403 to callers other than owners and administrators', async () => {
    const { iid } = await fixture.open({}, fixture.maintainer)
    for (const role of ['stranger', 'guest', 'reporter', 'developer', 'maintainer'] as const) {
      const answer = await fixture.call('DELETE', `/${iid}`, undefined, fixture[role])
      expect(answer.status, role).toBe(403)
    }
    const path = `/projects/${fixture.project.id}/issues/${iid}`
    expect((await fixture.server.inject('DELETE', path)).status).toBe(401)
    expect((await fixture.call('DELETE', `/${iid}`, undefined, fixture.server.root)).status).toBe(
      204,
    )
    const again = await fixture.call('DELETE', `/${iid}`, undefined, fixture.owner)
    expect(again.status).toBe(404)
    expect(again.body).toEqual({ message: '404 Issue Not Found' })
  })

  it('succeeds once for two concurrent calls', async () => {
    const { iid } = await fixture.open()
    const answers = await Promise.all(
      [1, 2, 3].map(() => fixture.call('DELETE', `/${iid}`, undefined, fixture.owner)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
  })

  it('returns 412 if the issue was changed since', async () => {
    const issue = await fixture.open()
    const path = `/projects/${fixture.project.id}/issues/${issue.iid}`
    const since = (ms: number) => ({
      token: fixture.owner.token,
      headers: { 'if-unmodified-since': new Date(Date.parse(issue.updated_at) + ms).toUTCString() },
    })
    const answer = await fixture.server.inject('DELETE', path, since(-60_000))
    expect(answer.status).toBe(412)
    expect(answer.body).toEqual({ message: '412 Precondition Failed' })
    expect((await fixture.server.inject('DELETE', path, since(60_000))).status).toBe(204)
  })

  it('does not reuse the iid', async () => {
    const { iid } = await fixture.open()
    await fixture.call('DELETE', `/${iid}`, undefined, fixture.owner)
    expect((await fixture.open()).iid).toBe(iid + 1)
  })
})
