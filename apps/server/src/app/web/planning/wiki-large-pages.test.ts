/*
 * The pages of large wikis: lists in parts, and pages without a list where there are too many.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { pushedWiki } from '../../../testing/git/pushed-wiki.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())

async function openWiki(count: number): Promise<string> {
  const { path_with_namespace: path } = await pushedWiki(server, count, 'Text')
  return `/${path}/-/wikis`
}

describe('a wiki of 10,000 pages', () => {
  it('is listed a hundred pages at a time, and by 30 beside each of them', async () => {
    const wiki = await openWiki(10_000)
    const first = await browser.open(`${wiki}/pages`)
    expect(first.texts('.rows .title')).toHaveLength(100)
    expect(first.texts('.pages .muted')).toEqual(['Page 1 of 100'])
    expect(gzipSync(first.text).length).toBeLessThan(10_000)
    const second = await first.follow('Next')
    expect(second.texts('.rows .title')).toHaveLength(100)
    expect(second.texts('.rows .title')[0]).not.toBe(first.texts('.rows .title')[0])
    const last = await browser.open(`${wiki}/pages?page=100000`)
    expect(last.texts('.pages .muted')).toEqual(['Page 100 of 100'])
    const page = await browser.open(`${wiki}/pages/page-7`)
    expect(page.texts('.prose')).toEqual(['Text'])
    expect(page.texts('.aside .plain li')).toHaveLength(30)
    expect(page.texts('.aside a')).toContain('All 10,000 pages')
  })
})

describe('a wiki of more pages than are listed', () => {
  it('shows each of them, and leads to the search', async () => {
    const wiki = await openWiki(10_001)
    const page = await browser.open(`${wiki}/pages/page-7`)
    expect([page.status, page.texts('.prose')]).toEqual([200, ['Text']])
    const list = await browser.open(`${wiki}/pages`)
    expect(list.status).toBe(200)
    expect(list.texts('.card p').join()).toContain('too many pages')
    const search = await list.follow('Search them')
    expect(search.status).toBe(200)
    const home = await browser.open(`${wiki}/home`)
    expect(home.texts('.empty h2')).toEqual(['No page is called home'])
  })
})
