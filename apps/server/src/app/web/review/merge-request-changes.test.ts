/*
 * Covered here: the changes of a merge request without JavaScript: files, layouts, white space, versions,
 * single files, those that the viewer has viewed, and the threads and suggestions on their lines.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser, type WebPage } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildMergeFixture, type MergeFixture } from '../../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture
let path: string
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildMergeFixture(server, { visibility: 'public' })
  path = `/${fixture.project.path_with_namespace}/-/merge_requests/1`
  browser = await openBrowser(server, fixture.user as TestUser)
})

const code = (file: string, old: number, next: number) =>
  `${createHash('sha1').update(file).digest('hex')}_${old}_${next}`

const fileNames = (page: WebPage) => page.texts('.diff-file h2')

async function push(files: Record<string, string>, message = 'More'): Promise<string> {
  const sha = await fixture.commitTo('topic', files, message)
  await fixture.push('topic')
  await server.runJobs()
  return sha
}

/** Starts a thread on a line of a file. */
async function comment(file: string, at: [number, number], body: string): Promise<WebPage> {
  const page = await browser.open(`${path}/diffs?line=${code(file, ...at)}`)
  return page.press('Start thread', { body })
}

describe('the changes of a merge request with many threads', () => {
  it('show a hundred of them, with links to the others', async () => {
    const { diff_refs: refs } = (await fixture.call('GET', '')).body
    const position = {
      ...refs,
      position_type: 'text',
      new_path: 'b.txt',
      old_path: 'b.txt',
      new_line: 1,
    }
    for (let number = 1; number <= 101; number += 1) {
      const body = { body: `Thread ${number}.`, position }
      expect((await fixture.call('POST', '/discussions', body)).status).toBe(201)
    }
    const page = await browser.open(`${path}/diffs`)
    expect(page.texts('.thread')).toHaveLength(100)
    expect(page.texts('.notice').join()).toContain('101 threads')
    const next = await page.follow('Next')
    expect(next.texts('.thread .body').join()).toContain('Thread 101.')
    expect(next.texts('.thread')).toHaveLength(1)
    const file = next.document.querySelector('.diff-file a')?.getAttribute('href')
    expect(file).not.toContain('threads=')
  })

  it('leave out the middle of long threads, with a link to it', async () => {
    const written = await comment('b.txt', [0, 1], 'First.')
    const id = written.document.querySelector('.thread')?.id.replace('discussion_', '')
    for (let number = 1; number <= 100; number += 1) {
      const body = { body: `Reply ${number}.` }
      await fixture.call('POST', `/discussions/${id}/notes`, body)
    }
    const page = await browser.open(`${path}/diffs`)
    expect(page.texts('.thread .comment')).toHaveLength(3)
    const thread = await page.follow('Show 98 more replies')
    expect(thread.texts('.thread .comment')).toHaveLength(50)
  })
})

describe('the changes of a merge request', () => {
  it('show each file with its lines, in one column or two', async () => {
    const page = await browser.open(`${path}/diffs`)
    expect(fileNames(page)).toEqual(['b.txt', 'c.txt'])
    expect(page.texts('.diff-list > summary')).toEqual(['2 changed files'])
    expect(page.texts('.diff .text')).toEqual(['b', 'c'])
    const parallel = await page.follow('Show side by side')
    expect(parallel.document.querySelectorAll('.diff.parallel')).toHaveLength(2)
    expect((await parallel.follow('Show one column')).texts('.diff .text')).toEqual(['b', 'c'])
  })

  it('show one file alone, and lines without white space', async () => {
    const file = await browser.open(`${path}/diffs?path=c.txt`)
    expect(fileNames(file)).toEqual(['c.txt'])
    expect(fileNames(await file.follow('Show all files'))).toEqual(['b.txt', 'c.txt'])
    const [first] = (await fixture.call('GET', '/versions')).body
    await push({ 'b.txt': 'b  \n' })
    const [latest] = (await fixture.call('GET', '/versions')).body
    const between = `diff_id=${latest.id}&start_sha=${first.head_commit_sha}`
    expect((await browser.open(`${path}/diffs?${between}`)).texts('.diff .text')).toHaveLength(2)
    expect((await browser.open(`${path}/diffs?${between}&w=1`)).texts('.diff .text')).toEqual([])
  })

  it('show versions, alone and compared, also from the link of a note', async () => {
    await push({ 'd.txt': 'd\n' })
    const overview = await browser.open(path)
    const link = overview.document
      .querySelectorAll('a')
      .find(({ text }) => text.startsWith('Compare'))
    const { pathname, search } = new URL(link?.getAttribute('href') ?? '')
    const compared = await browser.open(pathname + search)
    expect(fileNames(compared)).toEqual(['d.txt'])
    expect(compared.document.querySelector('.comment-line')).toBeNull()
    const versions = (await fixture.call('GET', '/versions')).body
    const old = await compared.press('Apply', { diff_id: String(versions[1].id), start_sha: '' })
    expect(fileNames(old)).toEqual(['b.txt', 'c.txt'])
    expect((await browser.open(`${path}/diffs?diff_id=1234567`)).status).toBe(404)
  })

  it('of many files come in pages, all folded that are too long', async () => {
    const many = Array.from({ length: 70 }, (_, at) => [`f${100 + at}`, `${at}\n`])
    await push({ ...Object.fromEntries(many), 'a-long.txt': 'x\n'.repeat(5000) })
    const page = await browser.open(`${path}/diffs`)
    expect(page.texts('.diff-list > summary')).toEqual(['30 of 73 changed files'])
    expect(page.document.getElementById(code('a-long.txt', 0, 0).slice(0, 40))?.text).toContain(
      'Many changes.',
    )
    const alone = await page.follow('Show the changes of a-long.txt')
    expect(alone.texts('.diff .text')).toHaveLength(2000)
    const rest = await (await alone.follow('Next')).follow('Next')
    expect(rest.texts('.diff .text')).toHaveLength(1000)
    expect(rest.texts('.diff .number').at(-1)).toBe('5000')
    expect(fileNames(await page.follow('Next'))).toHaveLength(30)
  })

  it('of a merge request without any say so', async () => {
    await fixture.git('branch', 'same', 'main')
    await fixture.push('same')
    const { iid } = await server.buildMergeRequest(fixture.project, 'same', 'main')
    const page = await browser.open(path.replace(/1$/, `${iid}/diffs`))
    expect(page.texts('.empty h2')).toEqual(['No changes'])
  })
})

describe('a viewed file', () => {
  const isPressed = (page: WebPage) =>
    page.document.querySelectorAll('.viewed').map((button) => button.getAttribute('aria-pressed'))

  it('is folded and counted until it is marked as not viewed, with the options of the page', async () => {
    const page = await browser.open(`${path}/diffs?view=parallel`)
    expect(page.texts('#viewed-progress')).toEqual(['0 of 2 viewed'])
    const viewed = await page.press('Viewed b.txt')
    expect([viewed.status, viewed.address]).toEqual([200, expect.stringContaining('view=parallel')])
    expect(viewed.texts('#viewed-progress')).toEqual(['1 of 2 viewed'])
    expect(isPressed(viewed)).toEqual(['true', 'false'])
    expect(viewed.texts('.diff-file .body')[0]).toContain('Viewed.')
    const alone = await viewed.follow('Show the changes of b.txt')
    expect([isPressed(alone), alone.texts('.diff .text')]).toEqual([['true'], expect.any(Array)])
    expect(alone.texts('.diff .text')).toContain('b')
    const again = await alone.press('Viewed b.txt')
    expect(isPressed(again)).toEqual(['false'])
    expect(again.texts('#viewed-progress')).toEqual(['0 of 2 viewed'])
  })

  it('is no longer viewed once a later version changes it, and stays so in its version', async () => {
    const page = await browser.open(`${path}/diffs`)
    await (await page.press('Viewed b.txt')).press('Viewed c.txt')
    const [{ id }] = (await fixture.call('GET', '/versions')).body
    await push({ 'b.txt': 'other\n' })
    const changed = await browser.open(`${path}/diffs`)
    expect(changed.texts('#viewed-progress')).toEqual(['1 of 2 viewed'])
    expect(isPressed(changed)).toEqual(['false', 'true'])
    expect(changed.texts('.diff-file header')[0]).toContain('Changed since you viewed it')
    expect(isPressed(await browser.open(`${path}/diffs?diff_id=${id}`))).toEqual(['true', 'true'])
  })

  it('is marked as the version has it that was shown, though a newer one was pushed', async () => {
    const page = await browser.open(`${path}/diffs`)
    await push({ 'b.txt': 'other\n' })
    expect(isPressed(await page.press('Viewed b.txt'))).toEqual(['false', 'false'])
  })

  it('is the own mark of each, offered to nobody between two versions', async () => {
    const page = await browser.open(`${path}/diffs`)
    await page.press('Viewed b.txt')
    const stranger = await openBrowser(server, await server.buildUser())
    expect(isPressed(await stranger.open(`${path}/diffs`))).toEqual(['false', 'false'])
    const [{ head_commit_sha: first }] = (await fixture.call('GET', '/versions')).body
    await push({ 'd.txt': 'd\n' })
    expect(isPressed(await browser.open(`${path}/diffs?start_sha=${first}`))).toEqual([])
  })
})

describe('a thread on a line', () => {
  const main = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`)

  beforeEach(async () => {
    await fixture.commitTo('main', { 'm.txt': main.join('') }, 'Lines')
    await fixture.push('main')
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('merge', '--quiet', '--no-edit', 'main')
    await push({ 'm.txt': main.toSpliced(4, 1, 'changed\n', 'added\n').join('') })
  })

  it('starts on an added, a removed and an unchanged line', async () => {
    for (const [at, body] of [
      [[6, 6], 'On an added line'],
      [[5, 5], 'On a removed line'],
      [[3, 3], 'On an unchanged line'],
    ] as const) {
      const page = await comment('m.txt', [...at], body)
      expect(page.status).toBe(200)
      expect(page.texts('.below .thread .prose')).toContain(body)
    }
    const { body } = await fixture.call('GET', '/discussions?paths[]=m.txt')
    const lines = body.map(({ notes }: Json) => notes[0].position)
    expect(lines.map((line: Json) => [line.old_line, line.new_line])).toEqual([
      [null, 6],
      [5, null],
      [3, 3],
    ])
    const parallel = await browser.open(`${path}/diffs?view=parallel`)
    expect(parallel.texts('.below .thread')).toHaveLength(3)
    const overview = await browser.open(path)
    expect(overview.texts('.thread > .top')).toContain('m.txt line 5, removed')
  })

  it('that is refused is shown again with what was typed', async () => {
    const page = await browser.open(`${path}/diffs?view=parallel&line=${code('m.txt', 6, 6)}`)
    const refused = await page.press('Start thread', { body: ' ' })
    expect(refused.status).toBe(422)
    expect(refused.document.querySelector('.diff.parallel')).not.toBeNull()
    const again = await refused.press('Start thread', { body: '*now* <script>alert(1)</script>' })
    expect(again.address).toContain('view=parallel')
    expect(again.document.querySelector('main script')).toBeNull()
    expect(again.texts('.below .prose em')).toEqual(['now'])
  })

  it('is replied to, resolved and reopened, and leads back to its file', async () => {
    const page = await comment('m.txt', [6, 6], 'Why?')
    const replied = await page.press('Reply', { body: 'Because.' })
    expect(replied.address).toContain('path=m.txt')
    expect(replied.texts('.below .prose')).toEqual(['Why?', 'Because.'])
    const resolved = await replied.press('Resolve thread')
    expect(resolved.texts('.below details.thread > summary')[0]).toContain('Resolved by Grace')
    expect((await resolved.press('Unresolve thread')).texts('.below details.thread')).toEqual([])
  })

  it('suggests a change, which is applied once', async () => {
    const page = await comment('m.txt', [6, 6], 'Better:\n\n```suggestion\nbetter\n```')
    expect(page.texts('.suggestion pre')[0]).toContain('better')
    const applied = await page.press('Apply the change of line 6')
    expect(applied.status).toBe(200)
    await server.runJobs()
    await fixture.git('fetch', '--quiet', fixture.remote, 'topic')
    expect(await fixture.git('show', 'FETCH_HEAD:m.txt')).toContain('changed\nbetter\nline 6')
    const refused = await page.press('Apply the change of line 6')
    expect(refused.status).toBe(422)
  })

  it('stays with the version that it is on once its line has changed', async () => {
    await comment('m.txt', [6, 6], 'Why?')
    const [{ id }] = (await fixture.call('GET', '/versions')).body
    await push({ 'm.txt': main.toSpliced(4, 1, 'changed\n', 'other\n').join('') })
    expect((await browser.open(`${path}/diffs`)).texts('.below .thread')).toEqual([])
    const old = await browser.open(`${path}/diffs?diff_id=${id}`)
    expect(old.texts('.below .thread')).toHaveLength(1)
  })

  it('is offered to nobody who is not signed in to write', async () => {
    const stranger = await openBrowser(server, await server.buildUser())
    const page = await stranger.open(`${path}/diffs`)
    expect(page.document.querySelector('.comment-line')).not.toBeNull()
    await fixture.call('PUT', '', { discussion_locked: true })
    const locked = await stranger.open(`${path}/diffs`)
    expect(locked.document.querySelector('.comment-line')).toBeNull()
  })
})
