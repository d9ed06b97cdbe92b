/*
 * What goes wrong with files that pages show and link to: a page for browsers, the error of the API for
 * programs.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: WebBrowser
let visitor: WebBrowser
/** Of a public project and a private one. */
let paths: { shown: string; hidden: string }
let upload: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await openBrowser(server, server.root)
  visitor = await openBrowser(server)
  const { project } = await buildMergeFixture(server, { visibility: 'public' })
  const hidden = await server.buildProject({ visibility: 'private' })
  paths = {
    shown: `/${project.path_with_namespace}`,
    hidden: `/${hidden.path_with_namespace}`,
  }
  const form = new FormData()
  form.set('file', new File(['The quick brown fox.'], 'fox.txt'))
  const api = `${await server.url()}/api/v4/projects/${project.id}`
  const headers = { authorization: `Bearer ${server.root.token}` }
  const response = await fetch(`${api}/uploads`, { method: 'POST', headers, body: form })
  upload = paths.shown + ((await response.json()) as { url: string }).url
  await created(server, `/projects/${project.id}/wikis`, { title: 'home', content: 'Home' })
})
afterAll(() => server.close())

const secret = '0'.repeat(32)
const files: [string, string][] = [
  ['an upload', `/uploads/${secret}/a.txt`],
  ['an attachment of a wiki', `/wikis/uploads/${secret}/a.txt`],
  ['an archive', '/-/archive/nothing/a.zip'],
]

describe('GET of a file that is not there', () => {
  it.each(files)('answers browsers with a page: %s', async (_, file) => {
    for (const path of [paths.shown, paths.hidden]) {
      for (const browser of [owner, visitor]) {
        const page = await browser.open(path + file)
        expect([page.status, page.heading]).toEqual([404, 'Page not found'])
        expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
      }
    }
    expect((await visitor.open(paths.shown + file)).texts('main a')).toContain('sign in')
    const shown = await owner.open(paths.shown + file)
    expect(shown.document.querySelector('header form[action="/users/sign_out"]')).not.toBeNull()
  })

  it.each(files)('answers programs with the error of the API: %s', async (_, file) => {
    for (const accept of ['*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8']) {
      const response = await visitor.send(paths.shown + file, { headers: { accept } })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect((await response.json()).message).toMatch(/Not Found$/i)
    }
    const head = await visitor.send(paths.shown + file, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([404, ''])
  })

  it('answers browsers with a page for a picture of nobody', async () => {
    for (const file of ['user/avatar/999999/a.png', 'appearance/logo/1/a.png']) {
      const page = await visitor.open(`/uploads/-/system/${file}`)
      expect([page.status, page.heading]).toEqual([404, 'Page not found'])
    }
  })
})

describe('GET of an upload', () => {
  it('answers browsers with a page where there is no such part, or it is another file', async () => {
    for (const [name, value, status, heading] of [
      ['range', 'bytes=20-', 416, 'There is no such part'],
      ['if-match', '"other"', 412, 'That was changed meanwhile'],
    ] as const) {
      const response = await visitor.send(upload, { headers: { [name]: value } })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-range')).toBe(status === 416 ? 'bytes */20' : null)
      expect(response.headers.get('content-disposition')).toBeNull()
      expect(await response.text()).toContain(`<h1 dir="auto">${heading}</h1>`)
    }
  })

  it('answers the bytes', async () => {
    const response = await visitor.send(upload)
    expect([response.status, await response.text()]).toEqual([200, 'The quick brown fox.'])
  })
})

describe('GET of an archive', () => {
  it('asks visitors who may not read code to sign in', async () => {
    const project = await server.buildProject({
      visibility: 'public',
      repository_access_level: 'private',
    })
    const page = await visitor.open(`/${project.path_with_namespace}/-/archive/main/a.zip`)
    expect(new URL(page.address, 'http://stithy.test').pathname).toBe('/users/sign_in')
  })
})
