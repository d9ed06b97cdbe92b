import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { webhookEventKind } from '../../../activity/webhooks/webhook-events.ts'
import {
  type HookedProject,
  type HookFixture,
  startHookFixture,
} from '../../../testing/fixtures/hook-fixture.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: HookFixture
let hooked: HookedProject

beforeAll(async () => {
  fixture = await startHookFixture()
  hooked = await fixture.buildProject()
  const silent = { push_events: false, note_events: false }
  await hooked.hook({ ...silent, issues_events: true, confidential_issues_events: false })
})
afterAll(() => fixture.close())

async function call(method: string, path: string, body?: object): Promise<Json> {
  const answer = await fixture.server.inject(
    method,
    `/projects/${hooked.project.id}/issues${path}`,
    {
      token: fixture.server.root.token,
      ...(body === undefined ? {} : { body }),
    },
  )
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

/** The actions of the queued deliveries, in order. */
async function announced(): Promise<string[]> {
  const rows = await fixture.server.app.db.all(
    'test.announced',
    { kind: webhookEventKind },
    (db, $) =>
      db
        .selectFrom('jobs')
        .select('payload')
        .where('kind', '=', $('kind'))
        .where('state', '=', 'queued')
        .orderBy('id'),
  )
  return rows.map(({ payload }) => JSON.parse(payload).source.action)
}

const actions = (deliveries: Json[]) => deliveries.map((body) => body.object_attributes.action)

describe('hooks of POST and PUT /projects/:id/issues', () => {
  it('deliver one `open` event for a new issue, with the settings from its quick actions', async () => {
    const description = 'text\n/label ~fresh\n/weight 2\n/assign @root'
    const issue = await call('POST', '', { title: 'New', labels: 'a', description })
    const deliveries = await fixture.delivered()
    expect(actions(deliveries)).toEqual(['open'])
    expect(deliveries[0]).toMatchObject({
      object_kind: 'issue',
      object_attributes: { id: issue.id, title: 'New', description: 'text', weight: 2 },
      labels: [{ title: 'a' }, { title: 'fresh' }],
      assignees: [{ username: 'root' }],
    })
  })

  it('deliver `update` with the previous values, and nothing without a change', async () => {
    const issue = await call('POST', '', { title: 'Old', labels: 'a' })
    await fixture.delivered()
    await call('PUT', `/${issue.iid}`, { title: 'New', labels: 'b', confidential: false })
    await call('PUT', `/${issue.iid}`, { title: 'New', labels: 'b' })
    const deliveries = await fixture.delivered()
    expect(actions(deliveries)).toEqual(['update'])
    expect(deliveries[0].changes).toMatchObject({
      title: { previous: 'Old', current: 'New' },
      labels: { previous: [{ title: 'a' }], current: [{ title: 'b' }] },
    })
    expect(deliveries[0].changes).not.toHaveProperty('confidential')
  })

  it('say who changed an issue last, and who edited its texts when', async () => {
    const issue = await call('POST', '', { title: 'x' })
    const [opened] = await fixture.delivered()
    const nobody = { updated_by_id: null, last_edited_at: null, last_edited_by_id: null }
    expect(opened.object_attributes).toMatchObject(nobody)
    await call('PUT', `/${issue.iid}`, { labels: 'a' })
    const [labelled] = await fixture.delivered()
    const { id } = fixture.server.root
    expect(labelled.object_attributes).toMatchObject({ ...nobody, updated_by_id: id })
    expect(labelled.changes).toMatchObject({ updated_by_id: { previous: null, current: id } })
    await call('PUT', `/${issue.iid}`, { description: 'new' })
    const [edited] = await fixture.delivered()
    expect(edited.object_attributes).toMatchObject({
      updated_by_id: id,
      last_edited_by_id: id,
      last_edited_at: edited.object_attributes.updated_at,
    })
    expect(edited.changes).toMatchObject({
      last_edited_at: { previous: null, current: edited.object_attributes.updated_at },
      last_edited_by_id: { previous: null, current: id },
    })
  })

  it('deliver `close` and `reopen`, and a separate `update` for other changes', async () => {
    const issue = await call('POST', '', { title: 'x' })
    await call('PUT', `/${issue.iid}`, { state_event: 'close' })
    await call('PUT', `/${issue.iid}`, { state_event: 'close' })
    await call('PUT', `/${issue.iid}`, { state_event: 'reopen', title: 'y' })
    expect(await announced()).toEqual(['open', 'close', 'reopen', 'update'])
    // Deliveries run concurrently, so they arrive in any order.
    expect(actions(await fixture.delivered()).toSorted()).toEqual([
      'close',
      'open',
      'reopen',
      'update',
    ])
  })

  it('deliver nothing for confidential issues and deletions', async () => {
    const secret = await call('POST', '', { title: 'x', confidential: true })
    await call('PUT', `/${secret.iid}`, { title: 'y' })
    expect(await fixture.delivered()).toEqual([])
    await call('DELETE', `/${secret.iid}`)
    expect(await fixture.delivered()).toEqual([])
  })

  it('deliver events for both issues of a move', async () => {
    const issue = await call('POST', '', { title: 'x' })
    const target = await fixture.buildProject()
    await target.hook({ issues_events: true })
    await fixture.delivered()
    await call('POST', `/${issue.iid}/move`, { to_project_id: target.project.id })
    const deliveries = await fixture.delivered()
    expect(actions(deliveries).toSorted()).toEqual(['close', 'open'])
  })
})
