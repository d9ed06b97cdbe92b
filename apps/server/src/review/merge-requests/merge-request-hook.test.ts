import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type HookedProject,
  type HookFixture,
  startHookFixture,
} from '../../testing/fixtures/hook-fixture.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: HookFixture
let hooked: HookedProject

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(async () => {
  hooked = await fixture.buildProject()
  await mustGit(hooked.tree, 'checkout', '--quiet', '-b', 'topic')
  await commit(hooked.tree, { 'b.txt': 'b\n' }, 'First')
  await hooked.push('topic')
  await fixture.flush()
  await hooked.hook({ push_events: false, merge_requests_events: true })
})
afterAll(() => fixture.close())

async function call(method: string, path: string, body: object): Promise<Json> {
  const { inject, root } = fixture.server
  const base = `/projects/${hooked.project.id}/merge_requests`
  const answer = await inject(method, `${base}${path}`, { token: root.token, body })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

const create = (more: object = {}) =>
  call('POST', '', { source_branch: 'topic', target_branch: 'main', title: 'New', ...more })

describe('merge request hooks', () => {
  it('are triggered when a merge request is opened', async () => {
    const request = await create({ labels: 'bug', assignee_ids: [1] })
    const deliveries = await fixture.delivered()
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]).toMatchObject({
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { username: 'root' },
      project: { id: hooked.project.id },
      object_attributes: {
        id: request.id,
        iid: 1,
        action: 'open',
        title: 'New',
        state: 'opened',
        source_branch: 'topic',
        target_branch: 'main',
        last_commit: { id: request.sha },
      },
      labels: [{ title: 'bug' }],
      assignees: [{ username: 'root' }],
      changes: {},
    })
    expect(deliveries[0].object_attributes).not.toHaveProperty('oldrev')
  })

  it('have the changes of an update, a closing and a reopening', async () => {
    await create()
    await fixture.delivered()
    await call('PUT', '/1', { title: 'Newer', labels: 'a', squash: true })
    await call('PUT', '/1', { state_event: 'close' })
    await call('PUT', '/1', { state_event: 'reopen' })
    await call('PUT', '/1', { squash: true })
    const deliveries = await fixture.delivered()
    // Delivered concurrently.
    const actions = deliveries.map((body) => body.object_attributes.action)
    expect(actions.toSorted()).toEqual(['close', 'reopen', 'update'])
    expect(deliveries[actions.indexOf('update')].changes).toMatchObject({
      title: { previous: 'New', current: 'Newer' },
      labels: { previous: [], current: [{ title: 'a' }] },
      squash: { previous: false, current: true },
    })
    const closed = { previous: 'opened', current: 'closed' }
    expect(deliveries[actions.indexOf('close')].changes.state).toEqual(closed)
  })

  it('have who changed it and its texts, when, and the options of its merge', async () => {
    const made = await create()
    const opened = (await fixture.delivered())[0].object_attributes
    expect(opened).toMatchObject({
      ...{ updated_by_id: null, last_edited_at: null, last_edited_by_id: null },
      ...{ head_pipeline_id: null, merge_user_id: null },
      merge_params: { force_remove_source_branch: false },
    })
    await call('PUT', '/1', { remove_source_branch: true })
    const [options] = await fixture.delivered()
    expect(options.object_attributes).toMatchObject({ updated_by_id: 1, last_edited_at: null })
    expect(options.changes).toMatchObject({
      updated_by_id: { previous: null, current: 1 },
      merge_params: {
        previous: { force_remove_source_branch: false },
        current: { force_remove_source_branch: true },
      },
    })
    const { inject, root } = fixture.server
    const path = `/projects/${hooked.project.id}/statuses/${made.sha}`
    const status = { state: 'success', ref: 'topic' }
    await inject('POST', path, { token: root.token, body: status })
    await call('PUT', '/1', { description: 'More' })
    const [edited] = await fixture.delivered()
    const { object_attributes: attributes } = edited
    expect(attributes).toMatchObject({ last_edited_by_id: 1, updated_by_id: 1 })
    expect(attributes.last_edited_at).toBe(attributes.updated_at)
    expect(attributes.head_pipeline_id).toEqual(expect.any(Number))
    expect(edited.changes).toMatchObject({
      last_edited_at: { previous: null, current: attributes.last_edited_at },
      last_edited_by_id: { previous: null, current: 1 },
    })
    expect(edited.changes).not.toHaveProperty('merge_params')
    await call('PUT', '/1/merge', { should_remove_source_branch: false })
    const [merged] = await fixture.delivered()
    expect(merged.object_attributes).toMatchObject({
      ...{ action: 'merge', merge_user_id: 1 },
      merge_params: { force_remove_source_branch: true, should_remove_source_branch: false },
    })
  })

  it('have the previous head after a push', async () => {
    const { sha } = await create()
    await fixture.delivered()
    const next = await commit(hooked.tree, { 'b.txt': 'c\n' }, 'Second')
    await hooked.push('topic')
    const deliveries = await fixture.delivered()
    expect(deliveries.map(({ object_attributes: it }) => [it.action, it.oldrev])).toEqual([
      ['update', sha],
    ])
    expect(deliveries[0].object_attributes.last_commit.id).toBe(next)
  })
})
