import { setTimeout as sleep } from 'node:timers/promises'
import { updateRefs } from '@stithy/git'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Attempts in which a push is let through before the merge goes on. */
const lostAttempts = 3

/** Commits to `main` by the API, without waiting for it. */
function pusher({ project }: MergeFixture) {
  const pushes: Promise<InjectedAnswer>[] = []
  const push = () => {
    const file_path = `pushed-${pushes.length}.txt`
    const actions = [{ action: 'create', file_path, content: 'x' }]
    const body = { branch: 'main', commit_message: 'Push', actions }
    const path = `/projects/${project.id}/repository/commits`
    pushes.push(server.inject('POST', path, { token: server.root.token, body }))
  }
  return { pushes, push }
}

/** Runs something before each process that merges, with the number of the attempt from 1. */
function beforeMerges(work: (attempt: number) => Promise<void>): MockInstance {
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const targets: (string | undefined)[] = []
  return vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
    if (options.args.includes('merge-tree')) {
      // An attempt checks whether the branches conflict, then merges them.
      const target = options.args.at(-2)
      if (target !== targets.at(-1)) targets.push(target)
      await work(targets.length)
    }
    return start(options)
  })
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('wins against somebody who pushes to the target branch without a pause', async () => {
    const fixture = await buildMergeFixture(server)
    const { pushes, push } = pusher(fixture)
    const spy = beforeMerges(async (attempt) => {
      push()
      // A push that must wait for the merge can't be waited for.
      const isLost = attempt <= lostAttempts
      await (isLost ? pushes.at(-1) : Promise.race([pushes.at(-1), sleep(500)]))
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

  it('keeps pushes waiting when another server was faster', async () => {
    const fixture = await buildMergeFixture(server)
    const project = await findRepository(server.app.db, fixture.project.id)
    if (project === undefined) throw new Error('The project is gone')
    const repository = repositoryOf(server.app, project)
    const { pushes, push } = pusher(fixture)
    push()
    await pushes[0]
    const elsewhere = await fixture.tip('main')
    let attempts = 0
    const spy = beforeMerges(async (attempt) => {
      const isFirst = attempt > attempts
      attempts = attempt
      if (attempt <= lostAttempts) {
        push()
        await pushes.at(-1)
        return
      }
      if (isFirst && attempt === lostAttempts + 1) {
        const update = { ref: 'refs/heads/main', newOid: elsewhere }
        await updateRefs(server.app.git, repository, [update])
      } else {
        // One that waits for the merge can't be waited for.
        await Promise.race([pushes.at(-1), sleep(500)])
      }
      push()
    })
    const merged = await fixture.call('PUT', '/merge', {})
    spy.mockRestore()
    await Promise.all(pushes)
    expect([merged.status, merged.body.state]).toEqual([200, 'merged'])
    expect(attempts).toBe(lostAttempts + 2)
  })
})
