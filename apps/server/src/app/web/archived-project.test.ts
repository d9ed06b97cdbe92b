/*
 * What the pages of an archived project offer: every form that is shown is sent, and none is refused
 * because the project is archived.
 */
import type { HTMLElement } from 'node-html-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser, type WebPage } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { newDomain } from '../../testing/fixtures/pages-domains.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  browser = await openBrowser(server, owner)
})
afterAll(() => server.close())

/** An archived project that has everything that its settings list, and its address. */
async function build(): Promise<{ project: Json; path: string }> {
  const settings = { visibility: 'public', initialize_with_readme: true }
  const project = await server.buildProject(settings, owner)
  const { token } = owner
  const member = await server.buildUser()
  for (const [endpoint, body] of [
    ['protected_branches', { name: 'stable' }],
    ['protected_tags', { name: 'v*' }],
    ['deploy_keys', { title: 'machine', key: buildPublicKey() }],
    ['deploy_tokens', { name: 'reader', scopes: ['read_repository'] }],
    ['approval_rules', { name: 'security', approvals_required: 1 }],
    ['hooks', { url: 'https://hooks.example/old' }],
    ['badges', { link_url: 'https://a.example', image_url: 'https://a.example/b.svg' }],
    ['pages/domains', { domain: newDomain() }],
    ['members', { user_id: member.id, access_level: 30 }],
    ['labels', { name: 'bug', color: '#d9534f' }],
    ['milestones', { title: '1.0' }],
    ['issues', { title: 'Issue' }],
    ['boards', { name: 'Development' }],
    ['snippets', { title: 'A', file_name: 'a', content: 'a', visibility: 'public' }],
    ['wikis', { title: 'home', content: 'Home' }],
    ['environments', { name: 'production' }],
  ] as const) {
    const answer = await server.inject('POST', `/projects/${project.id}/${endpoint}`, {
      ...{ token, body },
    })
    expect([endpoint, answer.status]).toEqual([endpoint, 201])
  }
  const asking = await server.buildUser()
  await server.inject('POST', `/projects/${project.id}/access_requests`, { token: asking.token })
  await server.inject('POST', `/projects/${project.id}/archive`, { token })
  return { project, path: `/${project.path_with_namespace}` }
}

const settingsPages = [
  ...['edit', 'settings/repository', 'settings/merge_requests', 'settings/ci_cd', 'hooks'],
  ...['settings/badges', 'pages', 'audit_events', 'project_members'],
]
const otherPages = [
  ...['labels', 'milestones', 'milestones/1', 'boards', 'wikis/home', 'wikis/pages', 'issues'],
  ...['issues/1', 'snippets', 'environments', 'security/vulnerabilities', 'branches', 'tags'],
]
/** Pages with nothing but a form that would be refused. */
const formPages = [
  ...['labels/new', 'milestones/new', 'milestones/1/edit', 'issues/new', 'issues/1/edit'],
  ...['snippets/new', 'wikis/new', 'wikis/home/edit', 'branches/new', 'tags/new', 'releases/new'],
  ...['new/main', 'edit/main/README.md', 'upload/main', 'delete/main/README.md'],
  'merge_requests/new',
]

/** What the forms are filled with, as the API refuses what is missing before it looks at the project. */
async function typed(button: string): Promise<Readonly<Record<string, string>>> {
  if (button === 'Add member') return { user: (await server.buildUser()).username }
  if (button === 'Add webhook') return { url: 'https://hooks.example/new' }
  if (button === 'Add badge')
    return { image_url: 'https://b.example', link_url: 'https://b.example' }
  if (button === 'Give access') {
    return { group: (await server.buildGroup({ visibility: 'public' })).full_path }
  }
  return {}
}

/** Ends that the project is archived, or the project itself, or the membership of who looks at it. */
const lasting = /^(?:Unarchive project|Delete project|Transfer project|Leave)$/

function offered(page: WebPage): string[] {
  const buttons = page.document.querySelectorAll('main form[method=post] button')
  const nameOf = (button: HTMLElement) =>
    button.getAttribute('aria-label') ?? button.text.replace(/\s+/g, ' ').trim()
  return buttons.map(nameOf).filter((name) => !lasting.test(name))
}

describe('pages of an archived project', () => {
  it('send every form that they offer, and none is refused', async () => {
    const { path } = await build()
    let sent = 0
    for (const address of [...settingsPages, ...otherPages]) {
      const page = await browser.open(`${path}/-/${address}`)
      expect([address, page.status]).toEqual([address, 200])
      for (const button of offered(page)) {
        const answer = await page.press(button, await typed(button))
        const refusals = [answer.status, ...answer.texts('.summary li')]
        expect([address, button, ...refusals]).toEqual([address, button, 200])
        sent += 1
      }
    }
    expect(sent).toBeGreaterThan(15)
  })

  it('say once what can’t be changed', async () => {
    const { path } = await build()
    const notices = async (address: string) =>
      (await browser.open(`${path}/-/${address}`)).texts('main .notice')
    const text = (what: string) =>
      `This project is archived: ${what} can’t be changed until it is unarchived.`
    expect(await notices('settings/repository')).toEqual([
      text('protected branches and tags, deploy keys and deploy tokens'),
    ])
    expect(await notices('settings/merge_requests')).toEqual([text('approvals and their rules')])
    expect(await notices('pages')).toEqual([text('domains')])
    expect(await notices('project_members')).toEqual([text('access requests')])
    for (const address of ['edit', 'hooks', 'settings/badges', 'settings/ci_cd']) {
      expect([address, await notices(address)]).toEqual([address, []])
    }
  })

  it.each(formPages)('show no form at %s, but why there is none', async (address) => {
    const { path } = await archived()
    const page = await browser.open(`${path}/-/${address}`)
    expect([page.status, page.texts('main form').length]).toEqual([403, 0])
    expect(page.texts('main p')[0]).toContain('This project is archived')
  })
})

let built: ReturnType<typeof build> | undefined
function archived(): ReturnType<typeof build> {
  built ??= build()
  return built
}

describe('settings of a project', () => {
  it('have links to audit events for those who may read them', async () => {
    const { project, path } = await archived()
    const links = async (by: WebBrowser) =>
      (await by.open(`${path}/-/edit`)).document
        .querySelectorAll('main nav a')
        .map((link) => link.getAttribute('href') ?? '')
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const other = await openBrowser(server, maintainer)
    const found = await links(other)
    expect(found.length).toBeGreaterThan(5)
    for (const address of found) {
      expect([address, (await other.open(address)).status]).toEqual([address, 200])
    }
    expect(found).not.toContain(`${path}/-/audit_events`)
    for (const by of [browser, await openBrowser(server, server.root)]) {
      expect(await links(by)).toContain(`${path}/-/audit_events`)
    }
  })
})
