/*
 * Pages of forms, opened by their addresses: for those who may send the form, and nobody else.
 */
import { createClient, type Fetch } from '@stithy/client'
import { createPermits } from '@stithy/web'
import { createWeb } from '@stithy/web/pages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../../packages/web/src/app/routes.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { newDomain } from '../../testing/fixtures/pages-domains.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/** What the forms are about, with their ids. */
interface Place {
  path: string
  label: number
  snippet: number
  hook: number
  badge: number
  domain: string
}

/** The pattern of the route, the level from which a form is sent, and its address if it differs. */
type FormPage = [pattern: string, level: number, address?: (place: Place) => string]

const projectForms: readonly FormPage[] = [
  ['issues/new', 5],
  ['issues/:iid/edit', 20, () => 'issues/1/edit'],
  ['labels/new', 20],
  ['labels/:label/edit', 20, ({ label }) => `labels/${label}/edit`],
  ['milestones/new', 30],
  ['milestones/:iid/edit', 30, () => 'milestones/1/edit'],
  ['wikis/new', 30],
  ['wikis/*slug', 30, () => 'wikis/home/edit'],
  ['snippets/new', 20],
  ['snippets/:id/edit', 40, ({ snippet }) => `snippets/${snippet}/edit`],
  ['merge_requests/new', 30],
  ['merge_requests/:iid/edit', 30, () => 'merge_requests/1/edit'],
  ['edit/*target', 30, () => 'edit/main/README.md'],
  ['new/*target', 30, () => 'new/main'],
  ['upload/*target', 30, () => 'upload/main'],
  ['replace/*target', 30, () => 'replace/main/README.md'],
  ['delete/*target', 30, () => 'delete/main/README.md'],
  ['branches/new', 30],
  ['tags/new', 30],
  ['releases/new', 30],
  ['releases/*target', 30, () => 'releases/v1/edit'],
  ['forks/new', 5],
  ['pages/domains/:domain/edit', 40, ({ domain }) => `pages/domains/${domain}/edit`],
  ['hooks/:id/edit', 40, ({ hook }) => `hooks/${hook}/edit`],
  ['settings/badges/:id/edit', 40, ({ badge }) => `settings/badges/${badge}/edit`],
  ...['edit', 'settings', 'hooks', 'settings/integrations', 'settings/repository'].map(settings),
  ...['settings/merge_requests', 'settings/ci_cd', 'settings/badges', 'pages'].map(settings),
  ...['protected_branches', 'protected_tags', 'deploy_keys'].map(settings),
  settings('settings/repository/deploy_tokens'),
]

function settings(pattern: string): FormPage {
  return [pattern, 40]
}

const groupForms: readonly FormPage[] = [
  ['epics/new', 20],
  ['epics/:iid/edit', 20, () => 'epics/1/edit'],
  ['labels/new', 20],
  ['labels/:label/edit', 20, ({ label }) => `labels/${label}/edit`],
  ['milestones/new', 30],
  ['milestones/:iid/edit', 30, () => 'milestones/1/edit'],
  ['hooks/:id/edit', 50, ({ hook }) => `hooks/${hook}/edit`],
  ['settings/badges/:id/edit', 50, ({ badge }) => `settings/badges/${badge}/edit`],
  ...['edit', 'hooks', 'settings/integrations', 'settings/badges', 'settings/scim'].map(
    (pattern): FormPage => [pattern, 50],
  ),
]

let server: TestServer
const places = new Map<string, Place>()
/** Of members with a level in everything below; 5 is nobody's, who has signed in. */
const browsers = new Map<number, WebBrowser>()
let visitor: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  visitor = await openBrowser(server)
  for (const visibility of ['public', 'private']) {
    places.set(`project ${visibility}`, await buildProject(visibility))
    places.set(`group ${visibility}`, await buildGroup(visibility))
  }
  for (const level of [5, 10, 20, 30, 40, 50]) browsers.set(level, await buildMember(level))
}, 120_000)
afterAll(() => server.close())

async function create(path: string, body: object): Promise<Json> {
  const answer = await server.inject('POST', path, { token: server.root.token, body })
  expect([path, answer.status]).toEqual([path, 201])
  return answer.body
}

const hookBody = { url: 'https://hooks.example/old' }
const badgeBody = { link_url: 'https://a.example', image_url: 'https://a.example/b.svg' }
const labelBody = { name: 'bug', color: '#d9534f' }

async function buildProject(visibility: string): Promise<Place> {
  const { project } = await buildMergeFixture(server, { visibility })
  const own = `/projects/${project.id}`
  await create(`${own}/issues`, { title: 'Issue' })
  await create(`${own}/milestones`, { title: '1.0' })
  await create(`${own}/wikis`, { title: 'home', content: 'Home' })
  await create(`${own}/releases`, { tag_name: 'v1', ref: 'main', name: '1', description: 'One' })
  const domain = newDomain()
  await create(`${own}/pages/domains`, { domain })
  const text = { title: 'A', file_name: 'a', content: 'a', visibility: 'public' }
  return {
    path: `/${project.path_with_namespace}`,
    label: (await create(`${own}/labels`, labelBody)).id,
    snippet: (await create(`${own}/snippets`, text)).id,
    hook: (await create(`${own}/hooks`, hookBody)).id,
    badge: (await create(`${own}/badges`, badgeBody)).id,
    domain,
  }
}

async function buildGroup(visibility: string): Promise<Place> {
  const group = await server.buildGroup({ visibility })
  const own = `/groups/${group.id}`
  await create(`${own}/epics`, { title: 'Epic' })
  await create(`${own}/milestones`, { title: '1.0' })
  return {
    path: `/groups/${group.full_path}`,
    label: (await create(`${own}/labels`, labelBody)).id,
    hook: (await create(`${own}/hooks`, hookBody)).id,
    badge: (await create(`${own}/badges`, badgeBody)).id,
    ...{ snippet: 0, domain: '' },
  }
}

async function buildMember(level: number): Promise<WebBrowser> {
  const user = await server.buildUser()
  for (const [name, { path }] of places) {
    if (level < 10) continue
    const id = encodeURIComponent(path.replace(/^\/(?:groups\/)?/, ''))
    // Owners of a project are those of its namespace; administrators are as well.
    const isOwner = level === 50 && name.startsWith('project')
    await server.addMember(
      `${name.split(' ')[0]}s/${await idOf(name, id)}`,
      user.id,
      isOwner ? 40 : level,
    )
  }
  return openBrowser(server, user)
}

async function idOf(name: string, path: string): Promise<number> {
  const found = await server.inject('GET', `/${name.split(' ')[0]}s/${path}`, {
    token: server.root.token,
  })
  return found.body.id
}

function open(browser: WebBrowser | undefined, name: string, [pattern, , address]: FormPage) {
  const place = places.get(name)
  if (browser === undefined || place === undefined) throw new Error(`no ${name}`)
  return browser.open(`${place.path}/-/${address?.(place) ?? pattern}`)
}

const all = [
  ...projectForms.map((form) => ({ kind: 'project', form })),
  ...groupForms.map((form) => ({ kind: 'group', form })),
].map(({ kind, form }) => ({ kind, form, name: `${form[0]} of a ${kind}` }))

describe('pages of forms', () => {
  it('are all in this table', () => {
    const isForm = /(?:^|\/)(?:new|edit)$|^(?:edit|new|upload|replace|delete)\/|^settings|^hooks$/
    for (const scope of ['project', 'group']) {
      const own = all.filter(({ kind }) => kind === scope).map(({ form: [pattern] }) => pattern)
      const found = routes
        .filter((route) => route.scope === scope && route.method === 'GET')
        .map(({ pattern }) => pattern)
        .filter((pattern) => isForm.test(pattern))
      expect(found.length).toBeGreaterThan(10)
      expect(own).toEqual(expect.arrayContaining(found))
    }
  })

  it.each(all)('open for those who may send them: $name', async ({ kind, form }) => {
    const page = await open(browsers.get(form[1]), `${kind} public`, form)
    expect([page.status, page.heading]).toEqual([200, page.heading])
    expect(page.texts('main form button').length).toBeGreaterThan(0)
  })

  it.each(all)('are refused to members of a lower role: $name', async ({ kind, form }) => {
    const levels = [5, 10, 20, 30, 40].filter((level) => level < form[1])
    for (const level of levels) {
      const page = await open(browsers.get(level), `${kind} public`, form)
      expect([level, page.status, page.heading]).toEqual([level, 403, 'You may not do that'])
      expect(page.texts('main form')).toEqual([])
      const path = places.get(`${kind} public`)?.path.replace(/^\/(?:groups\/)?/, '')
      expect((await page.follow(`Back to ${path}`)).status).toBe(200)
    }
  })

  it.each(all)('ask visitors to sign in, and lead back: $name', async ({ kind, form }) => {
    const page = await open(visitor, `${kind} public`, form)
    const { pathname, searchParams } = new URL(page.address, 'http://stithy.test')
    expect(pathname).toBe('/users/sign_in')
    const place = places.get(`${kind} public`)
    const address = place && (form[2]?.(place) ?? form[0])
    expect(searchParams.get('return_to')).toBe(`${place?.path}/-/${address}`)
  })

  it.each(all)('are hidden with what they belong to: $name', async ({ kind, form }) => {
    for (const browser of [visitor, browsers.get(5)]) {
      const page = await open(browser, `${kind} private`, form)
      expect([page.status, page.heading]).toEqual([404, 'Page not found'])
    }
  })
})

describe('pages of forms of a project', () => {
  it.each(projectForms)('load it once: %s', async (...form) => {
    const place = places.get('project public')
    const path = encodeURIComponent(place?.path.slice(1) ?? '')
    const read: string[] = []
    const base = { baseUrl: await server.url(), token: server.root.token, retries: 0 }
    const record: Fetch = (url, init) => {
      read.push(`${init.method} ${url}`)
      return fetch(url, init)
    }
    const allow: Fetch = async () => new Response(null, { status: 204 })
    const { status } = await createWeb().handle({
      method: 'GET',
      address: `${place?.path}/-/${(place && form[2]?.(place)) ?? form[0]}`,
      client: createClient({ ...base, fetch: record }),
      permits: createPermits({ ...base, fetch: allow }),
      csrfToken: 'a token',
      now: Date.now(),
    })
    expect(status).toBe(200)
    const own = read.filter((each) => each === `GET ${base.baseUrl}/api/v4/projects/${path}`)
    expect(own).toHaveLength(1)
  })
})
