/*
 * Pages with texts as long as the API takes them: they stay about as large as others, say what they leave out,
 * and lead to the whole of it.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

/** Characters of a page: what is shown of the texts, and what stands around them. */
const maxPage = 800_000

const texts: readonly [name: string, text: string][] = [
  ['words', 'word <b>x</b> '.repeat(60_000)],
  ['links', '[a](b)\n'.repeat(128_000)],
  ['tasks', '- [ ] task\n'.repeat(80_000)],
  ['quotes in each other', '> '.repeat(450_000)],
  ['references', '#1 @root ~l !1 '.repeat(60_000)],
  ['one word', 'x'.repeat(900_000)],
  ['code', `\`\`\`js\n${'a<b;\n'.repeat(150_000)}`],
]

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let reader: WebBrowser
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  project = await server.buildProject({ visibility: 'public' }, owner)
  path = `/${project.path_with_namespace}/-`
  browser = await openBrowser(server, owner)
  reader = await openBrowser(server, await server.buildUser())
})
afterAll(() => server.close())

async function create(endpoint: string, body: object): Promise<Json> {
  const answer = await server.inject('POST', `/projects/${project.id}${endpoint}`, {
    token: owner.token,
    body,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

/** The text that a page leads to for the whole of what it cuts, as somebody else reads it. */
async function wholeText(address: string): Promise<string> {
  const page = await reader.open(address)
  expect(page.status).toBe(200)
  const links = page.document
    .querySelectorAll('a')
    .filter(({ text }) => text === 'See the whole text')
  const response = await reader.send(links.at(-1)?.getAttribute('href') ?? '')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  return response.text()
}

describe('the page of an issue', () => {
  it.each(texts)(
    'with a very long description of %s is cut, and leads to the whole of it',
    async (_, description) => {
      const { iid } = await create('/issues', { title: 'Long', description })
      const page = await browser.open(`${path}/issues/${iid}`)
      expect(page.text.length).toBeLessThan(maxPage)
      expect(gzipSync(page.text).length).toBeLessThan(60_000)
      expect(page.texts('.card .muted').join()).toMatch(
        /text of [789]\d\d,\d{3} characters is left out/,
      )
      expect(await wholeText(`${path}/issues/${iid}`)).toBe(description)
    },
  )

  it('with many very long comments is cut, and leads to the whole of each', async () => {
    const { iid } = await create('/issues', { title: 'Long', description: 'Short' })
    for (const [, body] of texts) await create(`/issues/${iid}/notes`, { body })
    const page = await browser.open(`${path}/issues/${iid}`)
    expect(page.text.length).toBeLessThan(maxPage)
    expect(page.texts('.prose')[0]).toBe('Short')
    expect(await wholeText(`${path}/issues/${iid}`)).toBe(texts.at(-1)?.[1])
    const missing = await reader.open(`${path}/issues/${iid}/notes/999999/text`)
    expect(missing.status).toBe(404)
  })

  it('with many tasks has buttons for the first hundred', async () => {
    const description = '- [ ] task\n'.repeat(150)
    const { iid } = await create('/issues', { title: 'Tasks', description })
    const page = await browser.open(`${path}/issues/${iid}`)
    expect(page.texts('.tasks button')).toHaveLength(100)
    expect(page.texts('.tasks > summary')).toEqual(['0 of 150 tasks done'])
  })
})

describe('the pages of other long texts', () => {
  it('are cut, and lead to the whole of them', async () => {
    const [, long = ''] = texts[1] ?? []
    const fields = { title: 'long', description: long }
    await create('/milestones', fields)
    expect(await wholeText(`${path}/milestones/1`)).toBe(long)
    const code = { file_name: 'a.md', content: 'x\n'.repeat(200_000), visibility: 'public' }
    const snippet = await create('/snippets', { ...fields, ...code })
    expect(await wholeText(`${path}/snippets/${snippet.id}`)).toBe(code.content)
    const description = await reader.send(`${path}/snippets/${snippet.id}/description`)
    expect(await description.text()).toBe(long)
    await create('/wikis', { title: 'home', content: long })
    expect(await wholeText(`${path}/wikis/home`)).toBe(long)
  })
})
