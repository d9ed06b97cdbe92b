/*
 * Projects, groups and users that are named like pages: whatever name the API takes, their pages are found.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../packages/web/src/app/routes.ts'
import { openBrowser, type WebBrowser } from '../src/testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

/** The words that addresses of pages have. */
const words = [
  ...new Set(
    routes.flatMap(({ pattern }) => pattern.split('/')).filter((word) => /^[a-z]\w*$/.test(word)),
  ),
]

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())

/** Creates what the API lets have a name; undefined otherwise. */
async function create(path: string, body: object): Promise<number | undefined> {
  const { status, body: created } = await server.inject('POST', path, {
    token: server.root.token,
    body,
  })
  expect([status, path, body]).toEqual([status === 201 ? 201 : 400, path, body])
  return status === 201 ? created.id : undefined
}

/** The headings of pages, with their statuses. */
async function headings(addresses: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const address of addresses) {
    const { status, heading } = await browser.open(address)
    found.push(`${status} ${heading}`)
  }
  return found
}

describe('pages of what is named like a page', () => {
  it('are found for projects of a group', async () => {
    const group = await server.buildGroup()
    let checked = 0
    for (const word of words) {
      const project = { name: `p ${word}`, path: word, namespace_id: group.id }
      if ((await create('/projects', project)) === undefined) continue
      const own = `/${group.full_path}/${word}`
      const pages = [own, `${own}/-/issues`, `${own}/issues`]
      expect([word, await headings(pages)]).toEqual([
        word,
        [`200 p ${word}`, '200 Issues', '200 Issues'],
      ])
      checked += 1
    }
    expect(checked).toBeGreaterThan(20)
  })

  it('are found for subgroups, and the projects in them', async () => {
    const group = await server.buildGroup()
    let checked = 0
    for (const word of words) {
      const id = await create('/groups', {
        name: `g ${word}`,
        path: word,
        parent_id: group.id,
      })
      if (id === undefined) continue
      await create('/projects', { name: 'inner', namespace_id: id })
      const own = `/${group.full_path}/${word}`
      const pages = [own, `${own}/inner`, `${own}/inner/-/issues`]
      expect([word, await headings(pages)]).toEqual([
        word,
        // Its picture is its initial.
        [`200 g g ${word}`, '200 inner', '200 Issues'],
      ])
      checked += 1
    }
    expect(checked).toBeGreaterThan(20)
  })

  it('are found for users and groups of the first level', async () => {
    for (const word of words) {
      const user = { username: word, name: `u ${word}`, email: `${word}@example.com` }
      const values = { ...user, password: 'a user password', skip_confirmation: true }
      if ((await create('/users', values)) !== undefined) {
        expect([word, await headings([`/${word}`])]).toEqual([word, [`200 u ${word}`]])
        continue
      }
      expect([
        word,
        (await create('/groups', { name: `g ${word}`, path: word })) === undefined,
      ]).toEqual([word, true])
    }
  })
})
