import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWorkPlace, type WorkPlace } from '../testing/git/work-place.ts'
import { readEvents, readRequest, readVersions, remoteHead } from '../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'
import { refreshMergeRequests } from './merge-request-refresh.service.ts'

let server: TestServer
let place: WorkPlace
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  place = await buildWorkPlace(server)
  first = await place.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await place.push('main', 'topic')
  request = await server.buildMergeRequest(place.project, 'topic', 'main')
  await server.runJobs()
})

const show = () => readRequest(server, request.id)
const versions = () => readVersions(server, request.id)
const events = (action: string) => readEvents(server, place.project.id, action)

async function push(...refs: string[]): Promise<void> {
  await place.push(...refs)
  await server.runJobs()
}

const anyPush = {
  key: 'test',
  userId: 1,
  options: [],
  pushedAt: 0,
  defaultBranch: 'main',
  head: null,
}

describe('a push that is worked through twice', () => {
  it('changes nothing the second time', async () => {
    const second = await place.commitTo('topic', {}, 'fixup! First')
    await push('topic')
    const title = 'No longer'
    await server.app.db.run('test.titleOnly', { id: request.id, title }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ title: $('title') })
        .where('id', '=', $('id')),
    )
    const before = [await show(), await versions(), await events('closed')]
    const updates = [{ ref: 'refs/heads/topic', before: first, after: second }]
    const again = { ...anyPush, projectId: place.project.id, updates }
    await refreshMergeRequests(server.app, again, new AbortController().signal)
    expect([await show(), await versions(), await events('closed')]).toEqual(before)
  })

  it('makes one version where two workers are at it', async () => {
    const second = await place.commitTo('topic', {}, 'Second')
    await place.push('topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: second }]
    const again = { ...anyPush, projectId: place.project.id, updates }
    const work = () => refreshMergeRequests(server.app, again, new AbortController().signal)
    await Promise.all([work(), work(), work()])
    expect(await versions()).toHaveLength(2)
    expect(await remoteHead(place, request.iid)).toBe(second)
  })

  it('records one event where two workers close a request', async () => {
    await place.push(':topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: null }]
    const again = { ...anyPush, projectId: place.project.id, updates }
    const work = () => refreshMergeRequests(server.app, again, new AbortController().signal)
    await Promise.all([work(), work()])
    await server.runJobs()
    expect(await events('closed')).toHaveLength(1)
  })

  it('speaks of the ghost where the pusher is gone', async () => {
    await place.push(':topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: null }]
    const push = { ...anyPush, userId: 999_999, projectId: place.project.id, updates }
    await refreshMergeRequests(server.app, push, new AbortController().signal)
    const [event] = await events('closed')
    expect(event?.author_username).toMatch(/^ghost/)
  })
})

describe('a push of a tag', () => {
  it('touches no merge request', async () => {
    await place.git('tag', 'topic', 'main')
    await push('refs/tags/topic:refs/tags/topic')
    expect(await versions()).toHaveLength(1)
  })
})
