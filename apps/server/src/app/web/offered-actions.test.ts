/*
 * What pages offer to those who may not do it: nothing that ends in a refusal of the API.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { deleteUser } from '../../testing/delete-user.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

interface Fixture {
  fixture: MergeFixture
  path: string
  browser: WebBrowser
}

/** A project with a merge request and an issue, and a browser of a member with a level; 0 for no member. */
async function build(level: number, visibility = 'public'): Promise<Fixture> {
  const fixture = await buildMergeFixture(server, { visibility })
  const user = await server.buildUser()
  const { id, path_with_namespace: path } = fixture.project
  if (level > 0) await server.addMember(`projects/${id}`, user.id, level)
  const { token } = server.root
  for (const [endpoint, body] of [
    ['issues', { title: 'Issue' }],
    ['issues/1/notes', { body: 'Note' }],
    ['merge_requests/1/notes', { body: 'Note' }],
    ['environments', { name: 'production' }],
    ['repository/tags', { tag_name: 'v1', ref: 'main' }],
  ] as const) {
    const answer = await server.inject('POST', `/projects/${id}/${endpoint}`, { token, body })
    expect(answer.status).toBe(201)
  }
  return { fixture, path: `/${path}`, browser: await openBrowser(server, user) }
}

describe('pages of a project', () => {
  it('offer a reader no subscription to a merge request, which the API refuses', async () => {
    const { path, browser } = await build(0)
    const page = await browser.open(`${path}/-/merge_requests/1`)
    expect(page.texts('button')).not.toContain('Subscribe')
    expect(page.texts('button')).toContain('Add to-do')
  })

  it('offer a developer no changes of the comments of others on a merge request', async () => {
    const { path, browser } = await build(30)
    const page = await browser.open(`${path}/-/merge_requests/1`)
    expect(page.texts('.comment a')).not.toContain('Edit or delete')
  })

  it('lead a guest of a private project to nothing that they may not read', async () => {
    const { path, browser } = await build(10, 'private')
    const page = await browser.open(path)
    const tabs = page.document.querySelectorAll('.tabs a')
    for (const tab of tabs) {
      const address = tab.getAttribute('href') ?? ''
      expect([address, (await browser.open(address)).status]).toEqual([address, 200])
    }
    expect(page.texts('.tabs a')).not.toContain('Branches')
  })

  it('offer a maintainer no transfer, archiving and deletion, which owners do', async () => {
    const { path, browser } = await build(40)
    const page = await browser.open(`${path}/-/edit`)
    expect(page.texts('main button')).toContain('Change path')
    expect(page.texts('main button').join()).not.toMatch(/Transfer|Archive|Delete/)
    const owner = await openBrowser(server, server.root)
    const own = await owner.open(`${path}/-/edit`)
    expect(own.texts('main button').join()).toMatch(/Transfer.*Archive.*Delete/)
  })

  it('offer no changes of an archived project', async () => {
    const { fixture, path, browser } = await build(40)
    const { id } = fixture.project
    await server.inject('POST', `/projects/${id}/archive`, { token: server.root.token })
    const allowed =
      /^(?:Search|Filter|Go|Apply|Compare|Star|Fork|Copy|Subscribe|Add a? ?to-do|Sort|Viewed)/
    for (const page of [
      ...['', '/-/tree/main', '/-/blob/main/README.md', '/-/commits/main', '/-/commit/main'],
      ...['/-/branches', '/-/tags', '/-/releases', '/-/issues', '/-/issues/1', '/-/labels'],
      ...['/-/milestones', '/-/boards', '/-/snippets', '/-/wikis/home', '/-/environments'],
      ...['/-/merge_requests', '/-/merge_requests/1', '/-/merge_requests/1/diffs'],
    ]) {
      const { status, document } = await browser.open(path + page)
      expect([page, status]).toEqual([page, 200])
      const forms = document.querySelectorAll('main form[method=post]')
      const offered = forms.flatMap((form) => form.querySelectorAll('button'))
      const texts = offered.map(({ text }) => text.trim()).filter((text) => !allowed.test(text))
      expect([page, texts]).toEqual([page, []])
    }
    const list = await browser.open(`${path}/-/merge_requests`)
    expect(list.texts('main a')).not.toContain('New merge request')
    // A mark is the reader's own.
    const changes = await browser.open(`${path}/-/merge_requests/1/diffs`)
    const button = changes.document.querySelector('button.viewed')?.text ?? ''
    const viewed = await changes.press(button.replace(/\s+/g, ' ').trim())
    expect([viewed.status, viewed.texts('[data-viewed-count]')]).toEqual([200, ['1']])
    const settings = await browser.open(`${path}/-/settings/repository`)
    expect(settings.texts('.notice').join()).toContain('archived')
  })

  it('of an empty repository have links that work', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const browser = await openBrowser(server, server.root)
    const page = await browser.open(`/${project.path_with_namespace}`)
    for (const link of page.document.querySelectorAll('main a, .tabs a')) {
      const { pathname } = new URL(link.getAttribute('href') ?? '', 'http://stithy.test')
      expect([pathname, (await browser.open(pathname)).status]).toEqual([pathname, 200])
    }
  })

  it('show what a deleted user wrote, and their successor has a page', async () => {
    const { fixture, path, browser } = await build(0)
    const gone = await server.buildUser()
    const { token } = gone
    const { id } = fixture.project
    await server.inject('POST', `/projects/${id}/issues`, { token, body: { title: 'Left' } })
    await server.inject('POST', `/projects/${id}/issues/2/notes`, { token, body: { body: 'Bye' } })
    await deleteUser(server, gone.id)
    const page = await browser.open(`${path}/-/issues/2`)
    expect(page.texts('.comment .body')[0]).toContain('Bye')
    const author = page.document.querySelector('.comment .author')?.getAttribute('href') ?? ''
    expect(author).not.toContain(gone.username)
    expect((await browser.open(author)).status).toBe(200)
  })

  it('are closed to the session of a user who was blocked meanwhile', async () => {
    const user = await server.buildUser()
    const browser = await openBrowser(server, user)
    await server.inject('POST', `/users/${user.id}/block`, { token: server.root.token })
    expect((await browser.open('/projects')).address).toContain('/users/sign_in')
  })
})
