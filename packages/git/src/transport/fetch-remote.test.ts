import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Repository } from '../git.ts'
import { listRefs } from '../refs/refs.ts'
import { createRepository } from '../repository.ts'
import { buildWork, type Fixture, openFixture, runGit, type Work } from '../testing/fixture.ts'
import { type SmartServer, startSmartServer } from '../testing/smart-http.ts'
import { fetchRemote, pinning } from './fetch-remote.ts'

let fixture: Fixture
let work: Work
let smart: SmartServer
let count = 0

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  work.commit({ 'README.md': '# One\n' })
  work.commit({ 'README.md': '# Two\n' })
  smart = await startSmartServer(fixture.git, work.repository)
})
afterAll(async () => {
  await smart.close()
  await fixture.close()
})

async function emptyRepository(): Promise<Repository> {
  count += 1
  const path = join(fixture.folder, `import-${count}.git`)
  return createRepository(fixture.git, path, { defaultBranch: 'main' })
}

/** Serves the files of a repository as any web server does: git's dumb protocol. */
async function serveFiles(folder: string): Promise<[Server, string]> {
  runGit(['-C', folder, 'update-server-info'])
  const server = createServer((request, response) => {
    const path = join(folder, URL.parse(request.url ?? '', 'http://x')?.pathname ?? '')
    if (existsSync(path) && statSync(path).isFile()) createReadStream(path).pipe(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
}

const names = async (repository: Repository, type: 'heads' | 'tags') =>
  (await listRefs(fixture.git, repository, type)).map(({ name }) => name)

describe('fetchRemote', () => {
  it('fetches the whole history', async () => {
    const repository = await emptyRepository()
    await fetchRemote(fixture.git, repository, { url: smart.url, address: '127.0.0.1' })
    expect(await names(repository, 'heads')).toEqual(await names(work.repository, 'heads'))
    expect(runGit(['-C', repository.path, 'rev-list', '--count', '--all']).trim()).toBe('2')
    expect(existsSync(join(repository.path, 'shallow'))).toBe(false)
  })

  it('fetches no branch or tag with a name that a push is refused', async () => {
    const { path } = work.repository
    const head = runGit(['-C', path, 'rev-parse', 'HEAD']).trim()
    const refused = ['refs/heads/-x', 'refs/heads/@', 'refs/heads/refs/heads/y', 'refs/tags/-t']
    for (const ref of [...refused, 'refs/heads/good-', 'refs/tags/v1']) {
      runGit(['-C', path, 'update-ref', ref, head])
    }
    const repository = await emptyRepository()
    await fetchRemote(fixture.git, repository, { url: smart.url, address: '127.0.0.1' })
    expect(await names(repository, 'heads')).not.toContain('-x')
    expect(await names(repository, 'heads')).not.toContain('@')
    expect(await names(repository, 'heads')).not.toContain('refs/heads/y')
    expect(await names(repository, 'heads')).toContain('good-')
    expect(await names(repository, 'tags')).toEqual(['v1'])
  })

  it('refuses the dumb protocol, of whose objects git checks nothing', async () => {
    const source = await buildWork(fixture)
    source.commit({ 'README.md': '# One\n' })
    const [server, url] = await serveFiles(source.repository.path)
    try {
      const repository = await emptyRepository()
      await expect(
        fetchRemote(fixture.git, repository, { url, address: '127.0.0.1' }),
      ).rejects.toMatchObject({ code: 'failed' })
      expect(await names(repository, 'heads')).toEqual([])
      const objects = readdirSync(join(repository.path, 'objects'))
      expect(objects.filter((name) => name.length === 2)).toEqual([])
    } finally {
      server.close()
    }
  })
})

describe('pinning', () => {
  it.each([
    ['http://host/x.git', '192.0.2.1', ['http.curloptResolve=host:80:192.0.2.1']],
    ['https://host:8443/x', '2001:db8::1', ['http.curloptResolve=host:8443:[2001:db8::1]']],
    ['https://[2001:db8::1]/x', '2001:db8::1', []],
  ])('of %s', (url, address, settings) => {
    expect(pinning(url, address)).toEqual(settings)
  })

  it.each(['http://-host/x', 'http://+host/x', 'http://*/x'])('refuses %s', (url) => {
    expect(() => pinning(url, '192.0.2.1')).toThrow('not a host name')
  })
})
