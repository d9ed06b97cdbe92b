/*
 * The script of the pages in a real browser: what it adds, and that nothing of it is refused by the policy of
 * the pages. Every page works without it, which the other tests of pages show.
 */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { buildMergeFixture, type MergeFixture } from '../src/testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

describe.skipIf(!hasChromium)('the script of the pages', () => {
  let server: TestServer
  let chromium: Chromium
  let fixture: MergeFixture
  let base: string
  let project: string
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    server = await buildTestServer()
    base = await server.url()
    fixture = await buildMergeFixture(server, { visibility: 'public' })
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`)
    await fixture.commitTo('main', { 'm.txt': lines.join('') }, 'Lines')
    await fixture.push('main')
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('merge', '--quiet', '--no-edit', 'main')
    const changed = lines.with(39, 'changed\n').join('')
    await fixture.commitTo('topic', { 'm.txt': changed, 'long.txt': 'x\n'.repeat(900) }, 'Change')
    await fixture.push('topic')
    await server.runJobs()
    project = `${base}/${fixture.project.path_with_namespace}`
    chromium = await startChromium({ javaScriptEnabled: true })
    page = await chromium.context.newPage()
    page.on('console', (message) => {
      // The browser asks for this by itself.
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${base}/users/sign_in`)
    await page.getByLabel(/username/i).fill(fixture.user.username)
    await page.getByLabel(/^password/i).fill(fixture.user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
  })
  beforeEach(() => {
    errors.length = 0
  })
  afterAll(async () => {
    await chromium?.close()
    await server?.close()
  })

  const request = () => `${project}/-/merge_requests/1`
  const comment = () => page.locator('#body')

  it('is one small file that browsers may keep, and no inline script', async () => {
    await page.goto(request())
    const src = (await page.locator('script').getAttribute('src')) ?? ''
    expect(await page.locator('script').count()).toBe(1)
    const response = await fetch(base + src)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(gzipSync(await response.text()).length).toBeLessThan(20_000)
    expect((await fetch(`${base}/-/assets/web-0.js`)).status).toBe(404)
    expect(errors).toEqual([])
  })

  it('previews Markdown as the API renders it, and formats what is selected', async () => {
    await page.goto(request())
    await comment().fill('See !1 and <script>alert(1)</script> *this*')
    await page.getByRole('button', { name: 'Preview' }).last().click()
    const preview = page.locator('.preview')
    await preview.locator('em').waitFor()
    expect(await preview.locator('em').textContent()).toBe('this')
    expect(await preview.locator('a[href*="merge_requests/1"]').count()).toBe(1)
    expect(await preview.locator('script').count()).toBe(0)
    await page.getByRole('button', { name: 'Write' }).click()
    await comment().fill('word')
    await comment().selectText()
    await page.getByRole('button', { name: 'Bold' }).last().click()
    expect(await comment().inputValue()).toBe('**word**')
    await comment().fill('')
    expect(errors).toEqual([])
  })

  it('shows the colours of labels in texts and previews, which its policy allows', async () => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    const { id } = fixture.project
    const post = (path: string, body: object) =>
      server.inject('POST', `/projects/${id}${path}`, { token: fixture.user.token, body })
    await post('/labels', { name: 'bug', color: '#dc143c' })
    await post('/merge_requests/1/notes', { body: 'Not a ~bug' })
    await page.goto(request())
    const dot = '.label circle[fill="#dc143c" i]'
    await page.locator(`.comment .prose ${dot}`).waitFor()
    await comment().fill('A ~bug')
    await page.getByRole('button', { name: 'Preview' }).last().click()
    await page.locator(`.preview ${dot}`).waitFor()
    await page.getByRole('button', { name: 'Write' }).click()
    await comment().fill('')
    expect(refused).toEqual([])
  })

  it('completes users, merge requests and emoji by keys', async () => {
    await page.goto(request())
    await comment().pressSequentially(`@${fixture.user.username.slice(0, 4)}`)
    await page.locator('.completion li').first().waitFor()
    await page.keyboard.press('Enter')
    expect(await comment().inputValue()).toMatch(/^@\w+ $/)
    await comment().fill('')
    await comment().pressSequentially('!A ti')
    await comment().fill('')
    await comment().pressSequentially('see !A')
    await page.locator('.completion li', { hasText: 'A title' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await comment().inputValue()).toBe('see !1 ')
    await comment().pressSequentially(':tad')
    await page.locator('.completion li', { hasText: ':tada:' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.completion:visible').count()).toBe(0)
    await comment().fill('')
  })

  it('keeps a draft over a reload, sends it with Ctrl+Enter once, and drops it then', async () => {
    await page.goto(request())
    await comment().pressSequentially('A draft')
    await page.reload()
    expect(await comment().inputValue()).toBe('A draft')
    await comment().focus()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/#note_\d+/)
    expect(await page.locator('.comment .prose').last().textContent()).toContain('A draft')
    expect(await comment().inputValue()).toBe('')
    const { body } = await fixture.call('GET', '/notes')
    expect(body.filter((note: { body: string }) => note.body === 'A draft')).toHaveLength(1)
  })

  it('submits a form once, however often its button is pressed', async () => {
    await page.goto(request())
    await comment().fill('Pressed twice')
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('#new_comment button.primary')
      button?.click()
      button?.click()
    })
    await page.waitForURL(/#note_\d+/)
    await page.goto(request())
    expect(await page.locator('.comment .prose', { hasText: 'Pressed twice' }).count()).toBe(1)
  })

  it('closes menus on Escape and outside, and walks through them', async () => {
    await page.goto(request())
    const menu = page.locator('header.site details[data-menu]').first()
    await menu.locator('summary').click()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New project')
    await page.keyboard.press('Escape')
    expect(await menu.getAttribute('open')).toBeNull()
    await menu.locator('summary').click()
    await page.locator('h1').click()
    expect(await menu.getAttribute('open')).toBeNull()
  })

  it('leads by keys to search, other pages and through lists, and explains them', async () => {
    await page.goto(`${project}/-/merge_requests`)
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('search')
    await page.locator('h1').click()
    await page.keyboard.press('j')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('A title')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').textContent()).toContain('Your merge requests')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL(/dashboard\/merge_requests$/)
  })

  it('loads long files when they are seen, shows more lines, folds files and opens forms in place', async () => {
    await page.goto(`${request()}/diffs`)
    const long = page.locator('.diff-file', { hasText: 'long.txt' })
    await long.locator('.diff tr.added').first().waitFor()
    expect(await long.locator('.diff tr.added').count()).toBe(900)
    const file = page.locator('.diff-file', { hasText: 'm.txt' }).last()
    const shown = await file.locator('tr.context').count()
    await file.getByRole('button', { name: 'Show lines above' }).first().click()
    await file.locator('td.text', { hasText: /^line 20$/ }).waitFor()
    expect(await file.locator('tr.context').count()).toBe(shown + 20)
    await file.getByRole('button', { name: 'Lines of m.txt' }).click()
    expect(await file.locator('.diff').isVisible()).toBe(false)
    await file.getByRole('button', { name: 'Lines of m.txt' }).click()
    const url = page.url()
    await file.locator('tr.added').hover()
    await file.locator('tr.added .comment-line').click()
    await page.locator('#line_body').fill('In place')
    expect(page.url()).toBe(url)
    await page.getByRole('button', { name: 'Start thread' }).click()
    await page.locator('.below .thread', { hasText: 'In place' }).waitFor()
    expect(errors).toEqual([])
  })

  it.each(['merge_requests/1/diffs', 'merge_requests/1/diffs?view=parallel', 'commit/topic'])(
    '%s has targets of 24 pixels on lines that are no taller',
    async (path) => {
      await page.goto(`${project}/-/${path}`)
      const row = page.locator('.diff tr', { hasText: 'changed' }).first()
      await row.hover()
      const sizeOf = async (name: string) => {
        const { width = 0, height = 0 } = (await row.locator(name).last().boundingBox()) ?? {}
        return [width, height]
      }
      expect(await sizeOf('.comment-line')).toEqual([24, 24])
      const anchor = '.sign > a:empty, td.number > a:not(.comment-line)'
      expect(Math.min(...(await sizeOf(anchor)))).toBeGreaterThanOrEqual(24)
      const [one, other] = await Promise.all([
        row.locator('.comment-line').last().boundingBox(),
        row.locator(anchor).last().boundingBox(),
      ])
      expect((one?.x ?? 0) + 24).toBeLessThanOrEqual(other?.x ?? 0)
      const heightOf = () => row.evaluate((element) => element.getBoundingClientRect().height)
      const height = await heightOf()
      await row.locator('a').evaluateAll((links) => {
        for (const link of links) link.remove()
      })
      expect(await heightOf()).toBe(height)
    },
  )

  it('marks files as viewed without a reload, and shows them again', async () => {
    await page.goto(`${request()}/diffs`)
    await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''))
    const file = page.locator('.diff-file', { hasText: 'b.txt' })
    const viewed = file.getByRole('button', { name: 'Viewed' })
    await viewed.click()
    await page.locator('#viewed-progress', { hasText: /^1 of \d viewed$/ }).waitFor()
    expect(await viewed.getAttribute('aria-pressed')).toBe('true')
    expect(await file.locator('.diff').isVisible()).toBe(false)
    expect(await page.locator('[data-loaded-once]').count()).toBe(1)
    await page.reload()
    expect(await file.locator('.diff').count()).toBe(0)
    await viewed.focus()
    await page.keyboard.press('Enter')
    await file.locator('.diff').waitFor()
    expect(await viewed.getAttribute('aria-pressed')).toBe('false')
    expect(await viewed.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await page.locator('#viewed-progress').textContent()).toMatch(/^0 of/)
    expect(errors).toEqual([])
  })

  it('moves issues between the lists of a board by dragging', async () => {
    const call = (path: string, body: object) =>
      server.inject('POST', `/projects/${fixture.project.id}${path}`, {
        token: fixture.user.token,
        body,
      })
    await call('/labels', { name: 'doing', color: '#112233' })
    const { body: issue } = await call('/issues', { title: 'Drag me' })
    const { body: board } = await call('/boards', { name: 'Plan' })
    const labels = await server.inject('GET', `/projects/${fixture.project.id}/labels`, {
      token: fixture.user.token,
    })
    const label = labels.body.find(({ name }: { name: string }) => name === 'doing')
    await call(`/boards/${board.id}/lists`, { label_id: label.id })
    await page.goto(`${project}/-/boards/${board.id}`)
    const to = page.locator('[data-list][aria-label=doing]')
    await page.locator(`[data-card="${issue.id}"]`).first().dragTo(to)
    await to.locator(`[data-card="${issue.id}"]`).waitFor()
    const { body } = await server.inject(
      'GET',
      `/projects/${fixture.project.id}/issues/${issue.iid}`,
      {
        token: fixture.user.token,
      },
    )
    expect(body.labels).toEqual(['doing'])
  })

  it('chooses ranges of lines of a file', async () => {
    await page.goto(`${project}/-/blob/main/m.txt`)
    await page.locator('a[href="#L3"]').click()
    await page.locator('a[href="#L7"]').click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L3-7')
    expect(await page.locator('.chosen-line').count()).toBe(5)
    await page.goto(`${project}/-/blob/main/m.txt#L5-6`)
    await page.reload()
    expect(await page.locator('.chosen-line').count()).toBe(2)
  })

  it('copies the address to clone from', async () => {
    await chromium.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(project)
    await page.locator('details', { hasText: 'Clone with' }).locator('summary').first().click()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`${fixture.project.path_with_namespace}.git`)
  })

  it('ticks tasks in the text of a description', async () => {
    const { body: issue } = await server.inject('POST', `/projects/${fixture.project.id}/issues`, {
      token: fixture.user.token,
      body: { title: 'Tasks', description: '- [ ] One\n- [ ] Two' },
    })
    await page.goto(`${project}/-/issues/${issue.iid}`)
    await page.getByRole('checkbox', { name: 'Two' }).click()
    await page.waitForFunction(
      () => document.querySelectorAll('.prose input[type=checkbox]:checked').length === 1,
    )
    await expect
      .poll(async () => {
        const path = `/projects/${fixture.project.id}/issues/${issue.iid}`
        return (await server.inject('GET', path, { token: fixture.user.token })).body.description
      })
      .toBe('- [ ] One\n- [x] Two')
  })
})
