/*
 * The same form sent twice at once, as by a double click without the script: what can be done once is done once,
 * and both presses lead to a page that makes sense. Issues and comments are created twice, as by two users who
 * write the same; the script keeps people from it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture
let browser: WebBrowser
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildMergeFixture(server)
  browser = await openBrowser(server, server.root)
  path = `/${fixture.project.path_with_namespace}`
})
afterAll(() => server.close())

/** Presses a button twice at once; returns the statuses and headings of both pages, sorted. */
async function pressTwice(
  address: string,
  button: string,
  values: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const page = await browser.open(address)
  const pages = await Promise.all([page.press(button, values), page.press(button, values)])
  return pages.map(({ status, heading }) => `${status} ${heading}`).sort()
}

async function read(endpoint: string): Promise<Json> {
  const own = `/projects/${fixture.project.id}`
  return (await server.inject('GET', own + endpoint, { token: server.root.token })).body
}

describe('a form that is sent twice at once', () => {
  it.each([
    ['/-/labels/new', 'Create label', { name: 'twice' }, ['200 Labels', '422 New label']],
    ['/-/milestones/new', 'Create milestone', { title: 'm' }, ['200 m', '422 New milestone']],
    ['/-/tags/new', 'Create tag', { tag_name: 'twice' }, ['200 Tags', '422 New tag']],
    [
      '/-/wikis/new',
      'Create page',
      { title: 'twice', content: 'x' },
      ['200 twice', '422 New page'],
    ],
  ])(
    '%s creates one thing, and is shown again for the second',
    async (page, button, values, found) => {
      expect(await pressTwice(path + page, button, values)).toEqual(found)
    },
  )

  it.each([
    ['/projects/new', 'Create project', ['200 twice', '422 New project']],
    ['/groups/new', 'Create group', ['200 t twice', '422 New group']],
  ])('%s creates one, and is shown again for the second', async (page, button, found) => {
    const more: Record<string, string> = page === '/groups/new' ? { path: 'twice' } : {}
    expect(await pressTwice(page, button, { name: 'twice', ...more })).toEqual(found)
  })

  it('stars a project once, and closes and opens an issue once', async () => {
    const { name } = fixture.project
    expect(await pressTwice(path, 'Star')).toEqual([`200 ${name}`, `200 ${name}`])
    expect((await read('')).star_count).toBe(1)
    await pressTwice(`${path}/-/issues/new`, 'Create issue', { title: 'Twice' })
    expect(await read('/issues')).toHaveLength(2)
    const same = ['200 Twice #1', '200 Twice #1']
    expect(await pressTwice(`${path}/-/issues/1`, 'Comment', { body: 'x' })).toEqual(same)
    expect(await pressTwice(`${path}/-/issues/1`, 'Comment and close')).toEqual(same)
    expect((await read('/issues/1')).state).toBe('closed')
    expect(await pressTwice(`${path}/-/issues/1`, 'Comment and reopen')).toEqual(same)
    const notes: { body: string; system: boolean }[] = await read('/issues/1/notes')
    const changes = notes.filter(({ system }) => system).map(({ body }) => body)
    expect(changes.sort()).toEqual(['closed', 'reopened'])
  })

  it('closes, opens and merges a merge request once', async () => {
    const address = `${path}/-/merge_requests/1`
    for (const button of ['Close merge request', 'Reopen merge request', 'Merge']) {
      const [one = '', other = ''] = await pressTwice(address, button)
      expect([button, one.slice(0, 3), other]).toEqual([button, '200', one])
    }
    expect((await read('/merge_requests/1')).state).toBe('merged')
    const commits: { title: string }[] = await read('/repository/commits?ref_name=main')
    expect(commits.filter(({ title }) => title.startsWith('Merge branch'))).toHaveLength(1)
  })

  it('deletes a project once', async () => {
    const project = await server.buildProject({ name: 'gone' })
    const own = `/${project.path_with_namespace}`
    const page = await browser.open(`${own}/-/edit`)
    const values = { confirmation: project.path_with_namespace }
    const press = () => page.press('Delete project', values)
    const pages = await Promise.all([press(), press()])
    expect(pages.map(({ status }) => status < 500)).toEqual([true, true])
    expect((await browser.open(own)).status).toBe(404)
  })
})
