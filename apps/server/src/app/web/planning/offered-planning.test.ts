/*
 * What pages of labels, milestones, issues and boards offer: nothing that the API refuses.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  group = await server.buildGroup({ visibility: 'public' }, owner)
  project = await server.buildProject({ namespace_id: group.id, visibility: 'public' }, owner)
})
afterAll(() => server.close())

async function post(at: string, body: object, { token } = owner): Promise<Json> {
  const answer = await server.inject('POST', at, { token, body })
  expect([at, answer.status]).toEqual([at, 201])
  return answer.body
}

async function member(at: string, level: number): Promise<WebBrowser> {
  const user = await server.buildUser()
  await server.addMember(at, user.id, level)
  return openBrowser(server, user)
}

describe('GET …/-/milestones/:iid', () => {
  it.each(['project', 'group'])('of a %s offers changes to developers alone', async (kind) => {
    const [api, page] =
      kind === 'project'
        ? [`projects/${project.id}`, `/${project.path_with_namespace}/-`]
        : [`groups/${group.id}`, `/groups/${group.full_path}/-`]
    const { iid } = await post(`/${api}/milestones`, { title: `1.0 of a ${kind}` })
    const offered = async (level: number) => {
      const browser = await member(api, level)
      const shown = await browser.open(`${page}/milestones/${iid}`)
      const list = await browser.open(`${page}/milestones`)
      return [shown.texts('main .heading').join(), list.texts('main .heading').join()]
    }
    const [reporter, reporterList] = await offered(20)
    expect(reporter).not.toMatch(/Edit|Close|Promote|Delete/)
    expect(reporterList).not.toContain('New milestone')
    const [developer, developerList] = await offered(30)
    expect(developer).toMatch(/Edit.*Close.*Delete/)
    // A member of the project alone may not change the milestones of its group.
    expect(developer).not.toContain('Promote')
    expect(developerList).toContain('New milestone')
  })

  it('offers to promote one to those who may do it in the group', async () => {
    const { iid } = await post(`/projects/${project.id}/milestones`, { title: 'Wide' })
    const developer = await member(`groups/${group.id}`, 30)
    const page = await developer.open(`/${project.path_with_namespace}/-/milestones/${iid}`)
    expect((await page.press('Promote')).status).toBe(200)
  })
})

describe('GET …/-/labels', () => {
  it('offers to promote one to maintainers of the group alone', async () => {
    await post(`/projects/${project.id}/labels`, { name: 'risen', color: '#111111' })
    const list = `/${project.path_with_namespace}/-/labels`
    for (const [at, level] of [
      [`groups/${group.id}`, 30],
      [`projects/${project.id}`, 40],
    ] as const) {
      const page = await (await member(at, level)).open(list)
      expect(page.texts('.rows summary')).toContain('Delete')
      expect(page.texts('.rows summary')).not.toContain('Promote')
    }
    const page = await (await member(`groups/${group.id}`, 40)).open(list)
    expect((await page.press('Promote risen: confirm')).status).toBe(200)
  })

  it('offers changes of the labels of a subgroup, not of those of the groups above', async () => {
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' }, owner)
    const above = await post(`/groups/${group.id}/labels`, { name: 'above', color: '#111111' })
    const browser = await openBrowser(server, owner)
    const list = `/groups/${below.full_path}/-/labels`
    const empty = await browser.open(list)
    expect(empty.texts('.rows .label')).toEqual([])
    await post(`/groups/${below.id}/labels`, { name: 'below', color: '#111111' })
    const own = await browser.open(list)
    expect(own.texts('.rows .label')).toEqual(['below'])
    expect(own.texts('.rows summary')).toEqual(['Delete'])
    const all = await own.follow('All')
    expect(all.texts('.rows .label')).toEqual(expect.arrayContaining(['above', 'below']))
    expect(all.texts('.rows summary, .rows a.button')).toEqual([])
    expect((await all.press('Subscribe to above')).status).toBe(200)
    // Who changes none sees all of them at once.
    const guest = await (await member(`groups/${below.id}`, 10)).open(list)
    expect(guest.texts('.rows .label')).toEqual(all.texts('.rows .label'))
    const places = [list, `/${project.path_with_namespace}/-/labels`]
    for (const each of places) {
      expect((await browser.open(`${each}/${above.id}/edit`)).status).toBe(404)
    }
  })
})
