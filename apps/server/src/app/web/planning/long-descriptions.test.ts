/*
 * Long descriptions of issues, merge requests, epics and their milestones: pages of lists read none of them, and lists
 * of the API read one at a time.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../../testing/clients/calls.ts'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildMergeFixture, type MergeFixture } from '../../../testing/git/merge-fixture.ts'
import { recordLongTexts } from '../../../testing/long-text-reads.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

const long = `Needle\n${'Lorem ipsum dolor sit amet. '.repeat(3000)}`
/** Cut within its last character. */
const short = `Short needle ${'x'.repeat(10)}😀`

let server: TestServer
let fixture: MergeFixture
let browser: WebBrowser
let group: Json
let epic: Json
let milestone: Json

beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup({ visibility: 'public' })
  fixture = await buildMergeFixture(server, { namespace_id: group.id })
  browser = await openBrowser(server, server.root)
  const path = `/projects/${fixture.project.id}`
  milestone = await created(server, `${path}/milestones`, { title: 'Soon', description: long })
  const planned = { milestone_id: milestone.id, assignee_ids: [server.root.id] }
  const ids: number[] = []
  for (const description of [long, `${long}!`, short]) {
    // The page of one that is short must read no other long description either.
    const fields = description === short ? {} : planned
    const issue = await created(server, `${path}/issues`, { title: 'I', description, ...fields })
    ids.push(issue.id)
  }
  await created(server, `${path}/issues/3/links`, {
    target_project_id: fixture.project.id,
    target_issue_iid: 1,
  })
  await fixture.call('PUT', '', { description: `${long} closes #3`, ...planned })
  epic = await created(server, `/groups/${group.id}/epics`, { title: 'E', description: long })
  await created(server, `/groups/${group.id}/epics`, { title: 'Parent' })
  await created(server, `/groups/${group.id}/epics/2/issues/${ids[0]}`, {})
  await created(server, `/groups/${group.id}/epics/2/epics/${epic.id}`, {})
  await server.runJobs()
})
afterAll(() => server.close())

/** How many long texts each query has read. */
const read = recordLongTexts(() => server, long.length)

describe('pages of lists', () => {
  const project = () => `/${fixture.project.path_with_namespace}/-`
  it.each([
    ['issues of a project', () => `${project()}/issues`],
    ['issues of a group', () => `/groups/${group.full_path}/-/issues`],
    ['own issues', () => '/dashboard/issues'],
    ['merge requests', () => `${project()}/merge_requests`],
    ['epics', () => `/groups/${group.full_path}/-/epics`],
    ['a board', () => `${project()}/boards`],
    ['milestones', () => `${project()}/milestones`],
    ['what an issue is linked with', () => `${project()}/issues/3`],
    ['child epics', () => `/groups/${group.full_path}/-/epics/2`],
    ['home', () => '/'],
    ['todos', () => '/dashboard/todos'],
    ['issues that are found', () => '/search?scope=issues&search=short+needle'],
  ])('of %s read no long description', async (_, address) => {
    const page = await browser.open(address())
    expect(page.status).toBe(200)
    expect(read).toEqual([])
  })

  it('of a milestone read its description for each of their calls', async () => {
    const page = await browser.open(`${project()}/milestones/${milestone.iid}`)
    expect(page.status).toBe(200)
    expect(read).toEqual([1, 1, 1])
  })

  it('of what is found show where the words are in a short description', async () => {
    const page = await browser.open('/search?scope=issues&search=needle')
    expect(page.texts('main .rows').join()).toContain('Short needle')
  })
})

/** The descriptions of an item, or of what a todo is about, and of its milestone. */
function descriptionsOf(item: Json): string[] {
  const { description, milestone } = item.target ?? item
  return [description ?? '', milestone?.description ?? '']
}

describe('a text that mentions items', () => {
  it('is written without reading their long descriptions', async () => {
    const own = `/projects/${fixture.project.id}`
    const fields = { title: 'S', file_name: 'a', content: 'a', visibility: 'public' }
    const snippet = await created(server, `${own}/snippets`, { ...fields, description: long })
    read.length = 0
    const body = `See #1, #2, !1, $${snippet.id} and ${group.full_path}&1\n/relate #1`
    await created(server, `${own}/issues/3/notes`, { body })
    expect(read).toEqual([])
    const notes = await server.inject('GET', `${own}/issues/2/notes`, { token: server.root.token })
    expect(notes.body.map((note: Json) => note.body)).toContain('mentioned in issue #3')
  })
})

describe('lists of the API', () => {
  const paths: [string, () => string][] = [
    ['issues', () => `/projects/${fixture.project.id}/issues`],
    ['issues of a group', () => `/groups/${group.id}/issues`],
    ['merge requests', () => `/projects/${fixture.project.id}/merge_requests`],
    ['merge requests, in short,', () => `/merge_requests?view=simple&scope=all`],
    ['epics', () => `/groups/${group.id}/epics`],
    ['issues of an epic', () => `/groups/${group.id}/epics/2/issues`],
    ['todos', () => '/todos'],
    ['child epics', () => `/groups/${group.id}/epics/2/epics`],
    ['linked issues', () => `/projects/${fixture.project.id}/issues/3/links`],
    [
      'issues of a milestone',
      () => `/projects/${fixture.project.id}/milestones/${milestone.id}/issues`,
    ],
    [
      'merge requests of a milestone',
      () => `/projects/${fixture.project.id}/milestones/${milestone.id}/merge_requests`,
    ],
    ['milestones', () => `/projects/${fixture.project.id}/milestones`],
    ['milestones that are found', () => `/search?scope=milestones&search=needle`],
    ['issues that are found', () => `/search?scope=issues&search=needle`],
    ['merge requests that are found', () => `/search?scope=merge_requests&search=needle`],
    [
      'merge requests that close an issue',
      () => `/projects/${fixture.project.id}/issues/3/closed_by`,
    ],
  ]
  const get = (path: string, headers = {}) =>
    server.inject('GET', path, { token: server.root.token, headers })

  /** The milestone of a path is read with its description. */
  const ofPath = (path: string) => (path.includes('/milestones/') ? [1] : [])

  it.each(paths)('of %s have whole descriptions, read one at a time', async (_, path) => {
    const { status, body } = await get(path())
    expect(status).toBe(200)
    const texts: string[] = body.flatMap(descriptionsOf)
    const whole = texts.filter((text) => text.length >= long.length)
    expect(whole.length).toBeGreaterThan(0)
    expect(read).toEqual([...ofPath(path()), ...whole.map(() => 1)])
  })

  it.each(paths)('of %s cut descriptions to `max_description_length`', async (_, path) => {
    const separator = path().includes('?') ? '&' : '?'
    const cut = async (length: number): Promise<string[]> => {
      const { body } = await get(`${path()}${separator}max_description_length=${length}`)
      return body.flatMap(descriptionsOf)
    }
    expect((await cut(0)).every((text) => text === '')).toBe(true)
    expect(read).toEqual(ofPath(path()))
    expect(await cut(6)).toContain('Needle')
  })

  it('cut no character', async () => {
    const path = `/projects/${fixture.project.id}/issues?max_description_length=24`
    expect((await get(path)).body[0].description).toBe(short.slice(0, 23))
    expect((await get(`${path}5`)).body[0].description).toBe(short)
    expect((await get(`${path}&max_description_length=-1`)).status).toBe(400)
  })

  it('of boards have the whole descriptions of milestones', async () => {
    const boards = `/projects/${fixture.project.id}/boards`
    const board = await created(server, boards, { name: 'Plan' })
    await created(server, `${boards}/${board.id}/lists`, { milestone_id: milestone.id })
    read.length = 0
    const { body } = await get(boards)
    const lists = body.flatMap(({ lists }: Json) => lists)
    expect(lists.map((list: Json) => list.milestone?.description)).toEqual([long])
    expect(read).toEqual([1])
  })

  it('have an entity tag that changes with a description', async () => {
    const path = `/projects/${fixture.project.id}/issues`
    const { headers } = await get(path)
    const unchanged = { 'if-none-match': headers.etag ?? '' }
    expect((await get(path, unchanged)).status).toBe(304)
    const body = { description: `${long.slice(0, -1)}?!` }
    await server.inject('PUT', `${path}/2`, { token: server.root.token, body })
    expect((await get(path, unchanged)).status).toBe(200)
  })
})
