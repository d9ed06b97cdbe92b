/*
 * Long comments: lists of the API read one at a time, and pages no more of them than they show.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../../testing/clients/calls.ts'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildMergeFixture, type MergeFixture } from '../../../testing/git/merge-fixture.ts'
import { recordLongTexts } from '../../../testing/long-text-reads.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

const sentence = 'Lorem ipsum dolor sit amet.\n'
/** Longer than all that a page shows of texts. */
const longest = `Needle @root\n${sentence.repeat(4000)}`
const long = `Needle @root\n${sentence.repeat(2000)}`
/** Cut within its last character. */
const short = `Short needle ${'x'.repeat(10)}😀`

let server: TestServer
let fixture: MergeFixture
let browser: WebBrowser
let path: string
let sha: string
let discussionId: string
let longNoteId: number

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildMergeFixture(server)
  browser = await openBrowser(server, server.root)
  path = `/projects/${fixture.project.id}`
  const other = await server.buildUser()
  await server.inject('POST', `${path}/members`, {
    token: server.root.token,
    body: { user_id: other.id, access_level: 30 },
  })
  await created(server, `${path}/issues`, { title: 'I' })
  const thread = await created(server, `${path}/issues/1/discussions`, { body: long })
  discussionId = thread.id
  longNoteId = thread.notes[0].id
  const notes = `${path}/issues/1/discussions/${discussionId}/notes`
  for (const body of [longest, short]) await created(server, notes, { body })
  const mention = { token: other.token, body: { body: longest } }
  await server.inject('POST', `${path}/issues/1/notes`, mention)
  for (const body of [long, longest]) {
    await fixture.call('POST', '/discussions', { body })
  }
  const { body: commits } = await server.inject('GET', `${path}/repository/commits`, {
    token: server.root.token,
  })
  sha = commits[0].id
  for (const note of [long, longest, short]) {
    await created(server, `${path}/repository/commits/${sha}/comments`, { note })
  }
  await server.runJobs()
})
afterAll(() => server.close())

/** How many long texts each query has read. */
const read = recordLongTexts(() => server, long.length)

const get = (address: string, headers = {}) =>
  server.inject('GET', address, { token: server.root.token, headers })

/** The texts of the comments of any list. */
function bodies(list: Json[]): string[] {
  return list.flatMap((one: Json) =>
    'notes' in one ? bodies(one.notes) : (one.note?.body ?? one.note ?? one.body ?? []),
  )
}

const lists: [string, () => string][] = [
  ['notes', () => `${path}/issues/1/notes`],
  ['discussions', () => `${path}/issues/1/discussions`],
  ['notes of a discussion', () => `${path}/issues/1/discussions/${discussionId}/notes`],
  ['discussions of a merge request', () => `${path}/merge_requests/1/discussions`],
  ['comments on a commit', () => `${path}/repository/commits/${sha}/comments`],
  ['discussions of a commit', () => `${path}/repository/commits/${sha}/discussions`],
  ['events', () => `${path}/events`],
  ['todos', () => '/todos'],
  ['comments that are found', () => `${path}/search?scope=notes&search=needle`],
]

describe('lists of the API', () => {
  it.each(lists)('of %s have whole texts, read one at a time', async (_, address) => {
    const { status, body } = await get(address())
    expect(status).toBe(200)
    const whole = bodies(body).filter((text) => text === long || text === longest)
    expect(whole).not.toEqual([])
    expect(read).toEqual(whole.map(() => 1))
  })

  it.each(lists)('of %s cut texts to `max_body_length`, and read no more', async (_, address) => {
    const separator = address().includes('?') ? '&' : '?'
    const cut = async (length: number) => {
      const { body } = await get(`${address()}${separator}max_body_length=${length}`)
      return bodies(body)
    }
    expect(await cut(6)).toContain('Needle')
    expect(await cut(0)).toContain('')
    expect(await cut(20_000)).toContain(long.slice(0, 20_000))
    expect(read).toEqual([])
  })

  it('cut no character, and have the size of the whole text', async () => {
    const notes = `${path}/issues/1/discussions/${discussionId}/notes`
    const { body } = await get(`${notes}?max_body_length=24`)
    expect(body.map((note: Json) => [note.body, note.body_size])).toEqual([
      [long.slice(0, 24), long.length],
      [longest.slice(0, 24), longest.length],
      [short.slice(0, 23), Buffer.byteLength(short)],
    ])
    expect((await get(`${notes}?max_body_length=25`)).body[2].body).toBe(short)
    expect((await get(notes)).body[0]).not.toHaveProperty('body_size')
  })

  it('have an entity tag that changes with a text', async () => {
    const address = `${path}/issues/1/discussions`
    const unchanged = { 'if-none-match': (await get(address)).headers.etag ?? '' }
    expect((await get(address, unchanged)).status).toBe(304)
    const body = { body: `${long.slice(0, -2)}?!` }
    await server.inject('PUT', `${address}/${discussionId}/notes/${longNoteId}`, {
      token: server.root.token,
      body,
    })
    expect((await get(address, unchanged)).status).toBe(200)
    await server.inject('PUT', `${address}/${discussionId}/notes/${longNoteId}`, {
      token: server.root.token,
      body: { body: long },
    })
  })
})

describe('one comment or discussion', () => {
  it('has its whole text', async () => {
    const thread = `${path}/issues/1/discussions/${discussionId}`
    expect(bodies([(await get(thread)).body])).toEqual([long, longest, short])
    expect((await get(`${thread}/notes/${longNoteId}`)).body.body).toBe(long)
    expect((await get(`${path}/issues/1/notes/${longNoteId}`)).body.body).toBe(long)
  })
})

describe('pages', () => {
  const project = () => `/${fixture.project.path_with_namespace}/-`
  const pages: [string, () => string][] = [
    ['an issue', () => `${project()}/issues/1`],
    ['a thread', () => `${project()}/issues/1?discussion=${discussionId}`],
    ['a merge request', () => `${project()}/merge_requests/1`],
    ['a commit', () => `${project()}/commit/${sha}`],
    ['activity', () => `${project()}/activity`],
    ['the own activity', () => '/dashboard/activity'],
    ['home', () => '/'],
    ['todos', () => '/dashboard/todos'],
    ['a search', () => `/search?scope=notes&search=needle&project_id=${fixture.project.id}`],
  ]

  it.each(pages)('of %s read no long comment whole', async (_, address) => {
    const page = await browser.open(address())
    expect(page.status).toBe(200)
    expect(page.text).toContain('Needle')
    expect(read).toEqual([])
  })

  it('of an issue show as much of comments as they have room for, and lead to the rest', async () => {
    const page = await browser.open(`${project()}/issues/1`)
    const notice = /The rest of this text of .* is left out\..*$/
    const shown = page.texts('.comment .prose').map((text) => text.replace(notice, ''))
    const length = shown.reduce((sum, text) => sum + text.length, 0)
    expect(length).toBeGreaterThan(95_000)
    expect(length).toBeLessThanOrEqual(100_000)
    expect(page.texts('.comment .muted').join()).toContain('text of 109.4 KiB is left out')
    const text = await browser.send(`${project()}/issues/1/notes/${longNoteId}/text`)
    expect(await text.text()).toBe(long)
  })

  it('of an issue show a comment whole that is the only long one', async () => {
    await created(server, `${path}/issues`, { title: 'Another' })
    await created(server, `${path}/issues/2/notes`, { body: long })
    const page = await browser.open(`${project()}/issues/2`)
    expect(page.texts('.comment .prose').join().length).toBeGreaterThan(2000 * sentence.length)
    expect(page.text).not.toContain('is left out')
  })

  it('that edit a comment have its whole text', async () => {
    const address = `${project()}/issues/1?edit_note=${longNoteId}&in=${discussionId}`
    const page = await browser.open(address)
    const field = page.document.querySelector(`#note_${longNoteId}_body`)
    expect(field?.textContent.trim()).toBe(long.trim())
    expect(read).toEqual([1])
  })
})
