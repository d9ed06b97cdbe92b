/**
 * A repository of over 10,000 files, those of the packages that this project uses: a search finds
 * exactly the files whose path has the text, and those that `git grep` finds.
 */
import { globSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { git, gitInput, mustGit, newFolder, remoteUrl } from '../../testing/git/git-client.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const fileCount = 10_500
const maxFileBytes = 256 * 1024

let server: TestServer
let project: Json
let repository: string

beforeAll(async () => {
  // First: listing so many files blocks the event loop, which the server must not do.
  repository = await newFolder()
  await mustGit(repository, 'init', '--quiet', '--initial-branch', 'main')
  await commitPackages()
  server = await buildTestServer()
  project = await server.buildProject({ name: 'packages' })
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(repository, 'push', '--quiet', remote, 'main')
  await server.runJobs()
}, 600_000)
afterAll(() => server.close())

/** Commits files of the installed packages without copying them. */
async function commitPackages(): Promise<void> {
  const folder = fileURLToPath(new URL('../../../../../node_modules/.pnpm', import.meta.url))
  const stats = (path: string): Stats => statSync(join(folder, path))
  const paths: string[] = []
  for (const path of globSync('**/*', { cwd: folder }).toSorted()) {
    if (paths.length === fileCount) break
    const file = /\s/.test(path) ? undefined : stats(path)
    if (file?.isFile() && file.size <= maxFileBytes) paths.push(path)
  }
  expect(paths).toHaveLength(fileCount)
  const list = paths.map((path) => join(folder, path)).join('\n')
  const oids = (await gitInput(repository, `${list}\n`, 'hash-object', '-w', '--stdin-paths'))
    .toString()
    .split('\n')
  const entries = paths.map((path, index) => `100644 ${oids[index]}\t${path}\n`)
  await gitInput(repository, entries.join(''), 'update-index', '--add', '--index-info')
  await mustGit(repository, 'commit', '--quiet', '--message', 'All packages')
}

/** All pages of a search. */
async function found(path: string, search: string): Promise<string[]> {
  const paths: string[] = []
  for (let page = '1'; page !== ''; ) {
    const query = new URLSearchParams({ scope: 'blobs', search, per_page: '100', page })
    const answer = await server.inject('GET', `${path}?${query}`, { token: server.root.token })
    if (answer.status !== 200) throw new Error(answer.text)
    paths.push(...answer.body.map((item: Json) => item.path))
    page = String(answer.headers['x-next-page'])
  }
  return paths.toSorted()
}

/** The files with the text in their path, or in what git takes for text. */
async function expected(text: string): Promise<string[]> {
  const listed = (await mustGit(repository, 'ls-files', '-z')).split('\0')
  const byPath = listed.filter((path) => path.toLowerCase().includes(text.toLowerCase()))
  const grep = ['grep', '-z', '-l', '-I', '-i', '-F', '-e', text, 'HEAD']
  const { stdout } = await git(repository, ...grep)
  const byText = stdout.split('\0').map((line) => line.slice('HEAD:'.length))
  return [...new Set([...byPath, ...byText])].filter((path) => path !== '').toSorted()
}

describe('a repository of 10,500 files', () => {
  const texts = [
    'FileReader',
    'structuredClone',
    'async function*',
    '=> {}, 0)',
    '???',
    'zlib',
    '"license": "Apache-2.0"',
    'no text like this one',
    'Copyright (c) 2012',
    'Ünicode',
    '<<<<<<<',
  ]

  it.each(texts)('finds what git grep finds: %s', async (text) => {
    const files = await expected(text)
    expect(files.length).toBeLessThan(1000)
    expect(await found('/search', text)).toEqual(files)
    expect(await found(`/projects/${project.id}/search`, text)).toEqual(files)
  })

  it('finds as much by git alone', async () => {
    await setSetting(server, 'searchengine_indexing', false)
    const path = `/projects/${project.id}/search`
    for (const text of texts) expect(await found(path, text)).toEqual(await expected(text))
    await setSetting(server, 'searchengine_indexing', true)
  })

  it('has at most 1,000 results', async () => {
    expect(await found('/search', 'e')).toHaveLength(1000)
    expect(await found('/search', 'function')).toHaveLength(1000)
  })
})
