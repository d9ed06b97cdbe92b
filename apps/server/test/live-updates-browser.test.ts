/*
 * Open pages in a real browser while others write through the API: what they change appears, and what
 * the reader types, has chosen or looks at stays as it is.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventStreamsOf } from '../src/activity/event-streams/event-streams.ts'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { buildMergeFixture, type MergeFixture } from '../src/testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

describe.skipIf(!hasChromium)('an open page', () => {
  let server: TestServer
  let chromium: Chromium
  let fixture: MergeFixture
  let other: Json
  let project: string
  let page: Page
  let issue: Json
  const errors: string[] = []

  beforeAll(async () => {
    server = await buildTestServer()
    const base = await server.url()
    fixture = await buildMergeFixture(server)
    other = await server.buildUser({ name: 'Other Person' })
    await server.addMember(`projects/${fixture.project.id}`, other.id, 30)
    project = `${base}/${fixture.project.path_with_namespace}`
    chromium = await startChromium({ javaScriptEnabled: true })
    page = await chromium.context.newPage()
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${base}/users/sign_in`)
    await page.getByLabel(/username/i).fill(fixture.user.username)
    await page.getByLabel(/^password/i).fill(fixture.user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.waitForURL(`${base}/`)
  })
  beforeEach(async () => {
    errors.length = 0
    issue = (await write('POST', '/issues', { title: 'Before' })).body
  })
  afterAll(async () => {
    await chromium?.close()
    await server?.close()
  })

  /** Calls the API below the project as somebody else. */
  async function write(method: string, path: string, body?: object) {
    const answer = await server.inject(method, `/projects/${fixture.project.id}${path}`, {
      token: other.token,
      ...(body === undefined ? {} : { body }),
    })
    expect(answer.status).toBeLessThan(300)
    return answer
  }

  const streams = () => eventStreamsOf(server.app).count()
  const comment = () => page.locator('#body')

  async function open(path: string): Promise<void> {
    await page.goto(`${project}/-/${path}`)
    await expect.poll(streams).toBe(1)
  }

  it('shows a comment of somebody else, and keeps what is typed, the focus and the place', async () => {
    await open(`issues/${issue.iid}`)
    await comment().pressSequentially('Half a tho')
    await write('POST', `/issues/${issue.iid}/notes`, { body: 'From the API' })
    await page.locator('.comment .prose', { hasText: 'From the API' }).waitFor()
    await page.keyboard.type('ught')
    expect(await comment().inputValue()).toBe('Half a thought')
    await page.locator('[role=status]', { hasText: 'New comment by Other Person' }).waitFor({
      state: 'attached',
    })
    await comment().fill('')
    expect(errors).toEqual([])
  })

  it('shows a new title, state and label, and ticks nothing twice', async () => {
    await open(`issues/${issue.iid}`)
    await write('PUT', `/issues/${issue.iid}`, {
      title: 'After',
      labels: 'urgent',
      state_event: 'close',
    })
    await page.locator('h1', { hasText: 'After' }).waitFor()
    await page.locator('.badge', { hasText: 'Closed' }).first().waitFor()
    await page.locator('.aside .label', { hasText: 'urgent' }).waitFor()
    const announced = page.locator('[role=status]', { hasText: 'Now: Closed' })
    await announced.waitFor({ state: 'attached' })
    expect(await page.title()).toContain('After')
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('.timeline').count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('leaves a thread alone in which a reply is typed, and shows it once that is given up', async () => {
    const thread = `/issues/${issue.iid}/discussions`
    const { body: first } = await write('POST', thread, { body: 'A question' })
    await open(`issues/${issue.iid}`)
    const asked = page.locator('.thread', { hasText: 'A question' })
    await asked.locator('details.reply summary').click()
    const reply = asked.locator('details.reply textarea')
    await reply.fill('My answer')
    await write('POST', `${thread}/${first.id}/notes`, { body: 'Their answer' })
    await write('POST', `/issues/${issue.iid}/notes`, { body: 'Elsewhere' })
    await page.locator('.comment .prose', { hasText: 'Elsewhere' }).waitFor()
    expect(await reply.inputValue()).toBe('My answer')
    expect(await page.locator('.comment', { hasText: 'Their answer' }).count()).toBe(0)
    await reply.fill('')
    await comment().focus()
    await page.locator('.comment', { hasText: 'Their answer' }).waitFor()
    expect(errors).toEqual([])
  })

  it('replaces nothing that is as it was, such as a thread whose forms have other tokens', async () => {
    await write('POST', `/issues/${issue.iid}/discussions`, { body: 'A question' })
    await open(`issues/${issue.iid}`)
    const asked = page.locator('.thread', { hasText: 'A question' })
    expect(await asked.locator('input[name=authenticity_token]').count()).toBeGreaterThan(0)
    await asked.evaluate((element) => element.setAttribute('data-seen', ''))
    await write('POST', `/issues/${issue.iid}/notes`, { body: 'Elsewhere' })
    await page.locator('.comment .prose', { hasText: 'Elsewhere' }).waitFor()
    expect(await page.locator('.thread[data-seen]').count()).toBe(1)
  })

  it('follows only while it is seen, and catches up then', async () => {
    await open(`issues/${issue.iid}`)
    const setHidden = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    await setHidden(true)
    await expect.poll(streams).toBe(0)
    await write('POST', `/issues/${issue.iid}/notes`, { body: 'Meanwhile' })
    await setHidden(false)
    await page.locator('.comment .prose', { hasText: 'Meanwhile' }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await expect.poll(streams).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('pageshow')))
    await expect.poll(streams).toBe(1)
    expect(errors).toEqual([])
  })

  it('tells of a comment on another page of the discussion, and leads to it', async () => {
    for (let at = 1; at <= 30; at += 1) {
      await write('POST', `/issues/${issue.iid}/notes`, { body: `Comment ${at}` })
    }
    await open(`issues/${issue.iid}`)
    await comment().fill('Half a thought')
    const { body: note } = await write('POST', `/issues/${issue.iid}/notes`, { body: 'Far away' })
    const news = page.locator('.news[role=status]', { hasText: 'New comment by Other Person' })
    await news.waitFor()
    expect(await page.locator('.comment .prose', { hasText: 'Far away' }).count()).toBe(0)
    await news.getByRole('link', { name: 'Show it' }).click()
    await page.waitForURL(new RegExp(`page=2#note_${note.id}$`))
    await page.locator(`#note_${note.id}:target`, { hasText: 'Far away' }).waitFor()
    expect(await comment().inputValue()).toBe('Half a thought')
    expect(await page.locator('.news').count()).toBe(0)
    await comment().fill('')
    expect(errors).toEqual([])
  })

  it('shows reactions to a comment, and the new name of a label', async () => {
    const notes = `/issues/${issue.iid}/notes`
    const { body: note } = await write('POST', notes, { body: 'Well done' })
    await write('PUT', `/issues/${issue.iid}`, { labels: 'bug' })
    await open(`issues/${issue.iid}`)
    await write('POST', `${notes}/${note.id}/award_emoji`, { name: 'rocket' })
    await page.locator(`#note_${note.id} .reactions button`, { hasText: '🚀 1' }).waitFor()
    await write('PUT', '/labels/bug', { new_name: 'fault' })
    await page.locator('.aside .label', { hasText: 'fault' }).waitFor()
    expect(errors).toEqual([])
  })

  it('leads from the bare anchor of a comment to the page that has it', async () => {
    for (let at = 1; at <= 30; at += 1) {
      await write('POST', `/issues/${issue.iid}/notes`, { body: `Comment ${at}` })
    }
    const { body: note } = await write('POST', `/issues/${issue.iid}/notes`, { body: 'Far away' })
    await page.goto(`${project}/-/issues/${issue.iid}#note_${note.id}`)
    await page.waitForURL(new RegExp(`page=2#note_${note.id}$`))
    await page.locator(`#note_${note.id}:target`).waitFor()
    await page.goto(`${project}/-/issues/${issue.iid}`)
    await page.evaluate((id) => {
      location.hash = `note_${id}`
    }, note.id)
    await page.locator(`#note_${note.id}:target`).waitFor()
    await page.goto(`${project}/-/issues/${issue.iid}#note_999999`)
    await page.waitForURL(/\?note_id=999999#note_999999$/)
    await page.locator('#note_999999', { hasText: 'was deleted' }).waitFor()
    expect(errors).toEqual([])
  })

  it('of a merge request shows comments, approvals and draft marks', async () => {
    await open('merge_requests/1')
    await write('POST', '/merge_requests/1/notes', { body: 'Looks good' })
    await page.locator('.comment .prose', { hasText: 'Looks good' }).waitFor()
    await write('PUT', '/merge_requests/1', { title: 'WIP: A title' })
    await page.locator('.badge', { hasText: 'Draft' }).waitFor()
    expect(await page.locator('#approvals').textContent()).not.toContain('Other Person')
    await write('POST', '/merge_requests/1/approve')
    await page.locator('#approvals', { hasText: 'Other Person' }).waitFor()
    expect(errors).toEqual([])
  })

  it('of changes tells of comments and pushes, and leaves what is read and typed alone', async () => {
    await open('merge_requests/1/diffs')
    await page.locator('.diff a[data-inline]').first().click()
    const field = page.locator('#line_body')
    await field.fill('Half a thought')
    const { body: note } = await write('POST', '/merge_requests/1/notes', { body: 'Wait' })
    const news = page.locator('.news[role=status]')
    await news.getByText('New comment by Other Person').waitFor()
    expect(await news.getByRole('link', { name: 'Show it' }).getAttribute('href')).toMatch(
      new RegExp(`/diffs\\?note_id=${note.id}#note_${note.id}$`),
    )
    await fixture.commitTo('topic', { 'live.txt': 'live\n' }, 'More')
    await fixture.push('topic')
    await server.runJobs()
    await news.getByText('The changes are outdated').waitFor()
    expect(await field.inputValue()).toBe('Half a thought')
    expect(await page.locator('.diff-file', { hasText: 'live.txt' }).count()).toBe(0)
    await news.getByRole('link', { name: 'Load again' }).click()
    await page.locator('.diff-file', { hasText: 'live.txt' }).waitFor()
    expect(errors).toEqual([])
  })

  it('of a refused reply shows what others write, and keeps what was typed', async () => {
    const thread = `/issues/${issue.iid}/discussions`
    await write('POST', thread, { body: 'A question' })
    await open(`issues/${issue.iid}`)
    const asked = page.locator('.thread', { hasText: 'A question' })
    await asked.locator('details.reply summary').click()
    const reply = asked.locator('details.reply textarea')
    await reply.evaluate((element) => element.removeAttribute('required'))
    await reply.fill(' ')
    await asked.getByRole('button', { name: 'Reply' }).click()
    await page.locator('.summary').first().waitFor()
    await expect.poll(streams).toBe(1)
    await write('POST', `/issues/${issue.iid}/notes`, { body: 'Meanwhile' })
    await page.locator('.comment .prose', { hasText: 'Meanwhile' }).waitFor()
    expect(await page.locator('.summary').count()).toBe(1)
    expect(await reply.inputValue()).toBe(' ')
    expect(errors).toEqual([])
  })

  it('without JavaScript is as it was loaded', async () => {
    const response = await page.context().request.get(`${project}/-/issues/${issue.iid}`)
    expect(await response.text()).toContain('data-stream="/api/v4/projects/')
    await page.goto(`${project}/-/issues`)
    await expect.poll(streams).toBe(0)
  })
})
