import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

/** A project with issues, the first of which is `a`. */
async function build(titles = 'abcd') {
  const { server, group, open, reporter } = fixture
  const project = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
  const issues: Record<string, Json> = {}
  for (const title of titles) issues[title] = await open({ title }, reporter, project)
  const order = async (query = 'sort=asc') => {
    const path = `?order_by=relative_position&${query}`
    const { body } = await fixture.call('GET', path, undefined, reporter, project)
    return body.map((issue: Json) => issue.title).join('')
  }
  const reorder = (title: string, body: object, as: { token: string } = reporter) =>
    fixture.call('PUT', `/${issues[title]?.iid}/reorder`, body, as, project)
  const idOf = (title: string): number => issues[title]?.id
  return { project, issues, order, reorder, idOf }
}

describe('GET /projects/:id/issues?order_by=relative_position', () => {
  it('has new issues first, and the other way round', async () => {
    const { order } = await build()
    expect(await order()).toBe('dcba')
    expect(await order('sort=desc')).toBe('abcd')
    expect(await order('sort=asc&per_page=2&page=2')).toBe('ba')
  })

  it('is an order of the lists of groups and of all issues, but not of merge requests', async () => {
    const { server, group, reporter } = fixture
    const { token } = reporter
    const read = (path: string) =>
      server.inject('GET', path, { token, query: 'order_by=relative_position&sort=asc&scope=all' })
    expect((await read(`/groups/${group.id}/issues`)).status).toBe(200)
    expect((await read('/issues')).status).toBe(200)
    expect((await read('/merge_requests')).status).toBe(400)
  })
})

describe('PUT /projects/:id/issues/:issue_iid/reorder', () => {
  it('moves an issue before or after another one, and returns it', async () => {
    const { order, reorder, idOf } = await build()
    const moved = await reorder('a', { move_before_id: idOf('c') })
    expect([moved.status, moved.body.title, await order()]).toEqual([200, 'a', 'dacb'])
    await reorder('d', { move_after_id: idOf('b') })
    expect(await order()).toBe('acbd')
    await reorder('b', { move_before_id: idOf('a') })
    expect(await order()).toBe('bacd')
  })

  it('moves it between two, which may have others between them', async () => {
    const { order, reorder, idOf } = await build()
    await reorder('d', { move_after_id: idOf('c'), move_before_id: idOf('a') })
    expect(await order()).toBe('cbda')
    const refused = await reorder('b', { move_after_id: idOf('a'), move_before_id: idOf('c') })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Issue could not be moved!')
  })

  it('changes nothing else of the issue', async () => {
    const { project, issues, reorder, idOf } = await build('ab')
    fixture.server.advance(60_000)
    const { body } = await reorder('a', { move_before_id: idOf('b') })
    expect(body.updated_at).toBe(issues.a?.updated_at)
    const path = `/${issues.a?.iid}/notes`
    expect((await fixture.call('GET', path, undefined, fixture.reporter, project)).body).toEqual([])
  })

  it('finds room however often issues go to the same place', async () => {
    const { order, reorder, idOf } = await build()
    for (let at = 0; at < 40; at += 1) {
      const title = at % 2 === 0 ? 'a' : 'b'
      expect((await reorder(title, { move_after_id: idOf('d') })).status).toBe(200)
    }
    expect(await order()).toBe('dbac')
  })

  it('is for reporters and above, and returns 404 for issues that they can’t read or of other projects', async () => {
    const { reorder, idOf, project, issues } = await build('ab')
    const elsewhere = await build('x')
    const body = { move_before_id: idOf('b') }
    expect((await reorder('a', body, fixture.guest)).status).toBe(403)
    expect((await reorder('a', body, fixture.stranger)).status).toBe(403)
    expect((await reorder('a', { move_before_id: elsewhere.idOf('x') })).status).toBe(404)
    expect((await reorder('a', { move_before_id: 999_999 })).status).toBe(404)
    expect((await reorder('a', { move_before_id: idOf('a') })).status).toBe(400)
    expect((await reorder('a', {})).status).toBe(400)
    const { token } = fixture.server.root
    await fixture.server.inject('POST', `/projects/${project.id}/archive`, { token })
    const archived = await reorder('a', body)
    expect([archived.status, archived.text]).toEqual([403, expect.stringContaining('archived')])
    expect(issues.a?.iid).toBe(1)
  })
})
