import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../testing/clients/web-browser.ts'
import { commit, mustGit } from '../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../testing/git/repository.ts'
import { noise } from '../testing/noise.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

const text = 'The quick brown fox\n'
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 2048\n`
const large = await noise(50 * 1024 * 1024)

let server: TestServer
let built: PushedProject
let browser: WebBrowser
/** Addresses of the same text. */
const addresses: Record<string, string> = {}

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(
    server,
    { 'fox.txt': text, 'p.psd': pointer },
    { visibility: 'private' },
  )
  await writeFile(join(built.tree, 'large.bin'), large)
  await commit(built.tree, {}, 'Large')
  await built.push()
  browser = await openBrowser(server, server.root)
  const { id, path_with_namespace: path } = built.project
  const api = `/api/v4/projects/${id}`
  addresses.file = `${api}/repository/files/fox.txt/raw?ref=main`
  addresses.blob = `${api}/repository/blobs/${await mustGit(built.tree, 'rev-parse', 'main:fox.txt')}/raw`
  addresses.page = `/${path}/-/raw/main/fox.txt`
  const snippet = { title: 'Fox', file_name: 'fox.txt', code: text, visibility: 'private' }
  const { token } = server.root
  const made = await server.inject('POST', `/projects/${id}/snippets`, { token, body: snippet })
  addresses.snippet = `${api}/snippets/${made.body.id}/raw`
  addresses.snippetPage = `/${path}/-/snippets/${made.body.id}/raw`
  addresses.upload = `/${path}${(await upload(`${api}/uploads`)).url}`
  addresses.attachment = `/${path}/wikis/${(await upload(`${api}/wikis/attachments`)).link.url}`
})
afterAll(() => server.close())

async function upload(path: string) {
  const form = new FormData()
  form.append('file', new File([text], 'fox.txt'))
  const headers = { 'private-token': server.root.token }
  const answer = await fetch((await server.url()) + path, { method: 'POST', body: form, headers })
  return answer.json() as Promise<Json>
}

/** Pages take the session, everything else the token. */
async function read(name: string, headers: Record<string, string> = {}, method = 'GET') {
  const address = addresses[name] ?? name
  const isPage = address.includes('/-/')
  const own: Record<string, string> = isPage ? {} : { 'private-token': server.root.token }
  return browser.send(address, { method, headers: { accept: '*/*', ...own, ...headers } })
}

const routes = ['file', 'blob', 'page', 'snippet', 'snippetPage', 'upload', 'attachment']

describe.each(routes)('GET of raw bytes (%s)', (route) => {
  it('answers 200 with a strong entity tag, and says that it has ranges', async () => {
    const answer = await read(route)
    expect(await answer.text()).toBe(text)
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('answers 304 without a body to its entity tag, also a weak one', async () => {
    const etag = (await read(route)).headers.get('etag') ?? ''
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await read(route, { 'if-none-match': header, range: 'bytes=0-1' }, method)
        expect([answer.status, await answer.text()]).toEqual([304, ''])
        expect(answer.headers.get('etag')).toBe(etag)
        expect(answer.headers.get('content-length')).toBe(null)
        expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      }
    }
    expect((await read(route, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('answers 412 unless If-Match has its entity tag', async () => {
    const etag = (await read(route)).headers.get('etag') ?? ''
    for (const header of ['"other"', `W/${etag}`]) {
      const answer = await read(route, { 'if-match': header })
      expect([answer.status, await answer.text()]).toEqual([
        412,
        JSON.stringify({ message: '412 Precondition Failed' }),
      ])
    }
    for (const header of [etag, '*']) {
      expect((await read(route, { 'if-match': header })).status).toBe(200)
    }
  })

  it('answers 206 with a range', async () => {
    const whole = await read(route)
    const answer = await read(route, { range: 'bytes=4-8' })
    expect([answer.status, await answer.text()]).toEqual([206, 'quick'])
    expect(answer.headers.get('content-range')).toBe('bytes 4-8/20')
    expect(answer.headers.get('content-length')).toBe('5')
    for (const name of ['etag', 'content-type', 'content-disposition', 'content-security-policy']) {
      expect(answer.headers.get(name)).toBe(whole.headers.get(name))
    }
    expect(await (await read(route, { range: 'bytes=-4' })).text()).toBe('fox\n')
  })

  it('answers 416 with the length for a range that is not there', async () => {
    const answer = await read(route, { range: 'bytes=20-' })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */20'])
    expect(answer.headers.get('content-type')).toBe('application/json')
  })

  it('answers 200 with all bytes for several ranges, and where If-Range names another tag', async () => {
    const cases: Record<string, string>[] = [
      { range: 'bytes=0-1,3-4' },
      { range: 'bytes=0-1', 'if-range': '"other"' },
    ]
    for (const headers of cases) {
      const answer = await read(route, headers)
      expect([answer.status, await answer.text()]).toEqual([200, text])
    }
  })

  it('answers HEAD with the headers of all bytes', async () => {
    const answer = await read(route, { range: 'bytes=0-1' }, 'HEAD')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('content-length')).toBe(String(text.length))
  })
})

describe('GET of the raw bytes of a large file', () => {
  const pages = () => {
    const { id, path_with_namespace: path } = built.project
    return [
      `/api/v4/projects/${id}/repository/files/large.bin/raw`,
      `/${path}/-/raw/main/large.bin`,
    ]
  }

  it('answers with a range of 50 MiB, and ends git with it', async () => {
    for (const page of pages()) {
      const start = 30 * 1024 * 1024 - 7
      const answer = await read(page, { range: `bytes=${start}-${start + 99_999}` })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, bytes.equals(large.subarray(start, start + 100_000))]).toEqual([
        206,
        true,
      ])
      await expect.poll(readersRunning).toBe(0)
    }
  })

  it('sends 50 MiB', async () => {
    for (const page of pages()) {
      const bytes = Buffer.from(await (await read(page)).arrayBuffer())
      expect(bytes.equals(large)).toBe(true)
    }
  })

  it('leaves no git process behind when the client leaves', async () => {
    for (const page of pages()) {
      const answer = await read(page)
      const reader = answer.body?.getReader()
      await reader?.read()
      expect(readersRunning()).toBe(1)
      await reader?.cancel()
      await expect.poll(readersRunning).toBe(0)
    }
  })

  it('answers 304 and HEAD without a git process of its own', async () => {
    for (const page of pages()) {
      const etag = (await read(page, {}, 'HEAD')).headers.get('etag') ?? ''
      const before = server.app.git.spawnCount
      expect((await read(page, { 'if-none-match': etag })).status).toBe(304)
      expect((await read(page, {}, 'HEAD')).status).toBe(200)
      expect(server.app.git.spawnCount).toBe(before)
    }
  })
})

describe.each(['page', 'snippetPage'])('GET of raw bytes by a browser (%s)', (route) => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'

  it('answers a page where there is no such part, and where it was changed', async () => {
    for (const [name, value, status, heading] of [
      ['range', 'bytes=20-', 416, 'There is no such part'],
      ['if-match', '"other"', 412, 'That was changed meanwhile'],
    ] as const) {
      const answer = await read(route, { accept, [name]: value })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        'text/html; charset=utf-8',
      ])
      expect(answer.headers.get('content-range')).toBe(status === 416 ? 'bytes */20' : null)
      expect(answer.headers.get('content-security-policy')).toContain("style-src 'self'")
      expect(await answer.text()).toContain(`<h1 dir="auto">${heading}</h1>`)
    }
  })

  it('answers the bytes as ever', async () => {
    const answer = await read(route, { accept, range: 'bytes=4-8' })
    expect([answer.status, await answer.text()]).toEqual([206, 'quick'])
  })

  it('answers JSON to those who would rather have that', async () => {
    for (const preferred of ['application/json', 'application/json, text/html;q=0.5']) {
      for (const [name, value] of [
        ['range', 'bytes=20-'],
        ['if-match', '"other"'],
      ] as const) {
        const answer = await read(route, { accept: preferred, [name]: value })
        expect(answer.headers.get('content-type')).toBe('application/json')
      }
      const missing = `${addresses[route]}/nothing`
      expect((await read(missing, { accept: preferred })).headers.get('content-type')).toMatch(
        /^application\/json/,
      )
    }
  })
})

describe('GET of the raw bytes of a file that is stored in LFS', () => {
  it('answers with the pointer, and ranges of it', async () => {
    const page = `/${built.project.path_with_namespace}/-/raw/main/p.psd`
    expect(await (await read(page)).text()).toBe(pointer)
    expect(await (await read(page, { range: 'bytes=0-6' })).text()).toBe('version')
  })
})

function readersRunning(): number {
  const pid = String(server.app.git.brokerPid)
  const children = execFileSync('ps', ['--ppid', pid, '-o', 'args=']).toString()
  return children.split('\n').filter((line) => line.includes(' cat-file blob ')).length
}
