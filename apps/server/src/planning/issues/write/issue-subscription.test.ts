import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const post = ({ iid }: Json, action: string, as: { token: string }) =>
  fixture.call('POST', `/${iid}/${action}`, undefined, as)

describe('POST /projects/:id/issues/:issue_iid/subscribe and /unsubscribe', () => {
  it('subscribe and unsubscribe the caller, and return 304 if nothing changes', async () => {
    const { stranger } = fixture
    const issue = await fixture.open()
    expect((await post(issue, 'unsubscribe', stranger)).status).toBe(304)
    const on = await post(issue, 'subscribe', stranger)
    expect(on.status).toBe(201)
    expect(on.body).toEqual({ ...issue, subscribed: true })
    const again = await post(issue, 'subscribe', stranger)
    expect([again.status, again.text]).toEqual([304, ''])
    const off = await post(issue, 'unsubscribe', stranger)
    expect(off.status).toBe(201)
    expect(off.body).toEqual({ ...issue, subscribed: false })
    expect((await post(issue, 'unsubscribe', stranger)).status).toBe(304)
  })

  it('treat participants as subscribed until they choose otherwise', async () => {
    const { guest, developer, reporter } = fixture
    const issue = await fixture.open({
      assignee_ids: [developer.id],
      description: `@${guest.username}`,
    })
    for (const who of [reporter, developer, guest]) {
      expect((await post(issue, 'subscribe', who)).status).toBe(304)
      expect((await post(issue, 'unsubscribe', who)).status).toBe(201)
      const { body } = await fixture.call('GET', `/${issue.iid}`, undefined, who)
      expect(body.subscribed).toBe(false)
    }
  })

  it('return 404 for unknown and hidden issues', async () => {
    const secret = await fixture.open({ confidential: true })
    for (const action of ['subscribe', 'unsubscribe', 'todo']) {
      expect((await post(secret, action, fixture.guest)).body).toEqual({
        message: '404 Issue Not Found',
      })
      expect((await post({ iid: 4711 }, action, fixture.guest)).status).toBe(404)
      const path = `/projects/${fixture.project.id}/issues/${secret.iid}/${action}`
      expect((await fixture.server.inject('POST', path)).status).toBe(401)
    }
  })
})

describe('POST /projects/:id/issues/:issue_iid/todo', () => {
  it('adds a todo for the caller, and returns 304 while one is pending', async () => {
    const { stranger, project } = fixture
    const issue = await fixture.open({ title: 'To do' })
    const answer = await post(issue, 'todo', stranger)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      project: { id: project.id, path_with_namespace: project.path_with_namespace },
      author: { id: stranger.id },
      action_name: 'marked',
      target_type: 'Issue',
      target: { id: issue.id, iid: issue.iid },
      target_url: issue.web_url,
      body: 'To do',
      state: 'pending',
    })
    expect((await post(issue, 'todo', stranger)).status).toBe(304)
  })

  it('returns 304 while a todo with another action is pending', async () => {
    const { developer } = fixture
    const issue = await fixture.open({ assignee_ids: [developer.id] })
    expect((await post(issue, 'todo', developer)).status).toBe(304)
  })

  it('adds one todo for two concurrent calls', async () => {
    const issue = await fixture.open()
    const answers = await Promise.all([1, 2, 3].map(() => post(issue, 'todo', fixture.guest)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 304, 304])
  })
})
