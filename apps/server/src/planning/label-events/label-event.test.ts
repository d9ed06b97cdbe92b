import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { requireProject } from '../../directory/projects/project-subject.ts'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { applyLabels, planLabels } from '../labels/labelling.service.ts'

let server: TestServer
let fixture: NoteableFixture

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

const types = { Issue: 'issue', MergeRequest: 'merge_request', Epic: 'epic' } as const
type Kind = keyof typeof types

/** Adds or removes labels of the project, as root. */
async function relabel(kind: Kind, item: TestNoteable, mode: 'add' | 'remove', names: string[]) {
  const { app } = server
  const caller = await actingUser(app, 1)
  if (caller === undefined) throw new Error('no root')
  const { project } = fixture.made
  const subject = await requireProject(app, String(project.id), caller)
  const plan = await planLabels(app, caller, { project: subject }, names, { create: true })
  const projectId = kind === 'Epic' ? null : project.id
  const target = { type: types[kind], id: item.id ?? 0, projectId, createdAt: app.now() }
  const now = app.now()
  await app.db.transaction((tx) => applyLabels(tx, target, plan, { mode, userId: 1, at: now, now }))
}

async function list(item: TestNoteable, query = '', by = server.root) {
  return fixture.call(item, 'GET', `/resource_label_events${query}`, undefined, by)
}

describe.each(Object.keys(types) as Kind[])('label events of %s', (kind) => {
  it('GET lists those of a period', async () => {
    const item = await fixture.build(kind)
    await relabel(kind, item, 'add', ['a'])
    const { body } = await list(item)
    const at = body[0].created_at
    const before = new Date(Date.parse(at) - 1).toISOString()
    const after = new Date(Date.parse(at) + 1).toISOString()
    const counts = [
      [`?created_after=${at}&created_before=${at}`, 1],
      [`?created_after=${after}`, 0],
      [`?created_before=${before}`, 0],
    ] as const
    for (const [query, length] of counts) {
      expect((await list(item, query)).body, query).toHaveLength(length)
    }
  })

  it('GET lists added and removed labels, oldest first, in pages', async () => {
    const item = await fixture.build(kind)
    await relabel(kind, item, 'add', ['b', 'a'])
    await relabel(kind, item, 'remove', ['a'])
    const answer = await list(item)
    const actual = answer.body.map((event: Json) => [event.action, event.label.name])
    expect(actual).toEqual([
      ['add', 'a'],
      ['add', 'b'],
      ['remove', 'a'],
    ])
    expect(answer.headers['x-total']).toBe('3')
    expect((await list(item, '?per_page=2&page=2')).body).toEqual(answer.body.slice(2))
    expect(answer.body[0]).toEqual({
      id: expect.any(Number),
      user: expect.objectContaining({ id: 1, username: 'root' }),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      resource_type: kind,
      resource_id: item.id,
      label: { id: expect.any(Number), name: 'a', color: '#428BCA', description: null },
      action: 'add',
    })
    const one = await list(item, `/${answer.body[1].id}`)
    expect([one.status, one.body]).toEqual([200, answer.body[1]])
  })

  it('GET returns 404 below another item', async () => {
    const [item, other] = [await fixture.build(kind), await fixture.build(kind)]
    await relabel(kind, item, 'add', ['a'])
    const [event] = (await list(item)).body
    for (const path of [`/${event.id + 1000}`, '/0']) {
      const answer = await list(item, path)
      expect([answer.status, answer.body]).toEqual([
        404,
        { message: '404 ResourceLabelEvent Not Found' },
      ])
    }
    expect((await list(other, `/${event.id}`)).status).toBe(404)
    expect((await list(item, '/x')).status).toBe(400)
    expect((await list(other)).body).toEqual([])
    const nothing = { ...item, path: item.path.replace(/\d+$/, '999999') }
    expect((await list(nothing)).status).toBe(404)
  })

  it('are kept when the label is deleted', async () => {
    const item = await fixture.build(kind)
    await relabel(kind, item, 'add', ['short-lived'])
    const path = `/projects/${fixture.made.project.id}/labels/short-lived`
    expect((await server.inject('DELETE', path, { token: server.root.token })).status).toBe(204)
    expect((await list(item)).body).toMatchObject([{ label: null, action: 'add' }])
  })

  it('are readable for users who may read the item', async () => {
    const item = await fixture.build(kind)
    expect((await list(item, '', await server.buildUser())).status).toBe(200)
    expect((await server.inject('GET', `${item.path}/resource_label_events`)).status).toBe(401)
  })
})

describe('label events of hidden items', () => {
  it('GET returns 404', async () => {
    const issue = await fixture.build('Issue', { confidential: true })
    const guest = await fixture.member(10)
    expect((await list(issue, '', guest)).status).toBe(404)
    expect((await list(issue, '', await fixture.member(20))).status).toBe(200)
    const closed = await buildNoteableFixture(server, { visibility: 'private' })
    const request = await closed.build('MergeRequest')
    const member = await closed.member(10)
    expect(
      (await closed.call(request, 'GET', '/resource_label_events', undefined, member)).status,
    ).toBe(404)
    const own = await closed.build('Epic')
    const stranger = await server.buildUser()
    expect(
      (await closed.call(own, 'GET', '/resource_label_events', undefined, stranger)).status,
    ).toBe(404)
  })

  it('GET returns 403 for epics in the community tier', async () => {
    const community = await buildTestServer({ tier: 'community' })
    const group = await community.buildGroup()
    const path = `/groups/${group.id}/epics/1/resource_label_events`
    expect((await community.inject('GET', path, { token: community.root.token })).status).toBe(403)
    await community.close()
  })
})
