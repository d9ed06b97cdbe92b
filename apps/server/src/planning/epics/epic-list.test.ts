import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEpicFixture, type EpicFixture } from '../../testing/fixtures/epics.ts'
import type { Json } from '../../testing/test-server.ts'

// Document 3: epics of the group and its subgroups; `author_id`, `labels` (of the group or of groups
// above it), `order_by`, `sort`, `search` (title and description), `state`, bounds of both dates;
// 20 a page. Totals; the same number of queries for a page of any length.

let fixture: EpicFixture
let outside: Json
beforeAll(async () => {
  fixture = await buildEpicFixture()
  const { server, group, subgroup, owner, open } = fixture
  outside = await server.buildGroup({ visibility: 'public' })
  await open({ title: 'Red lamp', labels: 'red,bug' })
  await open({ title: 'Blue lamp', description: 'shines', labels: 'bug' }, owner, subgroup)
  const dim = await open({ title: 'Dim', description: 'no Lamps, 100%' }, undefined, group)
  await fixture.call('PUT', `/${dim.iid}`, { state_event: 'close' })
  await open({ title: 'Foreign lamp', labels: 'bug' }, server.root, outside)
})
afterAll(() => fixture.server.close())

async function titles(query: string, as?: { token: string }, of?: Json): Promise<string[]> {
  const answer = await fixture.call('GET', `?${query}`, undefined, as, of)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['x-total']).toBe(String(answer.body.length))
  return answer.body.map((epic: Json) => epic.title)
}

const all = ['Dim', 'Blue lamp', 'Red lamp']

describe('GET /groups/:id/epics', () => {
  it('takes every filter in the forms that clients send', async () => {
    const { owner, subgroup } = fixture
    const rows: [string, string[]][] = [
      ['', all],
      ['state=opened', ['Blue lamp', 'Red lamp']],
      ['state=closed', ['Dim']],
      ['state=all', all],
      ['state=', all],
      [`author_id=${owner.id}`, ['Blue lamp']],
      ['author_id=99999', []],
      ['labels=bug', ['Blue lamp', 'Red lamp']],
      ['labels=bug,red', ['Red lamp']],
      ['labels[]=bug&labels[]=red', ['Red lamp']],
      ['labels=bug, red', ['Red lamp']],
      ['labels=', all],
      ['labels=unknown', []],
      ['labels=None', ['Dim']],
      ['labels=any', ['Blue lamp', 'Red lamp']],
      ['labels=No%2BLabel', ['Dim']],
      ['labels=bug&state=closed', []],
      ['search=LAMP', all],
      ['search=lamp shin', ['Blue lamp']],
      ['search=mp', all],
      ['search=100%25', ['Dim']],
      ['search=lamp&state=opened', ['Blue lamp', 'Red lamp']],
      ['search=nothing', []],
      ['created_after=2000-01-01', all],
      ['created_before=2000-01-01', []],
      ['updated_after=2000-01-01T00:00:00Z', all],
      ['updated_before=2000-01-01', []],
      ['updated_before=2999-01-01', all],
      ['sort=asc', all.toReversed()],
      ['order_by=created_at&sort=desc', all],
      ['order_by=updated_at&sort=asc', ['Red lamp', 'Blue lamp', 'Dim']],
      [`search=lamp&labels=bug&author_id=${owner.id}&order_by=updated_at`, ['Blue lamp']],
    ]
    for (const [query, expected] of rows) expect(await titles(query), query).toEqual(expected)
    expect(await titles('', undefined, subgroup)).toEqual(['Blue lamp'])
  })

  it.each(['state=merged', 'order_by=title', 'sort=up', 'author_id=x', 'created_after=soon'])(
    'returns 400 for %s',
    async (query) => {
      expect((await fixture.call('GET', `?${query}`)).status).toBe(400)
    },
  )

  it('filters by as many labels as a parameter may have', async () => {
    const { server, owner } = fixture
    const group = await server.buildGroup({ visibility: 'public' })
    await server.addMember(`groups/${group.id}`, owner.id, 50)
    const labels = Array.from({ length: 1000 }, (_, number) => `l${number}`)
    const title = 'Labelled'
    await fixture.open({ title, labels }, owner, group)
    await fixture.open({ title: 'Less', labels: labels.slice(1) }, owner, group)
    const project = await server.buildProject({ namespace_id: group.id })
    const { token } = server.root
    const issues = `/projects/${project.id}/issues`
    await server.inject('POST', issues, { token, body: { title, labels } })
    for (const count of [7, 8, 9, 400, 1000]) {
      const query = `labels=${labels.slice(0, count).join()}`
      expect([count, await titles(query, undefined, group)]).toEqual([count, [title]])
      const { body } = await server.inject('GET', `${issues}?${query}`, { token })
      expect([count, body.map((issue: Json) => issue.title)]).toEqual([count, [title]])
    }
    const other = `labels=${labels.slice(0, 20).join()},other`
    expect(await titles(other, undefined, group)).toEqual([])
  })

  it('paginates, and rejects keyset pagination', async () => {
    const { body, headers } = await fixture.call('GET', '?per_page=2&page=2')
    expect(body.map((epic: Json) => epic.title)).toEqual(['Red lamp'])
    expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-prev-page': '1' })
    expect((await fixture.call('GET', '?pagination=keyset')).status).toBe(400)
  })

  it('shows where dates come from in the groups whose epics the caller may edit', async () => {
    const { server, subgroup, call } = fixture
    const some = await server.buildUser()
    await server.addMember(`groups/${subgroup.id}`, some.id, 20)
    const shown = async (as: { token: string }) => {
      const { body } = await call('GET', '', undefined, as)
      return body.map((epic: Json) => 'start_date_is_fixed' in epic)
    }
    expect(await shown(some)).toEqual([false, true, false])
    expect(await shown(fixture.reporter)).toEqual([true, true, true])
    expect(await shown(fixture.guest)).toEqual([false, false, false])
    expect(await shown(server.root)).toEqual([true, true, true])
  })

  it('leaves out the epics of subgroups that the caller may not read', async () => {
    const { server, group, open, stranger, guest } = fixture
    const secret = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    const { iid } = await open({ title: 'Secret' }, undefined, secret)
    expect(await titles('')).toEqual(['Secret', ...all])
    expect(await titles('', guest)).toEqual(['Secret', ...all])
    expect(await titles('', stranger)).toEqual(all)
    expect(await titles('search=secret', stranger)).toEqual([])
    const member = await server.buildUser()
    await server.addMember(`groups/${secret.id}`, member.id, 10)
    expect(await titles('', member)).toEqual(['Secret', ...all])
    expect(await titles('search=secret', server.root)).toEqual(['Secret'])
    await fixture.call('DELETE', `/${iid}`, undefined, server.root, secret)
  })

  it('orders by the last change, also after a comment', async () => {
    const { server, group, reporter, open } = fixture
    const [first, second] = [await open({ title: 'First' }), await open({ title: 'Second' })]
    const newest = async () => {
      const { body } = await fixture.call('GET', '?order_by=updated_at&per_page=1')
      return body[0].title
    }
    expect(await newest()).toBe('Second')
    const path = `/groups/${group.id}/epics/${first.id}/notes`
    await server.inject('POST', path, { token: reporter.token, body: { body: 'Comment' } })
    expect(await newest()).toBe('First')
    for (const { iid } of [first, second]) {
      await fixture.call('DELETE', `/${iid}`, undefined, server.root)
    }
  })

  it('counts anew after a label is renamed or deleted, and after its author is', async () => {
    const { server, group, open } = fixture
    const { token } = server.root
    const author = await server.buildUser()
    await server.addMember(`groups/${group.id}`, author.id, 20)
    const { iid } = await open({ title: 'Counted', labels: 'also,counted' }, author)
    const total = async (query: string) =>
      (await fixture.call('GET', `?per_page=1&${query}`)).headers['x-total']
    const totals = async () => [
      await total('labels=also,counted'),
      await total('labels=also,renamed'),
      await total(`author_id=${author.id}`),
    ]
    expect(await totals()).toEqual(['1', '0', '1'])
    const labels = `/groups/${group.id}/labels`
    const rename = { name: 'counted', new_name: 'renamed' }
    expect((await server.inject('PUT', labels, { token, body: rename })).status).toBe(200)
    expect(await totals()).toEqual(['0', '1', '1'])
    await server.inject('DELETE', `${labels}?name=renamed`, { token })
    expect(await totals()).toEqual(['0', '0', '1'])
    expect((await server.inject('DELETE', `/users/${author.id}`, { token })).status).toBe(204)
    await server.runJobs()
    expect(await totals()).toEqual(['0', '0', '0'])
    expect((await fixture.call('GET', `/${iid}`)).body.author.username).toBe('ghost')
    await fixture.call('DELETE', `/${iid}`, undefined, server.root)
  })

  it('takes as many queries for 100 epics as for 20', async () => {
    const { server, subgroup, group, reporter, owner, open } = fixture
    for (let number = 0; number < 100; number += 1) {
      const [by, of] = number % 2 === 0 ? [reporter, group] : [owner, subgroup]
      await open({ title: `Bulk ${number}`, labels: `l${number % 7}` }, by, of)
    }
    const cost = async (query: string) => {
      await fixture.call('GET', query)
      const before = server.app.db.stats.queries
      const { body } = await fixture.call('GET', query)
      return { count: body.length, queries: server.app.db.stats.queries - before }
    }
    const few = await cost('?per_page=20')
    const many = await cost('?per_page=100')
    expect([few.count, many.count]).toEqual([20, 100])
    expect(many.queries).toBe(few.queries)
    expect(many.queries).toBeLessThanOrEqual(9)
    const found = await cost('?per_page=100&search=bulk&labels=l1')
    expect(found.queries).toBeLessThanOrEqual(few.queries + 1)
  })
})

describe('epics with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, shown, closed and removed', async () => {
    const { Epics } = new Gitlab({
      host: await fixture.server.url(),
      token: fixture.server.root.token,
    })
    const { id } = fixture.group
    const epic = await Epics.create(id, 'By a client', {
      labels: 'client',
      startDateIsFixed: true,
      startDateFixed: '2020-01-02',
    })
    expect(epic).toMatchObject({ title: 'By a client', start_date: '2020-01-02' })
    const listed = await Epics.all(id, { labels: 'client' })
    expect(listed.map((one) => one.id)).toEqual([epic.id])
    const closed = await Epics.edit(id, epic.iid, { stateEvent: 'close' })
    expect(closed.state).toBe('closed')
    expect((await Epics.show(id, epic.iid)).id).toBe(epic.id)
    const todo = await Epics.createTodo(id, epic.iid)
    expect(todo.target_type).toBe('Epic')
    await Epics.remove(id, epic.iid)
    await expect(Epics.show(id, epic.iid)).rejects.toThrow()
  })
})
