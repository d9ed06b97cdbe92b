import { findMergeRequest } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildListedMergeRequests,
  type ListedMergeRequests,
} from '../../../testing/fixtures/listed-merge-requests.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: ListedMergeRequests
let path: string

beforeAll(async () => {
  fixture = await buildListedMergeRequests()
  path = `/projects/${fixture.project.id}/merge_requests`
})
afterAll(() => fixture.server.close())

describe('GET /projects/:id/merge_requests', () => {
  const all = ['WIP: Green', 'Blue lamp', 'Red lamp']
  const lamps = ['Blue lamp', 'Red lamp']

  it('accepts every filter in the forms that clients send', async () => {
    const rows: [string, string[]][] = [
      ['', all],
      ['state=opened', all],
      ['state=closed', []],
      ['state=merged', []],
      ['state=locked', []],
      ['state=all', all],
      ['iids[]=1&iids[]=2', lamps],
      ['iids=1,2', lamps],
      ['iids[]=7', []],
      ['labels=bug,red', ['Red lamp']],
      ['labels[]=bug&labels[]=red', ['Red lamp']],
      ['labels=', all],
      ['labels=None', ['WIP: Green']],
      ['labels=No+Label', ['WIP: Green']],
      ['labels=no%2Blabel', ['WIP: Green']],
      ['labels=ANY', lamps],
      ['labels=unknown', []],
      ['milestone=v1', ['Blue lamp']],
      ['milestone=none', ['WIP: Green', 'Red lamp']],
      ['milestone=Any', ['Blue lamp']],
      ['milestone=v2', []],
      ['scope=created_by_me', all],
      ['scope=assigned_to_me', []],
      ['author_id=1', []],
      [`author_id=${fixture.reporter.id}`, all],
      ['assignee_id=None', all],
      ['assignee_id=0', all],
      ['assignee_id=any', []],
      [`assignee_id=${fixture.guest.id}`, []],
      ['my_reaction_emoji=None', all],
      ['my_reaction_emoji=Any', []],
      ['wip=yes', ['WIP: Green']],
      ['wip=no', lamps],
      [`source_project_id=${fixture.project.id}`, all],
      [`source_project_id=${fixture.other.id}`, []],
      ['source_branch=red', ['Red lamp']],
      ['source_branch=RED', []],
      ['source_branch=', all],
      ['target_branch=stable', ['Blue lamp']],
      ['target_branch=main', ['WIP: Green', 'Red lamp']],
      ['source_branch=red&target_branch=stable', []],
      ['search=LAMP', all],
      ['search=lamp&in=title', lamps],
      ['search=lamp&in=description', ['WIP: Green']],
      ['search=lamp&in=title,description', all],
      ['search=lamp blue', ['Blue lamp']],
      ['sort=asc', all.toReversed()],
      ['order_by=created_at&sort=asc', all.toReversed()],
    ]
    for (const [query, expected] of rows) {
      const encoded = encodeURI(query).replaceAll('%252B', '%2B')
      expect(await fixture.titles(`${path}?${encoded}`), query).toEqual(expected)
    }
  })

  it('filters by assignee and by the award emoji that the caller gave', async () => {
    const { other, guest, reporter, server, titles, send } = fixture
    const base = `/projects/${other.id}/merge_requests`
    expect(await titles(`${base}?assignee_id=${guest.id}`)).toEqual(['Assigned'])
    expect(await titles(`${base}?assignee_id=Any`)).toEqual(['Assigned'])
    expect(await titles(`${base}?state=closed`)).toEqual(['Closed'])
    await send('POST', `${base}/1/award_emoji`, { name: 'thumbsup' })
    for (const name of ['thumbsup', '%2B1', 'any']) {
      expect(await titles(`${base}?my_reaction_emoji=${name}`, server.root)).toEqual(['Assigned'])
    }
    expect(await titles(`${base}?my_reaction_emoji=none`, server.root)).toEqual(['Closed'])
    expect(await titles(`${base}?my_reaction_emoji=thumbsup`, reporter)).toEqual([])
  })

  it('lists a locked merge request with state=locked', async () => {
    const { server, project } = fixture
    const setState = (state: string) =>
      server.app.db.run('test.lock', { projectId: project.id, iid: 1, state }, (db, $) =>
        db
          .updateTable('mergeRequests')
          .set({ state: $('state') as 'locked' })
          .where('projectId', '=', $('projectId'))
          .where('iid', '=', $('iid')),
      )
    // As a merge in progress does, but for the version of the list, which is not cached yet.
    await setState('locked')
    expect(await fixture.titles(`${path}?state=locked&sort=asc&iids[]=1`)).toEqual(['Red lamp'])
    await setState('opened')
  })

  it('accepts inclusive time bounds, and orders by the last change', async () => {
    const { get, titles } = fixture
    const { body } = await get(`${path}?sort=asc`)
    const [first, second] = body.map((request: Json) => request.created_at)
    expect(await titles(`${path}?created_after=${second}`)).toEqual(['WIP: Green', 'Blue lamp'])
    expect(await titles(`${path}?created_before=${first}`)).toEqual(['Red lamp'])
    const both = `created_after=${second}&created_before=${second}`
    expect(await titles(`${path}?${both}`)).toEqual(['Blue lamp'])
    fixture.server.advance(1000)
    await fixture.send('PUT', `${path}/1`, { title: 'Red lamp', description: 'Changed' })
    const order = 'order_by=updated_at'
    expect(await titles(`${path}?${order}`)).toEqual(['Red lamp', 'Blue lamp', 'WIP: Green'])
    const { updated_at: changed } = (await get(`${path}/1`)).body
    expect(await titles(`${path}?updated_after=${changed}`)).toEqual(['Red lamp'])
    expect(await titles(`${path}?updated_before=${body[2].updated_at}`)).toEqual(['WIP: Green'])
  })

  it('orders equal times by id, newest first, in both directions', async () => {
    const { server, other } = fixture
    const { createdAt } = (await findMergeRequest(server.app.db, {
      projectId: other.id,
      iid: 1,
    })) ?? { createdAt: 0 }
    await server.app.db.run('test.tie', { projectId: other.id, createdAt }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ createdAt: $('createdAt') })
        .where('projectId', '=', $('projectId')),
    )
    for (const sort of ['asc', 'desc']) {
      const base = `/projects/${other.id}/merge_requests`
      expect(await fixture.titles(`${base}?sort=${sort}`)).toEqual(['Closed', 'Assigned'])
    }
  })

  it('shows labels as names, or in full with with_labels_details', async () => {
    const plain = (await fixture.get(`${path}?iids[]=1`)).body[0]
    expect(plain.labels).toEqual(['bug', 'red'])
    const full = (await fixture.get(`${path}?iids[]=1&with_labels_details=true`)).body[0]
    expect(full.labels.map((label: Json) => label.name)).toEqual(['bug', 'red'])
    expect(full.labels[0]).toHaveProperty('text_color')
  })

  it('returns a reduced shape with view=simple, and does not compute the merge status', async () => {
    const { server, project, repository } = fixture
    await repository.commitTo('plain', { 'plain.txt': 'x\n' }, 'Plain')
    await repository.git('push', repository.remote, 'plain')
    const made = await server.buildMergeRequest(project as { id: number }, 'plain', 'main', {
      title: 'Plain',
    })
    const query = `source_branch=plain`
    const { status, body, headers } = await fixture.get(`${path}?${query}&view=simple`)
    expect([status, headers['x-total']]).toEqual([200, '1'])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body).toEqual([
      {
        id: made.id,
        iid: made.iid,
        project_id: project.id,
        title: 'Plain',
        description: null,
        state: 'opened',
        created_at: time,
        updated_at: time,
        web_url: `http://stithy.test/${project.path_with_namespace}/merge_requests/${made.iid}`,
      },
    ])
    const stored = () => findMergeRequest(server.app.db, { projectId: project.id, iid: made.iid })
    expect((await stored())?.mergeStatus).toBe('unchecked')
    expect((await fixture.get(`${path}?${query}`)).body[0].merge_status).toBe('can_be_merged')
    await fixture.send('DELETE', `${path}/${made.iid}`, {})
  })

  it('returns pages with the same total on each', async () => {
    const pages = await Promise.all(
      [1, 2].map((page) => fixture.get(`${path}?per_page=2&page=${page}`)),
    )
    expect(pages.map(({ body }) => body.length)).toEqual([2, 1])
    expect(pages.map(({ headers }) => headers['x-total'])).toEqual(['3', '3'])
  })

  it('returns 403 to guests and while merge requests are disabled, 404 where the project is hidden, 401 without a token', async () => {
    const { server, get, guest, reporter } = fixture
    expect((await get(path, guest)).status).toBe(403)
    expect((await get(`${path}/1`, guest)).status).toBe(403)
    expect((await get(`${path}/1/notes`, guest)).status).toBe(404)
    const quiet = await server.buildProject({
      visibility: 'public',
      merge_requests_access_level: 'disabled',
    })
    expect((await get(`/projects/${quiet.id}/merge_requests`, reporter)).status).toBe(403)
    expect((await get(path, await server.buildUser())).status).toBe(404)
    expect((await server.inject('GET', path)).status).toBe(401)
  })
})
