import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readEvents, readRequest, readVersions, remoteHead } from '../../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { refreshMergeRequests } from './merge-request-refresh.service.ts'

let server: TestServer
let fixture: RepositoryFixture
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  first = await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
  await server.runJobs()
})

const show = () => readRequest(server, request.id)
const versions = () => readVersions(server, request.id)
const events = (action: string) => readEvents(server, fixture.project.id, action)

async function push(...refs: string[]): Promise<void> {
  await fixture.push(...refs)
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

describe('a push that is processed twice', () => {
  it('changes nothing the second time', async () => {
    const second = await fixture.commitTo('topic', {}, 'fixup! First')
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
    const again = { ...anyPush, projectId: fixture.project.id, updates }
    await refreshMergeRequests(server.app, again, new AbortController().signal)
    expect([await show(), await versions(), await events('closed')]).toEqual(before)
  })

  it('creates one version with two concurrent workers', async () => {
    const second = await fixture.commitTo('topic', {}, 'Second')
    await fixture.push('topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: second }]
    const again = { ...anyPush, projectId: fixture.project.id, updates }
    const work = () => refreshMergeRequests(server.app, again, new AbortController().signal)
    await Promise.all([work(), work(), work()])
    expect(await versions()).toHaveLength(2)
    expect(await remoteHead(fixture, request.iid)).toBe(second)
  })

  it('records one event with two concurrent workers', async () => {
    await fixture.push(':topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: null }]
    const again = { ...anyPush, projectId: fixture.project.id, updates }
    const work = () => refreshMergeRequests(server.app, again, new AbortController().signal)
    await Promise.all([work(), work()])
    await server.runJobs()
    expect(await events('closed')).toHaveLength(1)
  })

  it('attributes system notes to the ghost user if the pusher was deleted', async () => {
    await fixture.push(':topic')
    const updates = [{ ref: 'refs/heads/topic', before: first, after: null }]
    const push = { ...anyPush, userId: 999_999, projectId: fixture.project.id, updates }
    await refreshMergeRequests(server.app, push, new AbortController().signal)
    const [event] = await events('closed')
    expect(event?.author_username).toMatch(/^ghost/)
  })
})

describe('a push of a tag', () => {
  it('changes no merge request', async () => {
    await fixture.git('tag', 'topic', 'main')
    await push('refs/tags/topic:refs/tags/topic')
    expect(await versions()).toHaveLength(1)
  })
})
