import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'
import { closeIssue } from '../issue-close.service.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const put = ({ iid }: Json, body: object, as?: { token: string }) =>
  fixture.call('PUT', `/${iid}`, body, as)

const eventsOf = async ({ iid }: Json) =>
  (await fixture.activity()).filter((line) => line.endsWith(` Issue ${iid}`))

async function openCount(): Promise<number> {
  const { body } = await fixture.server.inject('GET', `/projects/${fixture.project.id}`, {
    token: fixture.server.root.token,
  })
  return body.open_issues_count
}

describe('PUT /projects/:id/issues/:issue_iid with state_event', () => {
  it('closes and reopens, with closed_by and closed_at, a system note, an event and the count', async () => {
    const { developer } = fixture
    const before = await openCount()
    const issue = await fixture.open()
    const closed = await put(issue, { state_event: 'close' }, developer)
    expect(closed.status).toBe(200)
    expect(closed.body).toMatchObject({
      state: 'closed',
      closed_at: closed.body.updated_at,
      closed_by: { id: developer.id, username: developer.username },
    })
    expect(await openCount()).toBe(before)
    const reopened = await put(issue, { state_event: 'reopen' })
    expect(reopened.body).toMatchObject({ state: 'opened', closed_at: null, closed_by: null })
    expect(await openCount()).toBe(before + 1)
    expect(await fixture.systemNotes(issue)).toEqual(['closed', 'reopened'])
    expect(await eventsOf(issue)).toEqual([
      `opened Issue ${issue.iid}`,
      `closed Issue ${issue.iid}`,
      `opened Issue ${issue.iid}`,
    ])
  })

  it('returns 200 and does nothing if the issue has that state already', async () => {
    const issue = await fixture.open()
    expect((await put(issue, { state_event: 'reopen' })).body).toEqual(issue)
    const closed = await put(issue, { state_event: 'close' })
    const again = await put(issue, { state_event: 'close' }, fixture.owner)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      updated_at: closed.body.updated_at,
      closed_by: { id: fixture.reporter.id },
    })
    expect(await fixture.systemNotes(issue)).toEqual(['closed'])
  })

  it('does not reopen an issue with a locked discussion', async () => {
    const issue = await fixture.open({ discussion_locked: true })
    await put(issue, { state_event: 'close' })
    const answer = await put(issue, { state_event: 'reopen' })
    expect(answer.status).toBe(200)
    expect(answer.body.state).toBe('closed')
    expect(await fixture.systemNotes(issue)).toEqual(['closed'])
  })

  it('closes once for concurrent calls: one event, one system note, one count', async () => {
    const before = await openCount()
    const issue = await fixture.open()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => put(issue, { state_event: 'close' })),
    )
    expect(answers.every(({ status, body }) => status === 200 && body.state === 'closed')).toBe(
      true,
    )
    expect(await fixture.systemNotes(issue)).toEqual(['closed'])
    expect(await eventsOf(issue)).toEqual([
      `opened Issue ${issue.iid}`,
      `closed Issue ${issue.iid}`,
    ])
    expect(await openCount()).toBe(before)
  })

  it('marks the todos of the user who closes as done, and keeps those of others', async () => {
    const { developer, reporter, server } = fixture
    const issue = await fixture.open({ assignee_ids: [developer.id, reporter.id] })
    await put(issue, { state_event: 'close' }, developer)
    const pending = async ({ token }: { token: string }) => {
      const { body } = await server.inject('GET', '/todos', { token })
      return body.filter((todo: Json) => todo.target.id === issue.id).length
    }
    expect(await pending(developer)).toBe(0)
    expect(await pending(reporter)).toBe(1)
  })

  it('updates open_issues_count when an issue becomes confidential and back', async () => {
    const before = await openCount()
    const issue = await fixture.open()
    await put(issue, { confidential: true })
    expect(await openCount()).toBe(before)
    await put(issue, { confidential: false, state_event: 'close' })
    expect(await openCount()).toBe(before)
    await put(issue, { state_event: 'reopen' })
    expect(await openCount()).toBe(before + 1)
  })
})

describe('closeIssue', () => {
  it('names the source in the system note', async () => {
    const { server } = fixture
    const issue = await fixture.open()
    const { caller, item } = await fixture.read(issue)
    const via = async (iid: number) => {
      const { id } = await insertRow(server.app.db, 'mergeRequests', {
        projectId: issue.project_id,
        iid,
        targetBranch: 'main',
        sourceBranch: `topic-${iid}`,
        authorId: 1,
        title: 'Request',
        headSha: 'a'.repeat(40),
        startSha: 'a'.repeat(40),
        createdAt: 1,
        updatedAt: 1,
      })
      return { type: 'merge_request', key: String(id), projectId: issue.project_id } as const
    }
    const closed = await closeIssue(server.app, caller, item, await via(3))
    expect(closed.row.state).toBe('closed')
    expect(await fixture.systemNotes(issue)).toEqual(['closed via merge request !3'])
    // The item of the caller is outdated: the issue is closed already.
    await closeIssue(server.app, caller, item, await via(4))
    expect((await fixture.systemNotes(issue)).length).toBe(1)
  })
})
