import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startMailServer, type TestMailServer } from '../src/testing/clients/mail-server.ts'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import { buildWorkTree, git, mustGit, remoteUrl } from '../src/testing/git/git-client.ts'
import { buildPublicKey } from '../src/testing/git/ssh-key.ts'
import { totpAt } from '../src/testing/two-factor.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('..', import.meta.url))
const token = 'bundle-test-token-0123456789'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** The sources of a script and of all that are loaded with it. */
async function sourcesOf(dist: string, start: string): Promise<string[]> {
  const loaded = new Set([start])
  const sources: string[] = []
  for (const name of loaded) {
    const script = await readFile(join(dist, name), 'latin1')
    for (const [, next = ''] of script.matchAll(/(?:from|import) ?"\.\/([^"]+)"/g)) loaded.add(next)
    sources.push(...JSON.parse(await readFile(join(dist, `${name}.map`), 'utf8')).sources)
  }
  return sources
}

/** `{ name } = await import('package')`, or `import('package').then(({ name }) => …)`, but for the default export. */
const laterImport =
  /\{(?! *default\b)[^{}]*\} = await import\('(?![.@])([^']+)'\)|import\('(?![.@])([^']+)'\)\.then\(\(\{(?! *default\b)/g

/** @param from the file that imports it */
function isModule(name: string, from: string): boolean {
  const file = findPackageJSON(name, from)
  return file !== undefined && JSON.parse(readFileSync(file, 'utf8')).type === 'module'
}

/** Users run the bundle: a dependency that does not survive bundling fails only here. */
describe('the bundled program', () => {
  let dist: string
  let data: string
  let sshPort: number
  let server: ServerProcess
  let mailServer: TestMailServer

  beforeAll(async () => {
    // Inside the package, so that what is left outside the bundle is found.
    dist = await mkdtemp(join(folder, 'dist-test-'))
    data = await mkdtemp(join(tmpdir(), 'stithy-bundle-'))
    await run(process.execPath, ['build.ts', dist], { cwd: folder })
    sshPort = await freePort()
    mailServer = await startMailServer()
    server = await startServerProcess({
      data,
      env: {
        STITHY_ROOT_TOKEN: token,
        STITHY_SMTP_URL: `smtp://127.0.0.1:${mailServer.config().port}`,
      },
      args: ['--ssh-port', String(sshPort)],
      program: [join(dist, 'main.js')],
    })
  })
  afterAll(async () => {
    await server?.end('SIGKILL')
    await mailServer?.close()
    await rm(dist, { recursive: true, force: true })
    await rm(data, { recursive: true, force: true })
  })

  function stithy(...args: string[]) {
    return run(process.execPath, [join(dist, 'main.js'), ...args], {
      env: { PATH: process.env.PATH, STITHY_URL: server.address, STITHY_TOKEN: token },
    })
  }

  it('serves, and prints lists as tables and as JSON', async () => {
    await stithy('projects', 'create', '--name', 'bundled', '--initialize-with-readme')
    const table = await stithy('projects', 'list')
    expect(table.stdout).toContain('root/bundled')
    const json = await stithy('commits', 'list', '--project', 'root/bundled', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject([{ title: 'Initial commit' }])
    const raw = await stithy('api', '/projects/root%2Fbundled')
    expect(JSON.parse(raw.stdout)).toMatchObject({ path: 'bundled' })
    const license = await stithy('api', '/templates/licenses/mit')
    expect(JSON.parse(license.stdout)).toMatchObject({ name: 'MIT License' })
    const lint = await stithy('lint', 'check', '--content', 'test: {script: x}', '--json')
    expect(JSON.parse(lint.stdout)).toEqual({ status: 'valid', errors: [] })
  })

  it('starts without the implementation of `fetch`, which takes a tenth of the time', async () => {
    const names = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    for (const name of names) {
      // As an ES module, node:http loads it; through `require` it doesn't.
      expect(await readFile(join(dist, name), 'utf8'), name).not.toMatch(/from ?"(node:)?https?"/)
    }
  })

  it('starts without pages, PostgreSQL and an HTTP client, which not every server needs', async () => {
    const names = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    const [start = ''] = names.filter((name) => name.startsWith('run-server-'))
    const sources = await sourcesOf(dist, start)
    expect(sources).toContainEqual(
      expect.stringContaining('packages/store/src/platform/database.ts'),
    )
    expect(sources).toContainEqual(expect.stringContaining('node_modules/fastify/'))
    const unneeded = /node_modules\/(pg|undici)\/|packages\/web\/src\/app\/routes\.ts$/
    expect(sources.filter((source) => unneeded.test(source))).toEqual([])
  })

  it('is ASCII: Node.js would keep the text of any other script with two bytes for a character', async () => {
    const names = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    for (const name of names) {
      expect((await readFile(join(dist, name), 'latin1')).search(/[^\0-\x7f]/), name).toBe(-1)
    }
  })

  it('sends mail', async () => {
    const user = { username: 'mia', name: 'Mia', email: 'mia@example.com', reset_password: true }
    const project = { name: 'mailed', visibility: 'public' }
    const post = async (path: string, body: object) => {
      const headers = { 'private-token': token, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${server.address}/api/v4${path}`, request)).json()
    }
    await post('/users', { ...user, skip_confirmation: true })
    const { id } = await post('/projects', project)
    await post(`/projects/${id}/issues`, { title: 'Title', description: '@mia **Hello**' })
    const received: string[] = []
    await vi.waitFor(() => {
      received.push(...mailServer.take().map(({ html }) => String(html)))
      expect(received).toHaveLength(2)
    }, 20_000)
    expect(received.join('\n')).toContain('<strong>')
  })

  it('takes SSH keys', async () => {
    const key = buildPublicKey()
    const { stdout } = await stithy(
      'users',
      'keys',
      'create',
      '--title',
      'k',
      '--key',
      key,
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({ title: 'k' })
  })

  it('takes of a CommonJS package that it loads later what the bundle exports of it', () => {
    const names = globSync('../../{apps,packages}/*/src/**/*.ts', { cwd: folder })
    for (const name of names.filter((name) => !/\.test\.ts$|\/testing\//.test(name))) {
      const file = join(folder, name)
      const source = readFileSync(file, 'utf8')
      for (const [, awaited, chained] of source.matchAll(laterImport)) {
        const named = awaited ?? chained ?? ''
        expect(isModule(named, file), `${name} has to take the default export of ${named}`).toBe(
          true,
        )
      }
    }
  })

  it('listens for SSH', async () => {
    const socket = connect(sshPort, '127.0.0.1')
    const [line] = await once(socket, 'data')
    socket.destroy()
    expect(String(line)).toBe('SSH-2.0-Stithy\r\n')
  })

  it('enforces a protected branch with the hook that it contains', async () => {
    await stithy('projects', 'create', '--name', 'hooked')
    const remote = remoteUrl(server.address, 'root/hooked', 'root', token)
    const tree = await buildWorkTree()
    await mustGit(tree, 'push', remote, 'main')
    await mustGit(tree, 'commit', '--quiet', '--amend', '--message', 'Changed')
    const { code, stderr } = await git(tree, 'push', '--force', remote, 'main')
    expect(stderr).toContain('remote: You are not allowed to force push code')
    expect(code).toBe(1)
  })

  it('runs admin commands while the server runs', async () => {
    await stithy('admin', 'create-user', 'ada', '--email', 'ada@example.com', '--data', data)
    const created = await stithy('admin', 'create-token', 'ada', '--name', 'x', '--data', data)
    const answer = await fetch(`${server.address}/api/v4/user`, {
      headers: { 'private-token': created.stdout.trim() },
    })
    expect(await answer.json()).toMatchObject({ username: 'ada' })
  })

  it('finds code, and makes the search index anew while the server runs', async () => {
    const search = async (text: string) => {
      const path = `/search?scope=blobs&search=${text}`
      const { stdout } = await stithy('api', path)
      return JSON.parse(stdout).map((found: { path: string }) => found.path)
    }
    await stithy('projects', 'create', '--name', 'searched', '--initialize-with-readme')
    await expect.poll(() => search('searched')).toEqual(['README.md'])
    const { stdout } = await stithy('index', '--rebuild', '--data', data)
    expect(stdout).toMatch(/^(\d+) of \1 repositories are indexed\n$/)
    expect(await search('searched')).toEqual(['README.md'])
  })

  it('turns off the two-factor authentication of a user who has lost their app', async () => {
    await stithy('admin', 'create-user', 'eve', '--email', 'eve@example.com', '--data', data)
    const created = await stithy('admin', 'create-token', 'eve', '--name', 'x', '--data', data)
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${server.address}/api/v4/user/two_factor${path}`, {
        method,
        headers: { 'private-token': created.stdout.trim(), 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return response.json()
    }
    const { secret } = await call('POST', '')
    await call('POST', '/confirm', { otp: totpAt(secret, Date.now()) })
    expect(await call('GET', '')).toEqual({ enabled: true, recovery_codes_left: 10 })
    await stithy('admin', 'disable-two-factor', 'eve', '--data', data)
    expect(await call('GET', '')).toEqual({ enabled: false, recovery_codes_left: 0 })
  })

  it('carries the script of the web pages', async () => {
    const page = await fetch(`${server.address}/explore`, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    const [, src = ''] = /<script type="module" src="([^"]+)">/.exec(await page.text()) ?? []
    const script = await fetch(server.address + src)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).toContain('data-markdown')
  })

  it('shows the API reference', async () => {
    const page = await fetch(`${server.address}/-/api`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('/api/v4/openapi.json')
  })
})
