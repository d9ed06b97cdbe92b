/*
 * Addresses that lead to a comment which is not there any more.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildMergeFixture } from '../../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())

/** An item with its path in the API and the address of its page. */
interface Item {
  api: string
  address: string
}

async function call(method: string, path: string, body?: object): Promise<Json> {
  const { token } = server.root
  const answer = await server.inject(method, path, { token, ...(body && { body }) })
  expect([method, path, answer.status < 300]).toEqual([method, path, true])
  return answer.body
}

const items: readonly [kind: string, build: () => Promise<Item>][] = [
  ['an issue', () => buildIn('issues', { title: 'Issue' })],
  ['a merge request', () => buildIn('merge_requests')],
  [
    'a snippet',
    () => buildIn('snippets', { title: 'A', file_name: 'a', content: 'a', visibility: 'public' }),
  ],
  [
    'an epic',
    async () => {
      const group = await server.buildGroup()
      const { id, iid } = await call('POST', `/groups/${group.id}/epics`, { title: 'Epic' })
      const address = `/groups/${group.full_path}/-/epics/${iid}`
      return { api: `/groups/${group.id}/epics/${id}`, address }
    },
  ],
]

async function buildIn(kind: string, body?: object): Promise<Item> {
  const { project, request } = await buildMergeFixture(server)
  const made =
    body === undefined ? request : await call('POST', `/projects/${project.id}/${kind}`, body)
  const id = kind === 'snippets' ? made.id : made.iid
  return {
    api: `/projects/${project.id}/${kind}/${id}`,
    address: `/${project.path_with_namespace}/-/${kind}/${id}`,
  }
}

describe.each(items)('the page of %s', (_, build) => {
  it('says so where the comment or thread of an address was deleted, and shows the rest', async () => {
    const { api, address } = await build()
    const kept = await call('POST', `${api}/notes`, { body: 'Kept' })
    const thread = await call('POST', `${api}/discussions`, { body: 'Gone' })
    const [{ id }] = thread.notes
    await call('DELETE', `${api}/discussions/${thread.id}/notes/${id}`)
    for (const [query, anchor] of [
      [`note_id=${id}`, `note_${id}`],
      [`discussion=${thread.id}`, `discussion_${thread.id}`],
    ]) {
      const page = await browser.open(`${address}?${query}`)
      expect([query, page.status]).toEqual([query, 200])
      expect(page.texts(`#note_${kept.id} .prose`)).toEqual(['Kept'])
      expect(page.texts(`#${anchor} .notice`).join()).toContain('was deleted')
    }
    expect((await browser.open(`${address}?note_id=${kept.id}`)).texts('.notice')).toEqual([])
    expect((await browser.open(`${address}9?note_id=${id}`)).status).toBe(404)
  })
})

describe('the changes of a merge request', () => {
  it('lead from the address of a deleted comment to the overview, which says so', async () => {
    const { api, address } = await buildIn('merge_requests')
    const { id } = await call('POST', `${api}/notes`, { body: 'Gone' })
    await call('DELETE', `${api}/notes/${id}`)
    const page = await browser.open(`${address}/diffs?note_id=${id}`)
    expect([page.status, page.address]).toEqual([200, `${address}?note_id=${id}`])
    expect(page.texts(`#note_${id} .notice`)).toHaveLength(1)
  })
})
