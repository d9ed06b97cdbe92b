import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let empty: Json
let tree: string
let remote: string
const large = randomBytes(9 * 1024 * 1024)
const page = '<script>alert(1)</script>\n'
const oddName = 'ünï "code"\r\n.txt'

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  empty = await server.buildProject({ visibility: 'public' })
  tree = await buildWorkTree()
  await mkdir(join(tree, 'src'))
  await writeFile(join(tree, 'large.bin'), large)
  await commit(
    tree,
    { 'src/page.html': page, 'zero.bin': 'a\0b', [oddName]: 'odd\n', empty: '' },
    'Files',
  )
  await commit(tree, { 'README.md': '# Again\n' }, 'Again')
  const { username, token } = server.root
  remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main')
})
afterAll(() => server.close())

interface Options {
  query?: string
  method?: string
  id?: number
  headers?: Record<string, string>
  token?: string
}

async function call(path: string, options: Options = {}) {
  const { query = 'ref=main', method = 'GET', id = project.id, ...rest } = options
  return server.inject(method, `/projects/${id}/repository/files/${path}`, { query, ...rest })
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

describe('GET /projects/:id/repository/files/:file_path', () => {
  it('shows a file and its headers', async () => {
    const { body, headers } = await call('src%2Fpage.html')
    const commitId = await mustGit(tree, 'rev-parse', 'main')
    const lastId = await mustGit(tree, 'rev-parse', 'main~1')
    const blobId = await mustGit(tree, 'rev-parse', 'main:src/page.html')
    expect(body).toEqual({
      file_name: 'page.html',
      file_path: 'src/page.html',
      size: page.length,
      encoding: 'base64',
      content_sha256: sha256(page),
      ref: 'main',
      blob_id: blobId,
      commit_id: commitId,
      last_commit_id: lastId,
      content: Buffer.from(page).toString('base64'),
    })
    expect(headers).toMatchObject({
      'x-gitlab-file-name': 'page.html',
      'x-gitlab-file-path': 'src/page.html',
      'x-gitlab-size': String(page.length),
      'x-gitlab-encoding': 'base64',
      'x-gitlab-content-sha256': sha256(page),
      'x-gitlab-ref': 'main',
      'x-gitlab-blob-id': blobId,
      'x-gitlab-commit-id': commitId,
      'x-gitlab-last-commit-id': lastId,
    })
  })

  it('responds to HEAD with the same headers and no body', async () => {
    const { status, text, headers } = await call('README.md', { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers['x-gitlab-size']).toBe('8')
    expect(headers['x-gitlab-content-sha256']).toBe(sha256('# Again\n'))
    expect(headers.etag).toBe((await call('README.md')).headers.etag)
  })

  it('sends a file larger than a buffer completely', async () => {
    const { body } = await call('large.bin')
    expect(Buffer.from(body.content, 'base64').equals(large)).toBe(true)
    expect(body.content_sha256).toBe(sha256(large))
  })

  it('sends a large file with an entity tag, and 304 to a client that has it', async () => {
    const path = `/projects/${project.id}/repository/files/large.bin?ref=main`
    const first = await server.inject('GET', path)
    const etag = String(first.headers.etag)
    expect(first.headers['content-length']).toBe(String(first.bytes.length))
    const head = await server.inject('HEAD', path)
    expect([head.status, head.headers.etag, head.bytes.length]).toEqual([200, etag, 0])
    const again = await server.inject('GET', path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it('requires a ref', async () => {
    for (const query of ['', 'ref=']) {
      const { status, body } = await call('README.md', { query })
      expect(status).toBe(400)
      expect(body.error).toMatch(/^ref is (missing|empty)$/)
    }
  })

  it.each(['none', '-x', 'a..b', 'x'.repeat(1000)])('returns 404 for the ref %s', async (ref) => {
    for (const raw of ['', '/raw']) {
      const { status, body } = await call(`README.md${raw}`, { query: `ref=${ref}` })
      expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }])
    }
  })

  it.each(['none', 'src', '..%2Fetc%2Fpasswd', 'src%2F..%2FREADME.md', '-x', '%00'])(
    'returns 404 for the path %s',
    async (path) => {
      for (const raw of ['', '/raw']) {
        const { status, body } = await call(`${path}${raw}`)
        expect([status, body]).toEqual([404, { message: '404 File Not Found' }])
      }
    },
  )

  it('returns 404 in an empty repository', async () => {
    expect((await call('README.md', { id: empty.id })).status).toBe(404)
    expect((await call('README.md/raw', { id: empty.id, query: '' })).status).toBe(404)
  })

  it('lets tokens with read_repository read files, but not issues', async () => {
    const hidden = await server.buildProject()
    const tokenOf = (scope: string) => server.buildToken(server.root.id, [scope])
    const options = { id: hidden.id, query: 'ref=main' }
    const status = async (scope: string) =>
      (await call('README.md', { ...options, token: await tokenOf(scope) })).status
    expect(await status('read_repository')).toBe(404)
    expect(await status('read_user')).toBe(403)
    const { body } = await call('README.md', { token: await tokenOf('read_repository') })
    expect(body.file_name).toBe('README.md')
  })

  it('returns 404 when the code is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await call('README.md', { id: hidden.id })).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    expect((await call('README.md', { id: hidden.id, token: guest.token })).status).toBe(403)
  })
})

describe('GET /projects/:id/repository/files/:file_path/raw', () => {
  it('sends the bytes, from the default branch if no ref is sent', async () => {
    for (const query of ['ref=main', '', 'ref=']) {
      const { status, text, headers } = await call('README.md/raw', { query })
      expect([status, text]).toEqual([200, '# Again\n'])
      expect(headers['x-gitlab-ref']).toBe('main')
      expect(headers['content-length']).toBe('8')
    }
  })

  it('prevents browsers from running the content', async () => {
    const { text, headers } = await call('src%2Fpage.html/raw')
    expect(text).toBe(page)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toMatch(/sandbox/)
    const binary = await call('zero.bin/raw')
    expect(binary.headers['content-type']).toBe('application/octet-stream')
    expect(binary.headers['content-disposition']).toMatch(/^attachment/)
    expect(binary.bytes).toEqual(Buffer.from('a\0b'))
  })

  it('streams large files, and sends their length on HEAD', async () => {
    const { bytes, headers } = await call('large.bin/raw')
    expect(bytes.equals(large)).toBe(true)
    expect(headers['x-gitlab-content-sha256']).toBe(sha256(large))
    const head = await call('large.bin/raw', { method: 'HEAD' })
    expect(head.bytes).toHaveLength(0)
    expect(head.headers['content-length']).toBe(String(large.length))
  })

  it('sends an empty file', async () => {
    const { status, bytes, headers } = await call('empty/raw')
    expect([status, bytes.length, headers['x-gitlab-size']]).toEqual([200, 0, '0'])
  })

  it('sends file names that are invalid in headers', async () => {
    const { status, text, headers } = await call(`${encodeURIComponent(oddName)}/raw`)
    expect([status, text]).toEqual([200, 'odd\n'])
    expect(headers['x-gitlab-file-name']).not.toMatch(/[\r\n]/)
    expect(headers['content-disposition']).toMatch(
      /filename\*=UTF-8''%C3%BCn%C3%AF%20%22code%22%0D%0A/,
    )
  })

  it('returns 304 while the file is unchanged', async () => {
    const { headers } = await call('README.md/raw')
    const again = await call('README.md/raw', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('sends the new content after a push, and starts no git process before', async () => {
    await commit(tree, { 'moving.txt': 'one\n' }, 'One')
    await mustGit(tree, 'push', remote, 'main')
    // The refs are checked on every read for a tenth of a second after a change.
    await sleep(150)
    expect((await call('moving.txt/raw')).text).toBe('one\n')
    await call('moving.txt')
    const before = server.app.git.spawnCount
    expect((await call('moving.txt/raw')).text).toBe('one\n')
    await call('moving.txt')
    expect(server.app.git.spawnCount).toBe(before)
    await commit(tree, { 'moving.txt': 'two\n' }, 'Two')
    await mustGit(tree, 'push', remote, 'main')
    expect((await call('moving.txt/raw')).text).toBe('two\n')
  })
})
