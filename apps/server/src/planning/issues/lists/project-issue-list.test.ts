import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../testing/test-server.ts'
import { buildListedIssues, type ListedIssues } from '../../../testing/worlds/listed-issues.ts'

let world: ListedIssues

beforeAll(async () => {
  world = await buildListedIssues()
})
afterAll(() => world.server.close())

describe('GET /projects/:id/issues', () => {
  const filtered = (query: string) => world.titles(`/projects/${world.project.id}/issues?${query}`)
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
    const path = `/projects/${world.other.id}/issues`
    const names = `assignee_username[]=${world.guest.username}`
    expect(await world.titles(`${path}?${names}`)).toEqual(['Assigned'])
    const more = `assignee_username[]=${world.reporter.username.toUpperCase()}`
    expect(await world.titles(`${path}?${names}&${more}`)).toEqual(['Assigned'])
    expect(await world.titles(`${path}?${names}&assignee_username[]=root`)).toEqual([])
    expect(await world.titles(`${path}?assignee_id=${world.guest.id}`)).toEqual(['Assigned'])
  })

  it('filters by the award emoji that the caller gave', async () => {
    const path = `/projects/${world.other.id}/issues`
    await world.post(`${path}/1/award_emoji`, { name: 'tada' }, world.guest)
    expect(await world.titles(`${path}?my_reaction_emoji=tada`, world.guest)).toEqual(['Assigned'])
    await world.post(`${path}/1/award_emoji`, { name: 'thumbsup' }, world.guest)
    expect(await world.titles(`${path}?my_reaction_emoji=%2B1`, world.guest)).toEqual(['Assigned'])
    expect(await world.titles(`${path}?my_reaction_emoji=any`, world.guest)).toEqual(['Assigned'])
    expect(await world.titles(`${path}?my_reaction_emoji=none`, world.guest)).toEqual(['Closed'])
    expect(await world.titles(`${path}?my_reaction_emoji=tada`, world.reporter)).toEqual([])
  })

  it('accepts inclusive time bounds', async () => {
    const { body } = await world.get(
      `/projects/${world.project.id}/issues?sort=asc`,
      world.reporter,
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
    const path = `/projects/${world.project.id}/issues?iids[]=1`
    const plain = (await world.get(path, world.reporter)).body[0]
    expect(plain.labels).toEqual(['bug', 'red'])
    expect(plain).toMatchObject({ iid: 1, project_id: world.project.id, weight: 3 })
    const full = (await world.get(`${path}&with_labels_details=true`, world.reporter)).body[0]
    expect(full.labels.map((label: Json) => label.name)).toEqual(['bug', 'red'])
    expect(full.labels[0]).toHaveProperty('text_color')
  })

  it('answers pages with the same total on each', async () => {
    const path = `/projects/${world.project.id}/issues?per_page=2`
    const [first, second] = [
      await world.get(path, world.reporter),
      await world.get(`${path}&page=2`, world.reporter),
    ]
    expect([first.body.length, second.body.length]).toEqual([2, 1])
    expect([first.headers['x-total'], second.headers['x-total']]).toEqual(['3', '3'])
  })

  it('answers 403 while issues are disabled, and 404 to callers who may not see the project', async () => {
    const quiet = await world.server.buildProject({
      visibility: 'public',
      issues_access_level: 'disabled',
    })
    expect((await world.get(`/projects/${quiet.id}/issues`, world.reporter)).status).toBe(403)
    const stranger = await world.server.buildUser()
    expect((await world.get(`/projects/${world.project.id}/issues`, stranger)).status).toBe(404)
  })
})
