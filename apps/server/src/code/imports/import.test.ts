/**
 * What holds of `import_url` (`POST` and `PUT /projects`):
 * - the project is answered at once, with `import_status` scheduled; a job fetches branches and tags;
 * - afterwards `import_status` is finished, the default branch is that of the source and protected,
 *   and statistics follow; or failed, with `import_error`, and a PUT starts it again;
 * - credentials of the URL are sent to its host alone, and appear nowhere;
 * - local addresses are refused while requests to the local network are off, also behind names and
 *   redirects;
 * - the pack is no larger than a push may be;
 * - imports of one user run one after the other, those of others meanwhile.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findProjectImport } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { importRepository } from './import.service.ts'

let server: TestServer
let source: Json
let base: string
let tree: string

beforeAll(async () => {
  server = await buildTestServer({ allowLocalHooks: true })
  base = await server.url()
  source = await server.buildProject({ visibility: 'private' })
  tree = await buildWorkTree()
  await mustGit(tree, 'checkout', '--quiet', '-b', 'trunk')
  await commit(tree, { 'README.md': '# Source', 'a.ts': 'let a = 1\n' }, 'Second')
  await mustGit(tree, 'tag', 'v1')
  const remote = remoteUrl(base, source.path_with_namespace, 'root', server.root.token)
  await mustGit(tree, 'push', remote, 'trunk', 'main', 'v1')
  await server.inject('PUT', `/projects/${source.id}`, {
    token: server.root.token,
    body: { default_branch: 'trunk' },
  })
})
afterAll(() => server.close())

const sourceUrl = () => remoteUrl(base, source.path_with_namespace, 'root', server.root.token)
const create = (body: Json, on: TestServer = server) =>
  on.inject('POST', '/projects', { token: on.root.token, body })
const show = async (id: number, on: TestServer = server): Promise<Json> =>
  (await on.inject('GET', `/projects/${id}?statistics=true`, { token: on.root.token })).body
let count = 0
/** Creates a project from a URL, and returns it after its import. */
async function importFrom(import_url: string, on: TestServer = server): Promise<Json> {
  count += 1
  const { status, body } = await create({ name: `imported ${count}`, import_url }, on)
  expect([status, body.import_status]).toEqual([201, 'scheduled'])
  await on.runJobs()
  return show(body.id, on)
}

/** Another HTTP server. */
async function listen(answer: Parameters<typeof createServer>[1]): Promise<[Server, string]> {
  const other = createServer(answer as never)
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  return [other, `http://127.0.0.1:${(other.address() as AddressInfo).port}`]
}

describe('POST /projects with import_url', () => {
  it('imports branches, tags and the default branch, protects it and counts', async () => {
    const project = await importFrom(sourceUrl())
    expect(project).toMatchObject({
      import_status: 'finished',
      import_error: null,
      default_branch: 'trunk',
      empty_repo: false,
      readme_url: expect.stringContaining('README.md'),
    })
    const path = `/projects/${project.id}`
    const names = async (list: string) => {
      const answer = await server.inject('GET', `${path}${list}`, { token: server.root.token })
      return answer.body.map((entry: Json) => entry.name)
    }
    expect(await names('/repository/branches')).toEqual(['main', 'trunk'])
    expect(await names('/repository/tags')).toEqual(['v1'])
    expect(await names('/protected_branches')).toEqual(['trunk'])
    expect(project.statistics.commit_count).toBe(2)
    const head = await mustGit(tree, 'rev-parse', 'trunk')
    const commits = await server.inject('GET', `${path}/repository/commits`, {
      token: server.root.token,
    })
    expect(commits.body[0].id).toBe(head)
    const events = await server.inject('GET', `${path}/events`, { token: server.root.token })
    expect(events.body.map((event: Json) => event.action_name)).toEqual(['created'])
  })

  it('keeps the credentials until the import has ended, and shows them nowhere', async () => {
    const { body } = await create({ name: 'hidden credentials', import_url: sourceUrl() })
    const stored = await findProjectImport(server.app.db, body.id)
    expect(stored).toEqual({
      creatorId: 1,
      url: `${base}/${source.path_with_namespace}.git`,
      username: 'root',
      password: expect.stringMatching(/^v1\./),
    })
    expect(JSON.stringify(body)).not.toContain(server.root.token)
    await server.runJobs()
    expect(await findProjectImport(server.app.db, body.id)).toBeUndefined()
  })

  it('ignores initialize_with_readme', async () => {
    const body = { name: 'no readme', import_url: sourceUrl(), initialize_with_readme: true }
    const { body: project } = await create(body)
    await server.runJobs()
    expect(await show(project.id)).toMatchObject({
      import_status: 'finished',
      default_branch: 'trunk',
    })
  })

  it('imports an empty repository', async () => {
    const empty = await server.buildProject()
    const url = remoteUrl(base, empty.path_with_namespace, 'root', server.root.token)
    expect(await importFrom(url)).toMatchObject({ import_status: 'finished', empty_repo: true })
  })

  it.each([
    ['an unknown repository', () => `${base}/nobody/nothing.git`, /credentials|not found/],
    [
      'wrong credentials',
      () => sourceUrl().replace(/:[^:@]+@/, ':wrong@'),
      /credentials|not found/,
    ],
    ['something else', () => `${base}/-/liveness`, /not found|not a git repository/],
    ['a closed port', () => 'http://127.0.0.1:1/x.git', /could not be reached/],
  ])('fails for %s with import_error', async (_, url, reason) => {
    const project = await importFrom(url())
    expect(project).toMatchObject({ import_status: 'failed', empty_repo: true })
    expect(project.import_error).toMatch(reason)
    expect(project.import_error).not.toContain(server.root.token)
    expect(await findProjectImport(server.app.db, project.id)).toBeUndefined()
  })

  it('follows redirects, and sends credentials to the first host alone', async () => {
    const seen: (string | undefined)[] = []
    const [other, url] = await listen((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(302, {
        location: `${base}/${source.path_with_namespace}.git${request.url?.replace('/moved', '')}`,
      })
      response.end()
    })
    try {
      const project = await importFrom(`${url.replace('//', '//root:secret@')}/moved`)
      expect(seen).toEqual([`Basic ${Buffer.from('root:secret').toString('base64')}`])
      expect(project).toMatchObject({ import_status: 'failed' })
      await server.inject('PUT', `/projects/${source.id}`, {
        token: server.root.token,
        body: { visibility: 'public' },
      })
      expect(await importFrom(`${url}/moved`)).toMatchObject({ import_status: 'finished' })
    } finally {
      other.close()
    }
  })

  it('gives up on a server that sends an endless or broken answer', async () => {
    const type = { 'content-type': 'application/x-git-upload-pack-advertisement' }
    const [other, url] = await listen((request, response) => {
      response.writeHead(200, type)
      if (request.url?.startsWith('/broken')) return response.end('0000')
      const timer = setInterval(() => response.write('x'.repeat(16_384)), 1)
      return response.on('close', () => clearInterval(timer))
    })
    try {
      expect((await importFrom(`${url}/endless`)).import_status).not.toBe('started')
      expect(await importFrom(`${url}/broken`)).toMatchObject({ empty_repo: true })
    } finally {
      other.closeAllConnections()
      other.close()
    }
  })

  it('refuses local addresses while they are off, by name and behind a redirect too', async () => {
    const strict = await buildTestServer()
    try {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '0x7f.1', '2130706433']) {
        const { status, body } = await create(
          { name: 'x', import_url: `http://${host}/x.git` },
          strict,
        )
        expect([host, status]).toEqual([host, 400])
        expect(body.message).toHaveProperty('import_url')
      }
    } finally {
      await strict.close()
    }
  })

  it('runs the imports of a user in turn, and those of others meanwhile', async () => {
    const stop = new AbortController()
    const asked: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const [other, url] = await listen(async (request, response) => {
      asked.push(request.url ?? '')
      await released
      response.writeHead(404).end()
    })
    const user = await server.buildUser()
    const run = (id: number) => importRepository(server.app, id, stop.signal)
    const status = async (id: number) => (await show(id)).import_status
    try {
      const [first, second, third] = await Promise.all(
        ['slow one', 'slow two', 'slow three'].map(async (name) => {
          const { body } = await create({ name, import_url: `${url}/${name.slice(5)}` })
          return body.id
        }),
      )
      const { body: others } = await server.inject('POST', '/projects', {
        token: user.token,
        body: { name: 'other', import_url: `${base}/nobody/nothing.git` },
      })
      const running = run(first)
      await expect.poll(() => asked).toHaveLength(1)
      await run(second)
      await run(third)
      expect([await status(second), await status(third)]).toEqual(['scheduled', 'scheduled'])
      await run(others.id)
      expect(await status(others.id)).toBe('failed')
      release()
      await running
      await server.runJobs()
      expect([await status(first), await status(second), await status(third)]).toEqual(
        Array(3).fill('failed'),
      )
      expect(asked.length).toBe(3)
    } finally {
      release()
      other.close()
    }
  })

  it('refuses a repository that is larger than a push may be', async () => {
    const small = await buildTestServer({ allowLocalHooks: true, receiveMaxInputSize: 1 })
    try {
      const big = await server.buildProject()
      const noise = Array.from({ length: 40 }, (_, at) => [`f${at}`, randomText(60_000)])
      await commit(tree, Object.fromEntries(noise), 'Large')
      const url = remoteUrl(base, big.path_with_namespace, 'root', server.root.token)
      await mustGit(tree, 'push', url, 'HEAD:refs/heads/big')
      const project = await importFrom(url, small)
      expect(project).toMatchObject({
        import_status: 'failed',
        import_error: 'The repository is too large.',
        empty_repo: true,
      })
    } finally {
      await small.close()
    }
  })

  it('400s other kinds of URLs', async () => {
    for (const import_url of ['ssh://git@host/x', 'file:///etc', '/srv/x.git', 'ext::sh -c id']) {
      const { status, body } = await create({ name: 'x', import_url })
      expect([import_url, status]).toEqual([import_url, 400])
      expect(JSON.stringify(body)).toContain('import_url')
    }
  })
})

describe('PUT /projects/:id with import_url', () => {
  it('starts again after a failure, and not where there is a repository', async () => {
    const failed = await importFrom(`${base}/nobody/nothing.git`)
    const put = (id: number) =>
      server.inject('PUT', `/projects/${id}`, {
        token: server.root.token,
        body: { import_url: sourceUrl() },
      })
    const again = await put(failed.id)
    expect([again.status, again.body.import_status]).toEqual([200, 'scheduled'])
    expect(await put(failed.id)).toMatchObject({ status: 400 })
    await server.runJobs()
    expect(await show(failed.id)).toMatchObject({ import_status: 'finished', import_error: null })
    expect(await put(failed.id)).toMatchObject({
      status: 400,
      body: { message: { import_url: ['cannot be imported: the repository is not empty'] } },
    })
  })
})

describe('the log', () => {
  it('contains neither the URL nor the credentials of an import', async () => {
    const warn = vi.spyOn(server.app.log, 'warn')
    await importFrom(sourceUrl().replace(/:[^:@]+@/, ':hunter2@'))
    expect(warn).toHaveBeenCalled()
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/hunter2|127\.0\.0\.1/)
    warn.mockRestore()
  })
})

function randomText(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('base64')
}
