import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Attempts in which a push is let through before the merge goes on. */
const lostAttempts = 3

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('wins against somebody who pushes to the target branch without a pause', async () => {
    const fixture = await buildMergeFixture(server)
    const commits = `/projects/${fixture.project.id}/repository/commits`
    const pushes: Promise<InjectedAnswer>[] = []
    const push = () => {
      const file_path = `pushed-${pushes.length}.txt`
      const actions = [{ action: 'create', file_path, content: 'x' }]
      const body = { branch: 'main', commit_message: 'Push', actions }
      pushes.push(server.inject('POST', commits, { token: server.root.token, body }))
    }
    const { spawner } = server.app.git.parts
    const start = spawner.start.bind(spawner)
    const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
      if (options.args.includes('merge-tree')) {
        push()
        // A push that must wait for the merge can't be waited for.
        const isLost = pushes.length <= 1 + lostAttempts
        await (isLost ? pushes.at(-1) : Promise.race([pushes.at(-1), sleep(500)]))
      }
      return start(options)
    })
    // Otherwise the trial merge of the job is used.
    push()
    await pushes[0]
    const merged = await fixture.call('PUT', '/merge', {})
    spy.mockRestore()
    expect([merged.status, merged.body.state, merged.body.merge_error]).toEqual([
      200,
      'merged',
      null,
    ])
    // Those that waited were made for another tip.
    const statuses = (await Promise.all(pushes)).map(({ status }) => status)
    expect(statuses.slice(0, lostAttempts)).toEqual([201, 201, 201])
  })
})
