import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { commit, mustGit } from '../../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let built: PushedProject
let maintainer: WebBrowser
let visitor: WebBrowser
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(server)
  await mustGit(built.tree, 'checkout', '--quiet', '-b', 'topic/ü')
  await commit(built.tree, { b: 'b\n' }, 'Ahead <b>')
  await built.push('topic/ü')
  const user = await server.buildUser()
  await server.addMember(`projects/${built.project.id}`, user.id, 40)
  path = `/${built.project.path_with_namespace}`
  maintainer = await openBrowser(server, user)
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

describe('/<project>/-/branches', () => {
  it('lists branches with how far they are from the default branch', async () => {
    const page = await visitor.open(`${path}/-/branches`)
    expect(page.texts('.rows .title')).toEqual(['topic/ü', 'main'])
    expect(page.texts('.ahead .hidden')).toEqual(['1 ahead, 0 behind main'])
    expect(page.texts('.rows .badge')).toEqual(['default', 'protected'])
    expect(page.texts('.rows .details')[0]).toContain('Ahead <b>')
    expect(page.texts('button')).not.toContain('Delete')
  })

  it('finds branches by a part of their name', async () => {
    const page = await visitor.open(`${path}/-/branches?search=OPIC`)
    expect(page.texts('.rows .title')).toEqual(['topic/ü'])
    const none = await visitor.open(`${path}/-/branches?search=nothing`)
    expect(none.texts('.empty h2')).toEqual(['No such branches'])
  })

  it('creates a branch, and deletes it after a question', async () => {
    const form = await maintainer.open(`${path}/-/branches/new`)
    const created = await form.press('Create branch', { branch: 'new/one', ref: 'topic/ü' })
    expect(created.address).toBe(`${path}/-/tree/new/one`)
    const list = await maintainer.open(`${path}/-/branches`)
    const deleted = await list.press('Delete new/one: confirm')
    expect(deleted.texts('.rows .title')).not.toContain('new/one')
  })

  it('refuses a name that is taken or invalid, with what was typed', async () => {
    const form = await maintainer.open(`${path}/-/branches/new`)
    for (const branch of ['main', 'a..b "><script>']) {
      const page = await form.press('Create branch', { branch })
      expect([page.status, page.document.getElementById('branch')?.getAttribute('value')]).toEqual([
        422,
        branch,
      ])
      expect(page.text).not.toContain('"><script>')
    }
  })
})

describe('/<project>/-/tags', () => {
  it('is empty at first, and says what a tag is', async () => {
    const page = await visitor.open(`${path}/-/tags`)
    expect(page.texts('.empty h2')).toEqual(['No tags yet'])
  })

  it('creates a tag with a message, lists and deletes it', async () => {
    const form = await maintainer.open(`${path}/-/tags/new`)
    const list = await form.press('Create tag', { tag_name: 'v0/x', message: 'Old <b>\n\nmore' })
    expect(list.texts('.rows .title')).toEqual(['v0/x'])
    expect(list.texts('.rows .details')[0]).toContain('Old <b>')
    expect((await visitor.open(`${path}/-/tags/v0/x`)).address).toBe(`${path}/-/tree/v0/x`)
    const again = await form.press('Create tag', { tag_name: 'v0/x' })
    expect([
      again.status,
      again.document.getElementById('tag_name')?.getAttribute('value'),
    ]).toEqual([422, 'v0/x'])
    const deleted = await list.press('Delete v0/x: confirm')
    expect(deleted.texts('.rows .title')).toEqual([])
  })
})

describe('/<project>/-/releases', () => {
  it('says what a release is while there is none', async () => {
    const page = await visitor.open(`${path}/-/releases`)
    expect(page.texts('.empty h2')).toEqual(['No releases yet'])
  })

  it('creates, shows, edits and deletes a release with links', async () => {
    const form = await maintainer.open(`${path}/-/releases/new`)
    const shown = await form.press('Create release', {
      tag_name: 'v1/rc',
      ref: 'main',
      name: 'First <b>',
      description: '**New**',
    })
    expect(shown.address).toBe(`${path}/-/releases/v1/rc`)
    expect(shown.heading).toBe('First <b>')
    expect(shown.texts('.prose strong')).toEqual(['New'])
    expect(shown.texts('section section li')).toHaveLength(4)
    const edit = await shown.follow('Edit')
    const linked = await edit.press('Add link', {
      'link-name': 'Binary',
      'link-url': 'https://example.com/x',
    })
    expect(linked.texts('.rows .details')).toEqual(['https://example.com/x'])
    const refused = await linked.press('Add link', {
      'link-name': 'Bad',
      'link-url': 'javascript:alert(1)',
    })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('link-url')?.getAttribute('value')).toBe(
      'javascript:alert(1)',
    )
    const saved = await linked.press('Save changes', { name: 'Second' })
    expect(saved.heading).toBe('Second')
    expect((await visitor.open(`${path}/-/releases`)).texts('.card h2')).toEqual(['Second'])
    const again = await saved.follow('Edit')
    const list = await again.press('Delete release')
    expect(list.texts('.empty h2')).toEqual(['No releases yet'])
    expect((await visitor.open(`${path}/-/tags`)).texts('.rows .title')).toEqual(['v1/rc'])
  })

  it('refuses a release of a tag that has one, with what was typed', async () => {
    const form = await maintainer.open(`${path}/-/releases/new`)
    await form.press('Create release', { tag_name: 'v2', ref: 'main' })
    const page = await form.press('Create release', { tag_name: 'v2', description: 'typed' })
    expect([page.status, page.document.getElementById('description')?.text.trim()]).toEqual([
      422,
      'typed',
    ])
  })
})
