import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.push('main')
  await fixture.push('main:stable', 'main:next', 'topic')
})

const call = (method: string, path: string, body: object = {}) =>
  server.inject(method, `/projects/${fixture.project.id}/merge_requests${path}`, {
    token: server.root.token,
    body,
  })

const open = (target_branch: string) =>
  call('POST', '', { source_branch: 'topic', target_branch, title: 'Change' })

/** The merge requests between the same branches that are open. */
async function openInto(branch: string): Promise<number[]> {
  const { body } = await server.inject('GET', `/projects/${fixture.project.id}/merge_requests`, {
    token: server.root.token,
    query: `state=opened&target_branch=${branch}`,
  })
  return body.map(({ iid }: Json) => iid)
}

const refusal = /^Another open merge request already exists for this source branch: !\d$/

describe('merge requests between the same branches', () => {
  it.each([1, 2, 3])(
    'are open one at a time when they are created, reopened and retargeted at once (%i)',
    async () => {
      const [closed, other, another] = [
        (await open('main')).body,
        (await open('stable')).body,
        (await open('next')).body,
      ]
      await call('PUT', `/${closed.iid}`, { state_event: 'close' })
      const answers = await Promise.all([
        open('main'),
        call('PUT', `/${closed.iid}`, { state_event: 'reopen' }),
        call('PUT', `/${other.iid}`, { target_branch: 'main' }),
        open('main'),
        call('PUT', `/${another.iid}`, { target_branch: 'main' }),
      ])
      const lost = answers.filter(({ status }) => status >= 400)
      expect(lost.map(({ status }) => status)).toEqual([409, 409, 409, 409])
      const [winner] = await openInto('main')
      expect(await openInto('main')).toEqual([winner])
      for (const { body } of lost) {
        expect(body.message).toEqual([expect.stringMatching(refusal)])
        expect(body.message[0]).toContain(`!${winner}`)
      }
    },
  )

  it('are refused while the first is being merged', async () => {
    const { body } = await open('main')
    await server.app.db.run('test.lock', { id: body.id }, (db, $) =>
      db.updateTable('mergeRequests').set({ state: 'locked' }).where('id', '=', $('id')),
    )
    const again = await open('main')
    expect([again.status, again.body.message]).toEqual([
      409,
      ['Another open merge request already exists for this source branch: !1'],
    ])
  })

  it('may be many that are closed', async () => {
    for (const iid of [1, 2, 3]) {
      expect((await open('main')).body.iid).toBe(iid)
      expect((await call('PUT', `/${iid}`, { state_event: 'close' })).status).toBe(200)
    }
    expect((await call('PUT', '/1', { state_event: 'reopen' })).body.state).toBe('opened')
    expect((await call('PUT', '/2', { state_event: 'reopen' })).status).toBe(409)
  })
})
