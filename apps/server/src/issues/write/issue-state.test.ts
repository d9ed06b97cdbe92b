import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { buildIssueWorld, type IssueWorld } from '../../testing/worlds/issues.ts'
import { closeIssue } from '../issue-state.service.ts'

let world: IssueWorld

beforeAll(async () => {
  world = await buildIssueWorld()
})
afterAll(() => world.server.close())

const put = ({ iid }: Json, body: object, as?: { token: string }) =>
  world.call('PUT', `/${iid}`, body, as)

const eventsOf = async ({ iid }: Json) =>
  (await world.activity()).filter((line) => line.endsWith(` Issue ${iid}`))

async function openCount(): Promise<number> {
  const { body } = await world.server.inject('GET', `/projects/${world.project.id}`, {
    token: world.server.root.token,
  })
  return body.open_issues_count
}

describe('PUT /projects/:id/issues/:issue_iid with state_event', () => {
  it('closes and reopens, with who and when, remark, event and count', async () => {
    const { developer } = world
    const before = await openCount()
    const issue = await world.open()
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
    expect(await world.remarks(issue)).toEqual(['closed', 'reopened'])
    expect(await eventsOf(issue)).toEqual([
      `opened Issue ${issue.iid}`,
      `closed Issue ${issue.iid}`,
      `opened Issue ${issue.iid}`,
    ])
  })

  it('answers 200 and does nothing where the state is that already', async () => {
    const issue = await world.open()
    expect((await put(issue, { state_event: 'reopen' })).body).toEqual(issue)
    const closed = await put(issue, { state_event: 'close' })
    const again = await put(issue, { state_event: 'close' }, world.owner)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      updated_at: closed.body.updated_at,
      closed_by: { id: world.reporter.id },
    })
    expect(await world.remarks(issue)).toEqual(['closed'])
  })

  it('does not reopen what is locked', async () => {
    const issue = await world.open({ discussion_locked: true })
    await put(issue, { state_event: 'close' })
    const answer = await put(issue, { state_event: 'reopen' })
    expect(answer.status).toBe(200)
    expect(answer.body.state).toBe('closed')
    expect(await world.remarks(issue)).toEqual(['closed'])
  })

  it('makes one event, one remark and one count of closings at once', async () => {
    const before = await openCount()
    const issue = await world.open()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => put(issue, { state_event: 'close' })),
    )
    expect(answers.every(({ status, body }) => status === 200 && body.state === 'closed')).toBe(
      true,
    )
    expect(await world.remarks(issue)).toEqual(['closed'])
    expect(await eventsOf(issue)).toEqual([
      `opened Issue ${issue.iid}`,
      `closed Issue ${issue.iid}`,
    ])
    expect(await openCount()).toBe(before)
  })

  it('sets the todos of who closes done, and leaves those of others', async () => {
    const { developer, reporter, server } = world
    const issue = await world.open({ assignee_ids: [developer.id, reporter.id] })
    await put(issue, { state_event: 'close' }, developer)
    const pending = async ({ token }: { token: string }) => {
      const { body } = await server.inject('GET', '/todos', { token })
      return body.filter((todo: Json) => todo.target.id === issue.id).length
    }
    expect(await pending(developer)).toBe(0)
    expect(await pending(reporter)).toBe(1)
  })

  it('counts what becomes confidential out, and back in', async () => {
    const before = await openCount()
    const issue = await world.open()
    await put(issue, { confidential: true })
    expect(await openCount()).toBe(before)
    await put(issue, { confidential: false, state_event: 'close' })
    expect(await openCount()).toBe(before)
    await put(issue, { state_event: 'reopen' })
    expect(await openCount()).toBe(before + 1)
  })
})

describe('closeIssue', () => {
  it('says what closed it', async () => {
    const { server } = world
    const issue = await world.open()
    const { caller, item } = await world.read(issue)
    const via = (id: number) => {
      const source = { type: 'code', key: 'main', projectId: issue.project_id } as const
      return { text: `merge request !${id}`, source }
    }
    const closed = await closeIssue(server.app, caller, item, { via: via(3) })
    expect(closed.row.state).toBe('closed')
    expect(await world.remarks(issue)).toEqual(['closed via merge request !3'])
    // Of what is known only as it was before, too.
    await closeIssue(server.app, caller, item, { via: via(4) })
    expect((await world.remarks(issue)).length).toBe(1)
  })
})
