/**
 * What the search of code promises:
 * - `blobs` finds files by any part of their path or contents, those by path first, with the lines
 *   around the first hit; `filename:`, `path:` and `extension:` leave some out, with `*`
 * - `wiki_blobs` does so in wikis; `commits` finds commits by their message and the start of the id
 * - case is ignored and no character has a special meaning; binary and large files have a path alone
 * - a project is searched at any `ref`, with and without the index, with the same results
 * - lists have no total, but say whether there is a next page
 * - the search engine can be switched off: 400 outside of projects
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { engineNames, type UsedEngine, useEngine } from '../../testing/search-engine/engines.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let group: Json
let project: Json

let engine: UsedEngine

const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`)
const utf16 = Buffer.from('\ufeffSixteen bits\n', 'utf16le')

const files: Record<string, string | Buffer> = {
  'README.md': '# Title\n\nSome text\n',
  'src/main.ts': `${lines.slice(0, 9).join('')}const Answer = 42\n${lines.slice(9).join('')}`,
  'src/answer/index.js': 'export default 1\n',
  'src/odd.txt': '100%_sure "quoted" a*b \\d+ $(x)\n',
  'data/latin1.txt': Buffer.from('caf\xe9 au lait\n', 'latin1'),
  'data/utf16.txt': utf16,
  'data/binary.bin': Buffer.from('binary\0answer'),
  'data/large.txt': `${'x'.repeat(1024 * 1024)} answer`,
  'data/wide.txt': `${'w'.repeat(5000)}widest${'w'.repeat(5000)}\nnext\n`,
  'data/crlf.txt': 'one\r\ntwo\r\n',
  'Ünïcode/Größe.txt': 'STRASSE Straße\n',
}

async function commitFiles(
  { id }: Json,
  message: string,
  contents: Record<string, string | Buffer | null>,
  { branch = 'main', force = false } = {},
): Promise<Json> {
  const actions = Object.entries(contents).map(([file_path, content]) =>
    content === null
      ? { action: 'delete', file_path }
      : {
          action: 'create',
          file_path,
          content: Buffer.from(content).toString('base64'),
          encoding: 'base64',
        },
  )
  const body = { branch, commit_message: message, actions, force }
  return created(server, `/projects/${id}/repository/commits`, body)
}

type Query = Record<string, string | number>

function get(path: string, query: Query) {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  return server.inject('GET', `${path}?${text}`, { token: server.root.token })
}

async function find(search: string, query: Query = {}, path = '/search'): Promise<Json[]> {
  const answer = await get(path, { scope: 'blobs', search, per_page: 100, ...query })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

async function paths(search: string, query: Query = {}, path = '/search'): Promise<string[]> {
  return (await find(search, query, path)).map((found) => found.path)
}

const inProject = () => `/projects/${project.id}/search`

describe.each(engineNames)('with the %s engine', (name) => {
  beforeAll(async () => {
    server = await buildTestServer()
    engine = await useEngine(server, name)
    group = await server.buildGroup()
    project = await server.buildProject({ namespace_id: group.id })
    await commitFiles(project, 'Add the first files', files)
    await created(server, `/projects/${project.id}/wikis`, {
      title: 'Guides/Install',
      content: 'How to install it\n',
    })
    await server.runJobs()
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })

  describe('GET /search?scope=blobs', () => {
    it('finds a file with the lines around the first hit', async () => {
      expect(await find('const answer')).toEqual([
        {
          basename: 'src/main',
          data: 'line 8\nline 9\nconst Answer = 42\nline 10\nline 11\n',
          path: 'src/main.ts',
          filename: 'src/main.ts',
          id: null,
          ref: 'main',
          startline: 8,
          project_id: project.id,
        },
      ])
    })

    it('finds files by their path first, and each file once', async () => {
      const found = await find('answer')
      expect(found.map(({ path }) => path)).toEqual(['src/answer/index.js', 'src/main.ts'])
      expect(found[0]).toMatchObject({ data: 'export default 1\n', startline: 1 })
      expect(await paths('main.ts')).toEqual(['src/main.ts'])
    })

    it.each([
      ['100%_sure', ['src/odd.txt']],
      ['%_', ['src/odd.txt']],
      ['"quoted"', ['src/odd.txt']],
      ['a*b', ['src/odd.txt']],
      ['\\d+', ['src/odd.txt']],
      ['$(x)', ['src/odd.txt']],
      ['1.0%', []],
      ['Café AU', ['data/latin1.txt']],
      ['sixteen bits', ['data/utf16.txt']],
      ['straße', ['Ünïcode/Größe.txt']],
      ['GRÖSSE', []],
      ['größe', ['Ünïcode/Größe.txt']],
      ['binary', ['data/binary.bin']],
      ['large', ['data/large.txt']],
      ['two', ['data/crlf.txt']],
      ['line 1', ['src/main.ts']],
      ['no such text', []],
    ])('finds %s', async (search, expected) => {
      expect(await paths(search)).toEqual(expected)
    })

    it('cuts long lines and keeps their ends', async () => {
      const [crlf] = await find('two')
      expect(crlf?.data).toBe('one\r\ntwo\r\n')
      const [wide] = await find('widest')
      expect(wide?.data).toBe(`${'w'.repeat(500)}widest${'w'.repeat(494)}\nnext\n`)
      const [start] = await find('path:wide')
      expect(start?.data).toBe(`${'w'.repeat(1000)}\nnext\n`)
    })

    it('shows nothing of binary and large files', async () => {
      for (const search of ['binary', 'large']) {
        expect(await find(search)).toEqual([expect.objectContaining({ data: '', startline: 1 })])
      }
    })

    it('finds one and two letters', async () => {
      expect(await paths('é')).toEqual(['data/latin1.txt'])
      expect((await paths('x')).length).toBeGreaterThan(5)
      expect(await paths('°')).toEqual([])
    })

    it.each([
      ['extension:ts', ['src/main.ts']],
      ['filename:README*', ['README.md']],
      ['filename:main', []],
      ['path:src/answer', ['src/answer/index.js']],
      ['line extension:ts', ['src/main.ts']],
      ['extension:js line', []],
      ['path:data filename:*.txt one', ['data/crlf.txt']],
      ['extension:t* path:src', ['src/odd.txt', 'src/main.ts']],
    ])('filters files: %s', async (search, expected) => {
      expect((await paths(search)).toSorted()).toEqual(expected.toSorted())
      expect((await paths(search, { ref: 'HEAD' }, inProject())).toSorted()).toEqual(
        expected.toSorted(),
      )
    })

    it('has pages without totals', async () => {
      const first = await get('/search', { scope: 'blobs', search: 'txt', per_page: 2 })
      expect(first.body).toHaveLength(2)
      expect(first.headers).toMatchObject({ 'x-page': '1', 'x-per-page': '2', 'x-next-page': '2' })
      expect(first.headers).not.toHaveProperty('x-total')
      expect(first.headers).not.toHaveProperty('x-total-pages')
      expect(first.headers.link).toContain('rel="next"')
      expect(first.headers.link).not.toContain('rel="last"')
      const all = await paths('txt')
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => paths('txt', { page, per_page: 2 })),
      )
      expect(pages.flat()).toEqual(all)
      expect(all.length).toBe(7)
      const last = await get('/search', { scope: 'blobs', search: 'txt', per_page: 2, page: 4 })
      expect(last.headers['x-next-page']).toBe('')
      expect(await paths('txt', { page: 1000, per_page: 100 })).toEqual([])
    })

    it('answers 400 without a text, and for one that is too long', async () => {
      for (const search of ['', ' ', 'x'.repeat(64 * 1024)]) {
        expect((await get('/search', { scope: 'blobs', search })).status).toBe(400)
      }
    })
  })

  describe('GET /search?scope=wiki_blobs', () => {
    it('finds pages by their path and contents', async () => {
      const found = {
        basename: 'Guides/Install',
        data: 'How to install it\n',
        path: 'Guides/Install.md',
        filename: 'Guides/Install.md',
        id: null,
        ref: 'master',
        startline: 1,
        project_id: project.id,
      }
      for (const path of ['/search', `/groups/${group.id}/search`, inProject()]) {
        expect(await find('guides', { scope: 'wiki_blobs' }, path)).toEqual([found])
        expect(await find('how to', { scope: 'wiki_blobs' }, path)).toEqual([found])
        expect(await find('answer', { scope: 'wiki_blobs' }, path)).toEqual([])
        expect(await find('how to', { scope: 'blobs' }, path)).toEqual([])
      }
    })

    it('is of the default branch of the wiki, whatever the ref, which is one of the code', async () => {
      for (const ref of ['main', 'topic', 'nowhere', '']) {
        const [page] = await find('how to', { scope: 'wiki_blobs', ref }, inProject())
        expect([ref, page?.path, page?.ref]).toEqual([ref, 'Guides/Install.md', 'master'])
      }
    })
  })

  describe('GET /search?scope=wiki_blobs with a title', () => {
    it('finds pages by it as by their path, with and without the index', async () => {
      const { id } = await server.buildProject()
      const wiki = `/projects/${id}/wikis`
      for (const title of ['Team/My First Page', 'My other page']) {
        await created(server, wiki, { title, content: 'x' })
      }
      for (const isIndexed of [false, true]) {
        if (isIndexed) await server.runJobs()
        for (const search of [
          'my first page',
          'MY-FIRST',
          'team/my first',
          'first page',
          'page.md',
        ]) {
          const body = await find(search, { scope: 'wiki_blobs' }, `/projects/${id}/search`)
          const expected = search === 'page.md' ? 2 : 1
          expect([search, isIndexed, body.length]).toEqual([search, isIndexed, expected])
        }
      }
      const [page] = await find('my first page', { scope: 'wiki_blobs' })
      expect(page).toMatchObject({ path: 'Team/My-First-Page.md', project_id: id })
      expect(await find('My First Page', { scope: 'blobs' })).toEqual([])
    })
  })

  describe('GET /search?scope=commits', () => {
    it('finds commits by their message and the start of their id', async () => {
      const [commit] = (await get(`/projects/${project.id}/repository/commits`, {})).body
      const status = { state: 'success', name: 'test' }
      await created(server, `/projects/${project.id}/statuses/${commit.id}`, status)
      for (const path of ['/search', `/groups/${group.id}/search`, inProject()]) {
        const pipeline = { id: expect.any(Number), ref: 'main', sha: commit.id, status: 'success' }
        const found = {
          ...commit,
          project_id: project.id,
          ...(path === inProject() ? { status: 'success', last_pipeline: pipeline } : {}),
        }
        for (const search of ['FIRST files', commit.id, commit.id.slice(0, 8).toUpperCase()]) {
          expect(await find(search, { scope: 'commits' }, path)).toEqual([found])
        }
        expect(await find('second files', { scope: 'commits' }, path)).toEqual([])
        expect(await find('0'.repeat(40), { scope: 'commits' }, path)).toEqual([])
      }
    })
  })

  describe('GET /projects/:id/search', () => {
    it('finds the same with and without the index', async () => {
      const searches = [
        'answer',
        'txt',
        'line 1',
        '"quoted"',
        'straße',
        'a',
        'extension:txt',
        'zzz',
      ]
      const found = async () =>
        Promise.all(
          searches.map(async (search) => (await paths(search, {}, inProject())).toSorted()),
        )
      const indexed = await found()
      await setSetting(server, 'searchengine_indexing', false)
      const byGit = await found()
      await setSetting(server, 'searchengine_indexing', true)
      expect(byGit).toEqual(indexed)
      expect(indexed.map(({ length }) => length).slice(0, 2)).toEqual([2, 7])
    })

    it('searches a branch, tag or commit', async () => {
      const base = `/projects/${project.id}/repository`
      await created(server, `${base}/branches`, { branch: 'topic', ref: 'main' })
      const { id } = await commitFiles(
        project,
        'On a topic',
        { 'topic.txt': 'on a branch alone\n' },
        { branch: 'topic' },
      )
      await created(server, `${base}/tags`, { tag_name: 'v1', ref: 'topic' })
      await server.runJobs()
      for (const ref of ['topic', 'v1', id]) {
        expect(await find('branch alone', { ref }, inProject())).toEqual([
          expect.objectContaining({ path: 'topic.txt', ref, data: 'on a branch alone\n' }),
        ])
        const commits = await find('on a topic', { ref, scope: 'commits' }, inProject())
        expect(commits.map((commit) => commit.id)).toEqual([id])
      }
      for (const query of [{}, { ref: 'main' }, { ref: '' }] as Query[]) {
        expect(await find('branch alone', query, inProject())).toEqual([])
        expect(await find('on a topic', { ...query, scope: 'commits' }, inProject())).toEqual([])
      }
      for (const scope of ['blobs', 'commits']) {
        const query = { scope, search: 'x', ref: 'no-such-branch' }
        expect((await get(inProject(), query)).status).toBe(404)
      }
    })

    it('finds what was pushed before it is indexed', async () => {
      const other = await server.buildProject()
      await commitFiles(other, 'Unindexed message', { 'new.txt': 'unindexed text\n' })
      const path = `/projects/${other.id}/search`
      expect(await paths('unindexed', {}, path)).toEqual(['new.txt'])
      expect(await find('unindexed', { scope: 'commits' }, path)).toHaveLength(1)
      expect(await paths('unindexed')).toEqual([])
      await server.runJobs()
      expect(await paths('unindexed')).toEqual(['new.txt'])
    })

    it('finds nothing in an empty repository or wiki', async () => {
      const empty = await server.buildProject({ initialize_with_readme: false })
      for (const scope of ['blobs', 'commits', 'wiki_blobs']) {
        expect(await find('readme', { scope }, `/projects/${empty.id}/search`)).toEqual([])
      }
    })

    it('takes odd texts as they are', async () => {
      for (const search of [
        '--help',
        '-e',
        '-',
        'a\nb',
        ':(top)',
        ')',
        '\\',
        "'; drop table",
        '*',
      ]) {
        for (const scope of ['blobs', 'commits', 'wiki_blobs']) {
          for (const ref of ['main', 'HEAD']) {
            const answer = await get(inProject(), { scope, search, ref })
            expect([search, scope, ref, answer.status]).toEqual([search, scope, ref, 200])
          }
        }
      }
    })
  })

  describe('the setting searchengine_search', () => {
    it('switches the search of code off, but for single projects', async () => {
      await setSetting(server, 'searchengine_search', false)
      for (const scope of ['blobs', 'commits', 'wiki_blobs']) {
        for (const path of ['/search', `/groups/${group.id}/search`]) {
          const answer = await get(path, { scope, search: 'answer' })
          expect([answer.status, answer.body]).toEqual([
            400,
            { message: { error: 'Scope not supported without the search engine' } },
          ])
        }
        expect((await get(inProject(), { scope, search: 'answer' })).status).toBe(200)
      }
      expect((await get('/search', { scope: 'projects', search: 'answer' })).status).toBe(200)
      await setSetting(server, 'searchengine_search', true)
      expect(await paths('const answer')).toEqual(['src/main.ts'])
    })
  })
})
