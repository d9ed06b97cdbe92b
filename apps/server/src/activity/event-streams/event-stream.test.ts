/*
 * Covered here: streams of events of issues, merge requests and epics over HTTP: what is told to whom,
 * when a stream ends, and how many there may be.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EventReader, openEvents } from '../../testing/clients/event-reader.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { eventStreamsOf } from './event-streams.ts'

let server: TestServer
let base: string
let reader: TestUser
let writer: TestUser
let project: Json
let issue: Json
const opened: EventReader[] = []

beforeAll(async () => {
  server = await buildTestServer()
  base = `${await server.url()}/api/v4`
  reader = await server.buildUser()
  writer = await server.buildUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await buildPlan()
  issue = await buildIssue(project)
})
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await expect.poll(() => eventStreamsOf(server.app).count()).toBe(0)
})

/** A private project with the reader and the writer. */
async function buildPlan(): Promise<Json> {
  const made = await server.buildProject({ visibility: 'private' })
  await server.addMember(`projects/${made.id}`, reader.id, 20)
  await server.addMember(`projects/${made.id}`, writer.id, 30)
  return made
}

const call = (method: string, path: string, body?: object, token = writer.token) =>
  server.inject(method, path, { token, ...(body === undefined ? {} : { body }) })

async function buildIssue({ id }: Json): Promise<Json> {
  return (await call('POST', `/projects/${id}/issues`, { title: 'An issue' })).body
}

/** What the server does from time to time, a test does when it wants it. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
}

/** Deletes an issue, which ends its streams. */
const remove = (removed: Json) => call('DELETE', pathOf(removed), undefined, server.root.token)

const pathOf = ({ project_id: id, iid }: Json) => `/projects/${id}/issues/${iid}`

/** Opens a stream of the reader. */
async function open(path: string, token = reader.token): Promise<EventReader> {
  const stream = await openEvents(`${base}${path}/event_stream`, { 'private-token': token })
  opened.push(stream)
  return stream
}

/** Opens a stream, and reads its first event. */
async function follow(path: string): Promise<EventReader> {
  const stream = await open(path)
  expect((await stream.next())?.event).toBe('version')
  return stream
}

describe('GET /projects/:id/issues/:issue_iid/event_stream', () => {
  it('begins with the version of the issue, and is not held back or stored by proxies', async () => {
    const stream = await open(pathOf(issue))
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(await stream.next()).toEqual({
      event: 'version',
      data: { updated_at: issue.updated_at, version: expect.stringMatching(/^[0-9a-f]{16}$/) },
    })
  })

  it('tells of a comment and of an edit of it, with nothing of what was written', async () => {
    const stream = await open(pathOf(issue))
    const first = await stream.next()
    const { body: note } = await call('POST', `${pathOf(issue)}/notes`, { body: 'Secret' })
    const change = await stream.next()
    expect(change?.event).toBe('change')
    expect(Object.keys(change?.data)).toEqual(['updated_at', 'version'])
    expect(change?.data.version).not.toBe(first?.data.version)
    await call('PUT', `${pathOf(issue)}/notes/${note.id}`, { body: 'Changed' })
    expect((await stream.next())?.event).toBe('change')
  })

  it.each([
    ['its title', { title: 'Another' }],
    ['its state', { state_event: 'close' }],
    ['its labels', { labels: 'bug' }],
  ])('tells of a change of %s', async (_, body) => {
    const stream = await follow(pathOf(issue))
    await call('PUT', pathOf(issue), body)
    expect((await stream.next())?.event).toBe('change')
  })

  it('tells nothing of another issue or project', async () => {
    const others = [await buildIssue(project), await buildIssue(await buildPlan())]
    const streams = await Promise.all([issue, ...others].map((each) => follow(pathOf(each))))
    await call('POST', `${pathOf(issue)}/notes`, { body: 'One' })
    expect((await streams[0]?.next())?.event).toBe('change')
    // The first that they are told is their own change.
    for (const [at, other] of others.entries()) {
      await call('PUT', pathOf(other), { title: 'Changed' })
      const told = await streams[at + 1]?.next()
      const { body } = await call('GET', pathOf(other))
      expect(told?.data.updated_at).toBe(body.updated_at)
    }
  })

  it('answers 404 to whom the issue is hidden from, and 401 without a token', async () => {
    const stranger = await server.buildUser()
    expect((await open(pathOf(issue), stranger.token)).status).toBe(404)
    const { body: hidden } = await call('POST', `/projects/${project.id}/issues`, {
      title: 'Hidden',
      confidential: true,
    })
    const guest = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    expect((await open(pathOf(hidden), guest.token)).status).toBe(404)
    expect((await openEvents(`${base}${pathOf(issue)}/event_stream`)).status).toBe(401)
  })

  it('ends before the next event once the issue is hidden from the caller', async () => {
    const stream = await follow(pathOf(issue))
    const member = `/projects/${project.id}/members/${reader.id}`
    expect((await call('DELETE', member, undefined, server.root.token)).status).toBe(204)
    await call('POST', `${pathOf(issue)}/notes`, { body: 'Unseen' })
    expect(await stream.rest()).toBe('')
  })

  it('ends without an event once the caller may no longer sign in, or the issue is deleted', async () => {
    const other = await server.buildUser()
    await server.addMember(`projects/${project.id}`, other.id, 20)
    const stream = await open(pathOf(issue), other.token)
    await stream.next()
    await call('POST', `/users/${other.id}/block`, undefined, server.root.token)
    await eventStreamsOf(server.app).recheck()
    expect(await stream.rest()).toBe('')
    const deleted = await follow(pathOf(issue))
    await remove(issue)
    expect(await deleted.rest()).toBe('')
  })

  it('ends after `timeout_seconds`, which is at most an hour', async () => {
    const url = `${base}${pathOf(issue)}/event_stream?timeout_seconds=`
    const headers = { 'private-token': reader.token }
    const stream = await openEvents(`${url}0`, headers)
    expect(await stream.rest()).toMatch(/^retry: \d{4}\n\nevent: version\ndata: \{.*\}\n\n$/)
    expect((await openEvents(`${url}3601`, headers)).status).toBe(400)
  })

  it('sends comments, so that proxies keep it', async () => {
    stopTimers()
    const stream = await follow(pathOf(issue))
    vi.advanceTimersByTime(20_000)
    vi.useRealTimers()
    await remove(issue)
    expect(await stream.rest()).toBe(':\n\n')
  })

  it('is found by HEAD without being opened', async () => {
    const path = `${pathOf(issue)}/event_stream`
    const { status, headers } = await call('HEAD', path)
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(eventStreamsOf(server.app).count()).toBe(0)
  })
})

describe('a change that no effect tells of, such as one by another process', () => {
  beforeEach(stopTimers)
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Writes as no service of this process does. */
  const touch = ({ id }: Json) =>
    server.app.db.transaction((tx) =>
      tx.run('test.touch', { id }, (db, $) =>
        db.updateTable('issues').set({ upvotes: 7 }).where('id', '=', $('id')),
      ),
    )

  it('is told after the next look, once, and to its streams alone', async () => {
    const unchanged = await buildIssue(project)
    const streams = await Promise.all([issue, unchanged].map((each) => follow(pathOf(each))))
    await touch(issue)
    for (const _ of [1, 2]) await eventStreamsOf(server.app).poll()
    for (const each of [issue, unchanged]) await remove(each)
    const [told, untold] = await Promise.all(streams.map((stream) => stream.rest()))
    expect(told?.match(/^event: change$/gm)).toHaveLength(1)
    expect(untold).toBe('')
  })

  it('is told of reactions to the issue and to its comments, given and taken back', async () => {
    const { body: note } = await call('POST', `${pathOf(issue)}/notes`, { body: 'Good' })
    const stream = await follow(pathOf(issue))
    const changed = async () => {
      await eventStreamsOf(server.app).poll()
      return (await stream.next())?.event
    }
    for (const path of [pathOf(issue), `${pathOf(issue)}/notes/${note.id}`]) {
      const awards = `${path}/award_emoji`
      const { body: given } = await call('POST', awards, { name: 'tada' })
      expect(await changed()).toBe('change')
      await call('DELETE', `${awards}/${given.id}`)
      expect(await changed()).toBe('change')
    }
  })

  it('is told of a label that is renamed or gets another colour', async () => {
    await call('PUT', pathOf(issue), { labels: 'bug' })
    const stream = await follow(pathOf(issue))
    for (const change of [{ new_name: 'fault' }, { color: '#00ff00' }]) {
      server.advance(1000)
      const label = change.new_name === undefined ? 'fault' : 'bug'
      await call('PUT', `/projects/${project.id}/labels/${label}`, change)
      await eventStreamsOf(server.app).poll()
      expect((await stream.next())?.event).toBe('change')
    }
  })

  it('costs one query for all that is watched, and none if nothing is', async () => {
    const { db } = server.app
    const streams = eventStreamsOf(server.app)
    const before = db.stats.queries
    await streams.poll()
    expect(db.stats.queries).toBe(before)
    for (const _ of [1, 2, 3]) await follow(pathOf(await buildIssue(project)))
    const watching = db.stats.queries
    await streams.poll()
    expect(db.stats.queries - watching).toBe(1)
  })
})

describe('GET /projects/:id/merge_requests/:merge_request_iid/event_stream', () => {
  it('tells of pushes, approvals and pipelines', async () => {
    const fixture = await buildMergeFixture(server)
    await server.addMember(`projects/${fixture.project.id}`, reader.id, 20)
    const path = `/projects/${fixture.project.id}/merge_requests/1`
    const pushed = await follow(path)
    const sha = await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'More')
    await fixture.push('topic')
    await server.runJobs()
    expect((await pushed.next())?.event).toBe('change')
    const approved = await follow(path)
    expect((await fixture.call('POST', '/approve', {})).status).toBe(201)
    expect((await approved.next())?.event).toBe('change')
    const built = await follow(path)
    const statuses = `/projects/${fixture.project.id}/statuses/${sha}`
    const status = { state: 'running', ref: 'topic' }
    expect((await call('POST', statuses, status, fixture.user.token)).status).toBe(201)
    expect((await built.next())?.event).toBe('change')
  })
})

describe('GET /groups/:id/epics/:epic_iid/event_stream', () => {
  it('tells of comments', async () => {
    const group = await server.buildGroup()
    await server.addMember(`groups/${group.id}`, reader.id, 20)
    const root = server.root.token
    const { body: epic } = await call('POST', `/groups/${group.id}/epics`, { title: 'E' }, root)
    const stream = await follow(`/groups/${group.id}/epics/${epic.iid}`)
    await call('POST', `/groups/${group.id}/epics/${epic.id}/notes`, { body: 'Hi' }, root)
    expect((await stream.next())?.event).toBe('change')
  })
})

describe('streams of events', () => {
  it('are limited for each user and for all', async () => {
    const { config } = server.app
    const limited = await buildTestServer({ eventStreams: 3, eventStreamsPerUser: 2 })
    expect(config.eventStreams).toBeGreaterThan(3)
    const url = await limited.url()
    const { id } = await limited.buildProject({ visibility: 'internal' })
    await limited.inject('POST', `/projects/${id}/issues`, {
      token: limited.root.token,
      body: { title: 'Busy' },
    })
    const users = await Promise.all([1, 2, 3].map(() => limited.buildUser()))
    const streams: EventReader[] = []
    const openAs = async (user: TestUser | undefined) => {
      const stream = await openEvents(`${url}/api/v4/projects/${id}/issues/1/event_stream`, {
        'private-token': user?.token ?? '',
      })
      streams.push(stream)
      return stream
    }
    const [one, two, three] = users
    const first = await openAs(one)
    await openAs(one)
    const refused = await openAs(one)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await openAs(two)).status).toBe(200)
    expect((await openAs(three)).status).toBe(429)
    first.close()
    await expect.poll(() => eventStreamsOf(limited.app).count()).toBe(2)
    expect((await openAs(three)).status).toBe(200)
    await limited.close()
    for (const stream of streams) stream.close()
  })

  it('end when the server stops, which they do not delay', async () => {
    const stopped = await buildTestServer()
    const url = await stopped.url()
    const { token } = stopped.root
    const { id } = await stopped.buildProject()
    await stopped.inject('POST', `/projects/${id}/issues`, { token, body: { title: 'Open' } })
    const path = `${url}/api/v4/projects/${id}/issues/1/event_stream`
    const stream = await openEvents(path, { 'private-token': token })
    await stream.next()
    const [rest] = await Promise.all([stream.rest(), stopped.close()])
    expect(rest).toBe('')
  })
})
