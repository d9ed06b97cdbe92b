import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { commit, mustGit } from '../../../testing/git/git-client.ts'
import { holdGit } from '../../../testing/git/hold-git.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let built: PushedProject
let developer: TestUser
let browser: WebBrowser
let visitor: WebBrowser
let path: string

const hostile = '"><img src=x onerror=alert(1)> \u202eRTL \u{1f600}'

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(
    server,
    {
      'README.md':
        '# Title\n\n[guide](docs/guide.md) ![logo](logo.svg) <script>alert(1)</script>\n',
      LICENSE: 'MIT\n',
      'src/deep/a.ts': 'const a = 1\n',
      'docs/README.txt': 'plain & simple\n',
      [`odd & ${'ö'.repeat(100)}.txt`]: 'x\n',
    },
    { description: hostile },
  )
  await mustGit(built.tree, 'checkout', '--quiet', '-b', 'feature/x')
  await commit(built.tree, { 'src/b.ts': 'b\n' }, hostile)
  await mustGit(built.tree, 'tag', 'v1/rc')
  await built.push('feature/x', 'v1/rc')
  developer = await server.buildUser()
  await server.addMember(`projects/${built.project.id}`, developer.id, 30)
  path = `/${built.project.path_with_namespace}`
  browser = await openBrowser(server, developer)
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

describe('GET /<project>', () => {
  it('shows visitors of a public project its files with their commits, README and counts', async () => {
    const page = await visitor.open(path)
    expect(page).toMatchObject({ status: 200, heading: built.project.name })
    expect(page.texts('.files .name a')).toEqual([
      'docs',
      'src',
      'LICENSE',
      'README.md',
      `odd & ${'ö'.repeat(100)}.txt`,
    ])
    expect(page.texts('.files .commit')).toEqual(Array(5).fill('Initial commit'))
    expect(page.texts('.facts a').slice(0, 5)).toEqual([
      '1 commit',
      '2 branches',
      '1 tag',
      '0 releases',
      'LICENSE',
    ])
    expect(page.texts('.prose h1')).toEqual(['Title'])
    expect(page.document.querySelector('#clone-http')?.getAttribute('value')).toBe(
      built.project.http_url_to_repo,
    )
    expect(page.text).not.toContain('<script>')
    expect(page.text).not.toContain('<img src=x')
    expect(page.texts('main > p')[0]).toBe(hostile)
  })

  it('shows no number of commits before they are counted', async () => {
    const { project, tree, push } = await buildPushedProject(server)
    await commit(tree, { b: 'b\n' }, 'Second')
    await push()
    const letCount = holdGit(server, '--count')
    const facts = async () =>
      (await visitor.open(`/${project.path_with_namespace}`)).texts('.facts a')[0]
    expect(await facts()).toBe('Commits')
    letCount()
    await expect.poll(facts).toBe('2 commits')
  })

  it('leads links and pictures of the README to its files', async () => {
    const page = await visitor.open(path)
    const [link] = page.document.querySelectorAll('.prose a').slice(-1)
    expect(link?.getAttribute('href')).toMatch(/\/blob\/main\/docs\/guide\.md$/)
    const picture = page.document.querySelector('.prose img')
    expect(picture?.getAttribute('src')).toMatch(/\/raw\/main\/logo\.svg$/)
  })

  it('shows visitors a README that is longer than the bodies that visitors may send', async () => {
    const text = `# Long\n\n${'word '.repeat(15_000)}\n`
    const { project } = await buildPushedProject(server, { 'README.md': text })
    const page = await visitor.open(`/${project.path_with_namespace}`)
    expect(page.status).toBe(200)
    expect(page.texts('.prose h1')).toEqual(['Long'])
    expect(page.texts('.prose p')[0]).toHaveLength(74_999)
  })

  it('offers new files to those who may push, and to nobody else', async () => {
    expect((await browser.open(path)).texts('.toolbar .button')).toContain('New file')
    expect((await visitor.open(path)).texts('.toolbar .button')).not.toContain('New file')
  })

  it('of an empty repository says what to push', async () => {
    const owner = await server.buildUser()
    const empty = await server.buildProject({}, owner)
    const page = await (await openBrowser(server, owner)).open(`/${empty.path_with_namespace}`)
    expect(page.texts('.empty h2')).toEqual(['The repository is empty', 'Or push one that exists'])
    expect(page.text).toContain(`git clone ${empty.ssh_url_to_repo}`)
  })

  it('of an empty repository leads those who may push to the forms of its first commit', async () => {
    const owner = await server.buildUser()
    const own = await openBrowser(server, owner)
    for (const [link, button, values] of [
      ['New file', 'Commit changes', { file_path: 'a.txt', content: 'a\n' }],
      ['Upload', 'Upload', { file: new File(['a\n'], 'a.txt') }],
    ] as const) {
      const empty = await server.buildProject({ visibility: 'public' }, owner)
      const home = `/${empty.path_with_namespace}`
      expect((await visitor.open(home)).texts('.empty a')).toEqual([])
      const form = await (await own.open(home)).follow(link)
      expect([form.status, (await form.follow('Cancel')).address]).toEqual([200, home])
      const shown = await form.press(button, values)
      expect(shown.address).toBe(`${home}/-/blob/main/a.txt`)
    }
  })

  it('of an empty repository asks others than those who may push for no first commit', async () => {
    const empty = await server.buildProject({ visibility: 'public' })
    const reporter = await server.buildUser()
    await server.addMember(`projects/${empty.id}`, reporter.id, 20)
    const page = await (await openBrowser(server, reporter)).open(`/${empty.path_with_namespace}`)
    expect(page.texts('.empty a')).toEqual([])
  })

  it('of a private project is a 404 for others', async () => {
    const { path_with_namespace: hidden } = await server.buildProject({ visibility: 'private' })
    expect((await visitor.open(`/${hidden}`)).status).toBe(404)
    expect((await browser.open(`/${hidden}`)).status).toBe(404)
  })
})

describe('GET /<project>/-/tree/<ref>/<path>', () => {
  it('shows a folder with its README, and the way up', async () => {
    const page = await visitor.open(`${path}/-/tree/main/docs`)
    expect(page.texts('.files .name a')).toEqual(['README.txt'])
    expect(page.texts('#readme .plain-text')).toEqual(['plain & simple'])
    expect((await page.follow('Parent folder')).texts('.files .name a')).toContain('docs')
  })

  it.each([
    ['/-/tree/feature/x/src', ['deep', 'b.ts']],
    ['/-/tree/v1/rc/src', ['deep', 'b.ts']],
    ['/-/tree/v1/rc', undefined],
    ['/tree/feature/x/src/deep', ['a.ts']],
  ])('finds refs with slashes in %s', async (address, names) => {
    const page = await visitor.open(path + address)
    expect(page.status).toBe(200)
    if (names !== undefined) expect(page.texts('.files .name a')).toEqual(names)
  })

  it('of a file leads to the file', async () => {
    const page = await visitor.open(`${path}/-/tree/feature/x/src/b.ts`)
    expect(page.address).toBe(`${path}/-/blob/feature/x/src/b.ts`)
  })

  it.each(['/-/tree/nothing', '/-/tree/main/nothing', '/-/tree/feature/y/src'])(
    '%s is a 404',
    async (address) => {
      expect((await visitor.open(path + address)).status).toBe(404)
    },
  )

  it('shows hostile commit messages as text', async () => {
    const page = await visitor.open(`${path}/-/tree/feature/x`)
    expect(page.texts('.commit-line .grow')).toEqual([hostile])
    expect(page.text).not.toContain('<img src=x')
  })
})

describe('GET /<project>/-/refs', () => {
  it('finds branches and tags, and leads to what the viewer came from', async () => {
    const page = await visitor.open(`${path}/-/tree/main/src`)
    const found = await page.press('Find', { search: 'feat' })
    expect(found.texts('.rows .title')).toEqual(['feature/x'])
    expect((await found.follow('feature/x')).address).toBe(`${path}/-/tree/feature/x/src`)
  })
})

describe('GET /<project>/-/find_file/<ref>', () => {
  it('finds files by a part of their path', async () => {
    const page = await (await visitor.open(`${path}/-/find_file/feature/x`)).press('Search files', {
      search: 'DEEP/a',
    })
    expect(page.texts('.rows a')).toEqual(['src/deep/a.ts'])
  })
})
