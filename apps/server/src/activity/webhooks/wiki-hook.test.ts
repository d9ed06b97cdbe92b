/**
 * What holds of wiki page hooks (`wiki_page_events`):
 * - one event for each page that the API or a push creates, updates or deletes; a rename by the API
 *   is one update
 * - `user`, `project`, `wiki`, `object_attributes` with `title`, `content`, `format`, `message`,
 *   `slug`, `url` and `action`
 * - hooks of groups receive them; a test sends the first page
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import {
  type HookedProject,
  type HookFixture,
  startHookFixture,
} from '../../testing/fixtures/hook-fixture.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: HookFixture
let built: HookedProject
let base: string

beforeAll(async () => {
  fixture = await startHookFixture()
})
afterAll(() => fixture.close())

beforeEach(async () => {
  built = await fixture.buildProject()
  base = `/projects/${built.project.id}/wikis`
})

const listen = () => built.hook({ push_events: false, wiki_page_events: true })

const call = (method: string, path: string, body?: Json) =>
  fixture.server.inject(method, path, { token: fixture.server.root.token, body })

const attributes = (bodies: Json[]) => bodies.map(({ object_attributes }) => object_attributes)

describe('a wiki page hook', () => {
  it('has the page, the wiki, the project and the user', async () => {
    await listen()
    const { server, receiver } = fixture
    await created(server, base, { title: 'guides/My page', content: '# Hi ![x](uploads/x.png)' })
    await server.runJobs()
    expect(receiver.received[0]?.headers['x-gitlab-event']).toBe('Wiki Page Hook')
    const { path_with_namespace: path, web_url } = built.project
    expect(await fixture.delivered()).toEqual([
      {
        object_kind: 'wiki_page',
        user: { name: expect.any(String), username: 'root', avatar_url: null },
        project: expect.objectContaining({
          path_with_namespace: path,
          web_url,
          http_url: `${web_url}.git`,
        }),
        wiki: {
          web_url: `${web_url}/wikis/home`,
          git_ssh_url: `git@stithy.test:${path}.wiki.git`,
          git_http_url: `${web_url}.wiki.git`,
          path_with_namespace: `${path}.wiki`,
          default_branch: 'master',
        },
        object_attributes: {
          title: 'My page',
          content: '# Hi ![x](uploads/x.png)',
          format: 'markdown',
          message: 'root created page: My page',
          slug: 'guides/My-page',
          url: `${web_url}/wikis/guides/My-page`,
          action: 'create',
        },
      },
    ])
  })

  it('is sent for updates, renames and deletions by the API', async () => {
    await created(fixture.server, base, { title: 'a', content: 'one' })
    await fixture.server.runJobs()
    await listen()
    await call('PUT', `${base}/a`, { content: 'two' })
    await call('PUT', `${base}/a`, { content: 'two', title: 'b' })
    await call('DELETE', `${base}/b`)
    const of = (action: string, slug: string, message: string) =>
      expect.objectContaining({ action, slug, content: 'two', message })
    // Bodies are built by jobs of their own, which may overtake each other.
    const sent = attributes(await fixture.delivered()).toSorted((one: Json, other: Json) =>
      one.message < other.message ? -1 : 1,
    )
    expect(sent).toEqual([
      of('delete', 'b', 'root deleted page: b'),
      of('update', 'a', 'root updated page: a'),
      of('update', 'b', 'root updated page: b'),
    ])
    // Attachments are no pages.
    const form = new FormData()
    form.set('file', new Blob(['x']), 'x.md')
    const url = `${await fixture.server.url()}/api/v4${base}/attachments`
    const headers = { 'private-token': fixture.server.root.token }
    expect((await fetch(url, { method: 'POST', body: form, headers })).status).toBe(201)
    expect(await fixture.delivered()).toEqual([])
  })

  it('is sent for each page that a push to the branch of the pages changes', async () => {
    await listen()
    const { server } = fixture
    const { username, token } = server.root
    const path = `${built.project.path_with_namespace}.wiki`
    const remote = remoteUrl(await server.url(), path, username, token)
    const tree = await buildWorkTree({ 'a.md': 'a', 'b.rdoc': 'b', 'c.txt': 'c' })
    await mustGit(tree, 'push', '--quiet', remote, 'main')
    const of = (bodies: Json[]) =>
      attributes(bodies)
        .map(({ action, slug, format, message, content }: Json) =>
          [action, slug, format, message.trim(), content].join(' '),
        )
        .sort()
    expect(of(await fixture.delivered())).toEqual([
      'create a markdown Initial commit a',
      'create b rdoc Initial commit b',
    ])
    await commit(tree, { 'a.md': 'new' }, 'Change')
    await mustGit(tree, 'rm', '--quiet', 'b.rdoc')
    await mustGit(tree, 'commit', '--quiet', '-m', 'Remove b')
    await mustGit(tree, 'push', '--quiet', remote, 'main', 'main:topic')
    expect(of(await fixture.delivered())).toEqual([
      'delete b rdoc Remove b b',
      'update a markdown Remove b new',
    ])
  })

  it('is not sent to hooks without `wiki_page_events`, and is to those of groups', async () => {
    const { server, receiver } = fixture
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const body = { url: receiver.url, push_events: false }
    await created(server, `/projects/${project.id}/hooks`, body)
    await created(server, `/groups/${group.id}/hooks`, { ...body, wiki_page_events: true })
    await created(server, `/projects/${project.id}/wikis`, { title: 'a', content: 'x' })
    expect(attributes(await fixture.delivered())).toEqual([
      expect.objectContaining({ slug: 'a', action: 'create' }),
    ])
  })

  it('is sent for the first pages of a push', async () => {
    await listen()
    const { app, root, url } = fixture.server
    const { codeLimits } = app.config
    app.config.codeLimits = { ...codeLimits, wiki: { ...codeLimits.wiki, maxHookPages: 2 } }
    try {
      const path = `${built.project.path_with_namespace}.wiki`
      const tree = await buildWorkTree({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' })
      const remote = remoteUrl(await url(), path, root.username, root.token)
      await mustGit(tree, 'push', '--quiet', remote, 'main')
      expect(await fixture.delivered()).toHaveLength(2)
    } finally {
      app.config.codeLimits = codeLimits
    }
  })

  it('leaves large contents out', async () => {
    await listen()
    const { config } = fixture.server.app
    const { codeLimits } = config
    config.codeLimits = { ...codeLimits, wiki: { ...codeLimits.wiki, maxHookContentBytes: 3 } }
    try {
      await created(fixture.server, base, { title: 'a', content: 'four' })
      expect(attributes(await fixture.delivered())).toEqual([
        expect.objectContaining({ slug: 'a', content: '' }),
      ])
    } finally {
      config.codeLimits = codeLimits
    }
  })
})

describe('POST /projects/:id/hooks/:hook_id/test/wiki_page_events', () => {
  it('sends the first page', async () => {
    const hook = await built.hook()
    await created(fixture.server, base, { title: 'home', content: 'x' })
    await fixture.flush()
    const path = `/projects/${built.project.id}/hooks/${hook.id}/test/wiki_page_events`
    const { status, body } = await call('POST', path)
    expect([status, body.request_data.object_attributes]).toEqual([
      201,
      expect.objectContaining({ slug: 'home', content: 'x', action: 'create' }),
    ])
    expect(fixture.receiver.received.map((each) => each.body)).toEqual([body.request_data])
    fixture.receiver.received.length = 0
  })
})
