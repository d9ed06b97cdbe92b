import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEpicFixture, type EpicFixture } from '../../testing/fixtures/epics.ts'
import { buildTestServer, type Json } from '../../testing/test-server.ts'

// Catalogue: the levels that read, write and delete epics; 404 in hidden groups, 401 without a token,
// 403 in the community tier; the quick actions of notes on epics, under the same levels.

let fixture: EpicFixture
beforeAll(async () => {
  fixture = await buildEpicFixture()
})
afterAll(() => fixture.server.close())

describe('notes with quick actions on epics', () => {
  it('execute those that epics have, and ignore the others', async () => {
    const epic = await fixture.open({ labels: 'old' })
    const { server, reporter, group } = fixture
    const { token } = reporter
    const path = `/groups/${group.id}/epics/${epic.id}/notes`
    const body = 'Text\n/relabel ~fresh\n/weight 3\n/milestone %1\n/subscribe\n/todo\n/close'
    const note = await server.inject('POST', path, { token, body: { body } })
    expect([note.status, note.body.body]).toEqual([201, 'Text'])
    const shown = await fixture.call('GET', `/${epic.iid}`)
    expect(shown.body).toMatchObject({ state: 'closed', labels: ['fresh'] })
    const { body: todos } = await server.inject('GET', '/todos', { token })
    expect(todos.map((todo: Json) => todo.target.id)).toContain(epic.id)
    const only = await server.inject('POST', path, { token, body: { body: '/reopen\n/done' } })
    expect(only.status).toBe(400)
    expect((await fixture.call('GET', `/${epic.iid}`)).body.state).toBe('opened')
  })

  it('change nothing for guests', async () => {
    const epic = await fixture.open()
    const { token } = fixture.guest
    const path = `/groups/${fixture.group.id}/epics/${epic.id}/notes`
    const body = { body: 'Text\n/close\n/label ~guest\n/title x' }
    expect((await fixture.server.inject('POST', path, { token, body })).status).toBe(201)
    const { body: shown } = await fixture.call('GET', `/${epic.iid}`)
    expect(shown).toMatchObject({ state: 'opened', labels: [], title: 'An epic' })
  })
})

describe('permissions on epics', () => {
  it('follow the level in the group', async () => {
    const { call, open, guest, reporter, maintainer, owner, stranger, server } = fixture
    const { iid } = await open()
    const statuses = async (as: { token: string }) => [
      (await call('GET', '', undefined, as)).status,
      (await call('GET', `/${iid}`, undefined, as)).status,
      (await call('POST', '', { title: 'x' }, as)).status,
      (await call('PUT', `/${iid}`, { title: 'x' }, as)).status,
      (await call('POST', `/${(await open()).iid}/todo`, {}, as)).status,
    ]
    expect(await statuses(stranger)).toEqual([200, 200, 403, 403, 201])
    expect(await statuses(guest)).toEqual([200, 200, 403, 403, 201])
    for (const as of [reporter, maintainer, owner, server.root]) {
      expect(await statuses(as)).toEqual([200, 200, 201, 200, 201])
    }
    for (const as of [stranger, guest, reporter, maintainer]) {
      expect((await call('DELETE', `/${iid}`, undefined, as)).status).toBe(403)
    }
    const path = `/groups/${fixture.group.id}/epics`
    expect((await server.inject('GET', path)).status).toBe(401)
    expect((await server.inject('GET', `${path}/${iid}`)).status).toBe(401)
    expect((await call('GET', '/99999')).body).toEqual({ message: '404 Epic Not Found' })
  })

  it('are 404 in a private group of others, and 403 in the community tier', async () => {
    const hidden = await buildEpicFixture('private')
    const epic = await hidden.open()
    for (const path of ['', `/${epic.iid}`]) {
      const answer = await hidden.call('GET', path, undefined, hidden.stranger)
      expect(answer.status).toBe(404)
    }
    expect((await hidden.call('POST', '', { title: 'x' }, hidden.stranger)).status).toBe(404)
    await hidden.server.close()
    const community = await buildTestServer({ tier: 'community' })
    const group = await community.buildGroup()
    const { token } = community.root
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/1'],
      ['PUT', '/1'],
      ['DELETE', '/1'],
      ['POST', '/1/todo'],
      ['GET', '/1/award_emoji'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: { title: 'x' } }
      const url = `/groups/${group.id}/epics${path}`
      const answer = await community.inject(method, url, { token, ...body })
      expect(answer.status, `${method} ${path}`).toBe(403)
    }
    await community.close()
  })
})
