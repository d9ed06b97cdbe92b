/*
 * Every kind of page in a real browser, against the rules of WCAG 2.2 A and AA that axe-core can decide whatever
 * fonts a machine has, in both colour schemes.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { buildMergeFixture, type MergeFixture } from '../src/testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
const options: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  rules: {
    // By default axe-core leaves out the only one that WCAG 2.2 has added, and one of WCAG 2.1.
    'target-size': { enabled: true },
    'label-content-name-mismatch': { enabled: true },
    // Practices that WCAG leaves open, by which screen readers lead through a page.
    region: { enabled: true },
    'landmark-unique': { enabled: true },
    'page-has-heading-one': { enabled: true },
  },
}

/** The style guide shows several specimens of the same thing. */
const styleguideOptions = {
  ...options,
  rules: { ...options.rules, 'landmark-unique': { enabled: false } },
}

/** Widths in CSS pixels: of a phone, of 1280 pixels at a zoom of 200 %, and of a small screen. */
const widths = [360, 640, 1280]

/** Addresses; `P` stands for the project, `G` for a group. */
const pages = [
  ...['/', '/projects', '/explore', '/explore/groups', '/dashboard/groups', '/dashboard/activity'],
  ...['/dashboard/issues', '/dashboard/merge_requests', '/dashboard/todos', '/search?search=line'],
  ...['/search?search=one&scope=blobs', 'P/-/search?search=one&scope=blobs'],
  ...['/projects/new', '/groups/new', '/snippets/new', '/nobody/nothing', '/U'],
  ...['P', 'P/-/tree/main', 'P/-/blob/main/m.txt', 'P/-/blame/main/m.txt', 'P/-/edit/main/m.txt'],
  ...['P/-/new/main', 'P/-/find_file/main', 'P/-/commits/main', 'P/-/commit/topic', 'P/-/branches'],
  ...[
    'P/-/compare/main...topic',
    'P/-/tags',
    'P/-/releases',
    'P/-/graphs/main',
    'P/-/network/main',
  ],
  ...['P/-/issues', 'P/-/issues/new', 'P/-/issues/1', 'P/-/boards', 'P/-/milestones'],
  ...['P/-/milestones/1', 'P/-/labels', 'P/-/snippets', 'P/-/wikis/home', 'P/-/activity'],
  ...['P/-/merge_requests', 'P/-/merge_requests/new', 'P/-/merge_requests/1'],
  ...['P/-/merge_requests/1/diffs', 'P/-/merge_requests/1/diffs?view=parallel'],
  ...['P/-/merge_requests/1/commits', 'P/-/project_members', 'P/-/edit', 'P/-/settings/repository'],
  ...['P/-/settings/merge_requests', 'P/-/hooks', 'P/-/environments'],
  ...[
    'G',
    'G/-/group_members',
    'G/-/edit',
    'G/-/epics',
    'G/-/epics/1',
    'G/-/issues',
    'G/-/labels',
    'G/-/activity',
  ],
  ...['/-/profile', '/-/profile/keys', '/-/profile/notifications', '/-/profile/preferences'],
  ...['/-/profile/personal_access_tokens', '/-/profile/two_factor_auth', '/oauth/applications'],
  ...['/admin', '/admin/users', '/admin/projects', '/admin/jobs', '/admin/application_settings'],
  ...['/admin/audit_events', '/-/styleguide'],
]

describe.skipIf(!hasChromium)('pages', () => {
  let server: TestServer
  let chromium: Chromium
  let fixture: MergeFixture
  let group: Json
  let base: string
  let page: Page

  beforeAll(async () => {
    server = await buildTestServer()
    base = await server.url()
    fixture = await buildMergeFixture(server, { visibility: 'public' })
    await fixture.commitTo('main', { 'm.txt': 'one\ntwo\n', 'README.md': '# Lines\n' }, 'Lines')
    await fixture.push('main')
    await server.runJobs()
    group = await buildPlans(server, fixture)
    chromium = await startChromium({ javaScriptEnabled: true })
    page = await chromium.context.newPage()
    await page.goto(`${base}/users/sign_in`)
    await page.getByLabel(/username/i).fill(server.root.username)
    await page.getByLabel(/^password/i).fill(server.root.password)
    await page.getByRole('button', { name: /sign in/i }).click()
  })
  afterAll(async () => {
    await chromium?.close()
    await server?.close()
  })

  function addressOf(path: string): string {
    return path
      .replace(/^P/, `/${fixture.project.path_with_namespace}`)
      .replace(/^G/, `/groups/${group.full_path}`)
      .replace('/U', `/${fixture.user.username}`)
  }

  it.each(pages)(
    '%s has no violation that axe-core finds, in both colour schemes',
    async (path) => {
      await page.goto(base + addressOf(path))
      await page.evaluate(axeSource)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = await page.evaluate(
          (values) => (window as unknown as { axe: typeof axe }).axe.run(values),
          path === '/-/styleguide' ? styleguideOptions : options,
        )
        const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
        expect(found, colorScheme).toEqual([])
      }
      expect(await page.evaluate(unmarkedFields)).toEqual([])
    },
  )

  it('texts have the direction of their first letters', async () => {
    const { token } = fixture.user
    const path = `/projects/${fixture.project.id}/issues`
    const body = { title: 'א abcdefgh', description: 'א abcdefgh\n\nabc א' }
    const { iid } = (await server.inject('POST', path, { token, body })).body
    await page.goto(`${base}${addressOf('P')}/-/issues/${iid}`)
    expect(await page.evaluate(directions, '.heading h1')).toEqual(['right'])
    expect(await page.evaluate(directions, 'main .prose p')).toEqual(['right', 'left'])
    await page.goto(`${base}${addressOf('P')}/-/issues?search=abc`)
    const title = page.locator('.rows .title', { hasText: 'abc' })
    expect(await title.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe(
      'plaintext',
    )
  })

  it.each(pages)('%s is never wider than the window', async (path) => {
    await page.goto(base + addressOf(path))
    const wider: unknown[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: 720 })
      const found = await page.evaluate(widerThanWindow)
      if (found !== undefined) wider.push([width, ...found])
    }
    expect(wider).toEqual([])
  })
})

/** Runs in the page: fields that must be filled in, without a word in their labels that says so. */
function unmarkedFields(): string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main :required')]
  const isMarked = ({ labels }: HTMLInputElement) =>
    [...(labels ?? [])].some((label) => label.textContent.includes('(required)'))
  return fields.filter((field) => !isMarked(field)).map((field) => field.outerHTML)
}

/** Runs in the page: the side of its line at which the first letter of each element stands. */
function directions(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const line = range.getBoundingClientRect()
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() ?? element
    range.setStart(text, 0)
    range.setEnd(text, 1)
    const letter = range.getBoundingClientRect()
    return letter.left - line.left > line.right - letter.right ? 'right' : 'left'
  })
}

/** Runs in the page: elements that reach beyond its right edge; undefined if it doesn't scroll sideways. */
function widerThanWindow(): string[] | undefined {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return undefined
  const isBeyond = (element: Element) => element.getBoundingClientRect().right > clientWidth
  return [...document.body.querySelectorAll('*')]
    .filter((element) => isBeyond(element) && ![...element.children].some(isBeyond))
    .map((element) => element.outerHTML.slice(0, 200))
}

/** A group with an epic; an issue, a label, a milestone, a board, a snippet and a wiki in the project. */
async function buildPlans(server: TestServer, { project, user }: MergeFixture): Promise<Json> {
  const group = await server.buildGroup()
  const post = async (path: string, body: object, { token } = user) => {
    const { status, body: created, text } = await server.inject('POST', path, { token, body })
    if (status !== 201) throw new Error(`POST ${path} answers ${status}: ${text}`)
    return created
  }
  const own = `/projects/${project.id}`
  await post(
    `/groups/${group.id}/epics`,
    { title: 'Faster', description: 'A **plan**' },
    server.root,
  )
  const label = await post(`${own}/labels`, { name: 'bug', color: '#d9534f', description: 'Wrong' })
  const milestone = await post(`${own}/milestones`, { title: '1.0', due_date: '2030-01-01' })
  const text = 'See `x`:\n\n- [ ] one\n- [x] two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'
  await post(`${own}/issues`, {
    ...{ title: 'Broken', description: text, labels: 'bug', milestone_id: milestone.id },
  })
  await post(`${own}/issues/1/notes`, { body: 'Why? :tada:' })
  const deleted = await post(`${own}/issues/1/notes`, { body: 'Not for long' })
  await server.inject('DELETE', `${own}/issues/1/notes/${deleted.id}`, { token: user.token })
  await post(`${own}/issues/1/discussions`, { body: 'A thread' })
  const board = await post(`${own}/boards`, { name: 'Development' })
  await post(`${own}/boards/${board.id}/lists`, { label_id: label.id })
  await post(`${own}/snippets`, {
    ...{ title: 'A', file_name: 'a.js', content: 'let a = 1', visibility: 'public' },
  })
  await post(`${own}/wikis`, { title: 'home', content: '# Home' })
  const request = { token: user.token, body: { description: text } }
  await server.inject('PUT', `${own}/merge_requests/1`, request)
  return group
}
