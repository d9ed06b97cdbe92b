import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListedIssues, type ListedIssues } from '../../../testing/fixtures/listed-issues.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: ListedIssues

beforeAll(async () => {
  fixture = await buildListedIssues()
})
afterAll(() => fixture.server.close())

describe('GET /projects/:id/issues', () => {
  const filtered = (query: string) =>
    fixture.titles(`/projects/${fixture.project.id}/issues?${query}`)
  const both = ['Blue lamp', 'Red lamp']

  it('accepts every filter in the forms that clients send', async () => {
    const rows: [string, string[]][] = [
      ['state=opened', ['Hidden', ...both]],
      ['state=closed', []],
      ['state=all', ['Hidden', ...both]],
      ['labels=bug,red', ['Red lamp']],
      ['labels[]=bug&labels[]=red', ['Red lamp']],
      ['labels=bug, red', ['Red lamp']],
      ['labels=', ['Hidden', ...both]],
      ['labels=None', ['Hidden']],
      ['labels=none', ['Hidden']],
      ['labels=No+Label', ['Hidden']],
      ['labels=no%2Blabel', ['Hidden']],
      ['labels=ANY', both],
      ['labels=unknown', []],
      ['milestone=v1', ['Blue lamp']],
      ['milestone=none', ['Hidden', 'Red lamp']],
      ['milestone=Any', ['Blue lamp']],
      ['milestone=v2', []],
      ['author_username=root', []],
      ['author_username=nobody', []],
      ['assignee_id=None', ['Hidden', ...both]],
      ['assignee_id=0', ['Hidden', ...both]],
      ['assignee_id=any', []],
      ['assignee_username=nobody', []],
      ['weight=3', ['Red lamp']],
      ['weight=None', ['Hidden', 'Blue lamp']],
      ['weight=any', ['Red lamp']],
      ['iids[]=1&iids[]=2', both],
      ['iids=1,2', both],
      ['iids[]=7', []],
      ['search=LAMP', ['Hidden', ...both]],
      ['search=lamp&in=title', both],
      ['search=lamp&in=description', ['Hidden']],
      ['search=lamp&in=title,description', ['Hidden', ...both]],
      ['search=lamp blue', ['Blue lamp']],
      ['confidential=true', ['Hidden']],
      ['confidential=false', both],
      ['my_reaction_emoji=None', ['Hidden', ...both]],
      ['my_reaction_emoji=Any', []],
      ['sort=asc', ['Red lamp', 'Blue lamp', 'Hidden']],
      ['order_by=updated_at&sort=asc', ['Red lamp', 'Blue lamp', 'Hidden']],
    ]
    for (const [query, expected] of rows) {
      expect(await filtered(encodeURI(query).replaceAll('%252B', '%2B')), query).toEqual(expected)
    }
  })

  it('accepts several assignees, all of whom must be assigned', async () => {
    const path = `/projects/${fixture.other.id}/issues`
    const names = `assignee_username[]=${fixture.guest.username}`
    expect(await fixture.titles(`${path}?${names}`)).toEqual(['Assigned'])
    const more = `assignee_username[]=${fixture.reporter.username.toUpperCase()}`
    expect(await fixture.titles(`${path}?${names}&${more}`)).toEqual(['Assigned'])
    expect(await fixture.titles(`${path}?${names}&assignee_username[]=root`)).toEqual([])
    expect(await fixture.titles(`${path}?assignee_id=${fixture.guest.id}`)).toEqual(['Assigned'])
  })

  it('filters by the award emoji that the caller gave', async () => {
    const path = `/projects/${fixture.other.id}/issues`
    await fixture.post(`${path}/1/award_emoji`, { name: 'tada' }, fixture.guest)
    expect(await fixture.titles(`${path}?my_reaction_emoji=tada`, fixture.guest)).toEqual([
      'Assigned',
    ])
    await fixture.post(`${path}/1/award_emoji`, { name: 'thumbsup' }, fixture.guest)
    expect(await fixture.titles(`${path}?my_reaction_emoji=%2B1`, fixture.guest)).toEqual([
      'Assigned',
    ])
    expect(await fixture.titles(`${path}?my_reaction_emoji=any`, fixture.guest)).toEqual([
      'Assigned',
    ])
    expect(await fixture.titles(`${path}?my_reaction_emoji=none`, fixture.guest)).toEqual([
      'Closed',
    ])
    expect(await fixture.titles(`${path}?my_reaction_emoji=tada`, fixture.reporter)).toEqual([])
  })

  it('accepts inclusive time bounds', async () => {
    const { body } = await fixture.get(
      `/projects/${fixture.project.id}/issues?sort=asc`,
      fixture.reporter,
    )
    const [first, second] = body.map((issue: Json) => issue.created_at)
    expect(await filtered(`created_after=${second}`)).toEqual(['Hidden', 'Blue lamp'])
    expect(await filtered(`created_before=${first}`)).toEqual(['Red lamp'])
    expect(await filtered(`created_after=${second}&created_before=${second}`)).toEqual([
      'Blue lamp',
    ])
    const changed = body[2].updated_at
    expect(await filtered(`updated_after=${changed}`)).toEqual(['Hidden'])
    expect(await filtered(`updated_before=${changed}`)).toEqual(['Hidden', ...both])
    expect(await filtered('created_before=2001-01-01')).toEqual([])
  })

  it('shows labels as names, or in full with with_labels_details', async () => {
    const path = `/projects/${fixture.project.id}/issues?iids[]=1`
    const plain = (await fixture.get(path, fixture.reporter)).body[0]
    expect(plain.labels).toEqual(['bug', 'red'])
    expect(plain).toMatchObject({ iid: 1, project_id: fixture.project.id, weight: 3 })
    const full = (await fixture.get(`${path}&with_labels_details=true`, fixture.reporter)).body[0]
    expect(full.labels.map((label: Json) => label.name)).toEqual(['bug', 'red'])
    expect(full.labels[0]).toHaveProperty('text_color')
  })

  it('returns pages with the same total on each', async () => {
    const path = `/projects/${fixture.project.id}/issues?per_page=2`
    const [first, second] = [
      await fixture.get(path, fixture.reporter),
      await fixture.get(`${path}&page=2`, fixture.reporter),
    ]
    expect([first.body.length, second.body.length]).toEqual([2, 1])
    expect([first.headers['x-total'], second.headers['x-total']]).toEqual(['3', '3'])
  })

  it('returns 403 while issues are disabled, and 404 to callers who may not see the project', async () => {
    const quiet = await fixture.server.buildProject({
      visibility: 'public',
      issues_access_level: 'disabled',
    })
    expect((await fixture.get(`/projects/${quiet.id}/issues`, fixture.reporter)).status).toBe(403)
    const stranger = await fixture.server.buildUser()
    expect((await fixture.get(`/projects/${fixture.project.id}/issues`, stranger)).status).toBe(404)
  })
})
