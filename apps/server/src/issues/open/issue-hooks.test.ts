import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { type HookPlace, type HookWorld, startHookWorld } from '../../testing/worlds/hook-world.ts'
import { webhookEventKind } from '../../webhooks/webhook-events.ts'

let world: HookWorld
let place: HookPlace

beforeAll(async () => {
  world = await startHookWorld()
  place = await world.place()
  const silent = { push_events: false, note_events: false }
  await place.hook({ ...silent, issues_events: true, confidential_issues_events: false })
})
afterAll(() => world.close())

async function call(method: string, path: string, body?: object): Promise<Json> {
  const answer = await world.server.inject(method, `/projects/${place.project.id}/issues${path}`, {
    token: world.server.root.token,
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

/** The actions that wait to be told, in the order of the queue. */
async function announced(): Promise<string[]> {
  const rows = await world.server.app.db.all(
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

const actions = (told: Json[]) => told.map((body) => body.object_attributes.action)

describe('hooks of POST and PUT /projects/:id/issues', () => {
  it('are told once of a new issue, with what it has, also through commands', async () => {
    const description = 'text\n/label ~fresh\n/weight 2\n/assign @root'
    const issue = await call('POST', '', { title: 'New', labels: 'a', description })
    const told = await world.told()
    expect(actions(told)).toEqual(['open'])
    expect(told[0]).toMatchObject({
      object_kind: 'issue',
      object_attributes: { id: issue.id, title: 'New', description: 'text', weight: 2 },
      labels: [{ title: 'a' }, { title: 'fresh' }],
      assignees: [{ username: 'root' }],
    })
  })

  it('are told of changes with what was before, and not of none', async () => {
    const issue = await call('POST', '', { title: 'Old', labels: 'a' })
    await world.told()
    await call('PUT', `/${issue.iid}`, { title: 'New', labels: 'b', confidential: false })
    await call('PUT', `/${issue.iid}`, { title: 'New', labels: 'b' })
    const told = await world.told()
    expect(actions(told)).toEqual(['update'])
    expect(told[0].changes).toMatchObject({
      title: { previous: 'Old', current: 'New' },
      labels: { previous: [{ title: 'a' }], current: [{ title: 'b' }] },
    })
    expect(told[0].changes).not.toHaveProperty('confidential')
  })

  it('are told of closing and reopening, and of an update behind that', async () => {
    const issue = await call('POST', '', { title: 'x' })
    await call('PUT', `/${issue.iid}`, { state_event: 'close' })
    await call('PUT', `/${issue.iid}`, { state_event: 'close' })
    await call('PUT', `/${issue.iid}`, { state_event: 'reopen', title: 'y' })
    expect(await announced()).toEqual(['open', 'close', 'reopen', 'update'])
    // Deliveries run beside each other, so what arrives has no order.
    expect(actions(await world.told()).toSorted()).toEqual(['close', 'open', 'reopen', 'update'])
  })

  it('are not told of what is confidential, nor of a deletion', async () => {
    const secret = await call('POST', '', { title: 'x', confidential: true })
    await call('PUT', `/${secret.iid}`, { title: 'y' })
    expect(await world.told()).toEqual([])
    await call('DELETE', `/${secret.iid}`)
    expect(await world.told()).toEqual([])
  })

  it('are told of both ends of a move', async () => {
    const issue = await call('POST', '', { title: 'x' })
    const target = await world.place()
    await target.hook({ issues_events: true })
    await world.told()
    await call('POST', `/${issue.iid}/move`, { to_project_id: target.project.id })
    const told = await world.told()
    expect(actions(told).toSorted()).toEqual(['close', 'open'])
  })
})
