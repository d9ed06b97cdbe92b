import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { commit, gitInput, mustGit } from '../../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let built: PushedProject
let user: TestUser
let developer: WebBrowser
let visitor: WebBrowser
let path: string
let change: string
let many: string

const hostile = 'Title <b>"&"</b>\n\nBody <script>alert(1)</script>\n'

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(server, {
    'a.txt': 'one\ntwo\nthree\n',
    'b.txt': 'b\n',
  })
  await mustGit(built.tree, 'branch', 'old/er')
  change = await commit(built.tree, { 'a.txt': 'one\n2 <i>\nthree\n' }, hostile)
  const files = Array.from({ length: 45 }, (_, at): [string, string] => [
    `many/${String(at).padStart(2, '0')}.txt`,
    at === 44 ? 'line\n'.repeat(700) : 'x\n',
  ])
  many = await commit(built.tree, Object.fromEntries(files), 'Many files')
  await mustGit(built.tree, 'tag', 'v1')
  await built.push('main', 'old/er', 'v1')
  user = await server.buildUser()
  await server.addMember(`projects/${built.project.id}`, user.id, 40)
  path = `/${built.project.path_with_namespace}`
  developer = await openBrowser(server, user)
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

describe('GET /<project>/-/commits', () => {
  it('shows the commits of the default branch by day', async () => {
    const page = await visitor.open(`${path}/-/commits`)
    expect(page.address).toBe(`${path}/-/commits/main`)
    expect(page.texts('.rows .title')).toEqual(['Many files', 'Title <b>"&"</b>', 'Initial commit'])
    expect(page.texts('.card h2')).toHaveLength(1)
  })

  it('shows those of a file, at a branch with a slash', async () => {
    expect((await visitor.open(`${path}/-/commits/main/a.txt`)).texts('.rows .title')).toHaveLength(
      2,
    )
    const older = await visitor.open(`${path}/-/commits/old/er/a.txt`)
    expect(older.texts('.rows .title')).toEqual(['Initial commit'])
  })

  it('of an unknown ref or path is a 404', async () => {
    expect((await visitor.open(`${path}/-/commits/nothing`)).status).toBe(404)
    expect((await visitor.open(`${path}/-/commits/main/nothing`)).status).toBe(404)
  })

  it('of an empty repository says so', async () => {
    const owner = await server.buildUser()
    const empty = await server.buildProject({}, owner)
    const page = await (await openBrowser(server, owner)).open(
      `/${empty.path_with_namespace}/-/commits`,
    )
    expect(page.texts('.empty h2')).toEqual(['No commits yet'])
  })
})

describe('GET /<project>/-/commit/<sha>', () => {
  it('shows the first part of a very long message, and leads to the whole of it', async () => {
    const body = 'line <b>\n'.repeat(10_000).trim()
    const { tree } = built
    const sha = await gitInput(
      tree,
      `Long\n\n${body}`,
      'commit-tree',
      'old/er^{tree}',
      '-p',
      'old/er',
    )
    await mustGit(tree, 'branch', '--force', 'long', sha.toString().trim())
    await built.push('long')
    const page = await visitor.open(`${path}/-/commit/long`)
    expect(page.text.length).toBeLessThan(150_000)
    const link = page.document
      .querySelectorAll('a')
      .find(({ text }) => text === 'See the whole text')
    const whole = await visitor.send(link?.getAttribute('href') ?? '')
    expect(await whole.text()).toBe(`Long\n\n${body}`)
  })

  it('shows its message as text, its diff, and where it is', async () => {
    const page = await visitor.open(`${path}/-/commit/${change}`)
    expect(page.heading).toBe('Title <b>"&"</b>')
    expect(page.texts('.message')).toEqual(['Body <script>alert(1)</script>'])
    expect(page.text).not.toContain('<script>')
    expect(page.texts('.diff .removed .text')).toEqual(['two'])
    expect(page.texts('.diff .added .text')).toEqual(['2 <i>'])
    expect(page.texts('.commit-facts .label')).toEqual(['main', 'v1'])
    const parent = await page.follow((await mustGit(built.tree, 'rev-parse', 'old/er')).slice(0, 8))
    expect(parent.texts('.commit-facts li')).toContain('The first commit')
  })

  it('shows old lines beside new ones on request', async () => {
    const page = await (await visitor.open(`${path}/-/commit/${change}`)).follow('Side by side')
    expect(page.texts('.parallel td.removed.text')).toEqual(['two'])
    expect(page.texts('.parallel td.added.text')).toEqual(['2 <i>'])
  })

  it('of many files shows them in pages, and a long one alone', async () => {
    const page = await visitor.open(`${path}/-/commit/${many}`)
    expect(page.texts('.diff-file')).toHaveLength(20)
    expect(page.texts('.diff-list summary')).toEqual(['Changed files: 20 of 45'])
    const last = await (await page.follow('Next')).follow('Next')
    expect(last.texts('.diff-file h2')).toHaveLength(5)
    const alone = await last.follow('Show the changes of many/44.txt')
    expect(alone.texts('.diff-file h2')).toEqual(['many/44.txt'])
    expect(alone.texts('.diff .added')).toHaveLength(700)
  })

  it('of an unknown hash is a 404', async () => {
    expect((await visitor.open(`${path}/-/commit/${'0'.repeat(40)}`)).status).toBe(404)
  })

  it('is commented on, as a whole and on a line', async () => {
    const page = await developer.open(`${path}/-/commit/${change}`)
    const commented = await page.press('Comment', { note: '**Nice** <script>x</script>' })
    expect(commented.texts('#comments .prose strong')).toEqual(['Nice'])
    expect(commented.text).not.toContain('<script>')
    const links = commented.document.querySelectorAll('.added .comment-line')
    const link = new URL(links[0]?.getAttribute('href') ?? '', `http://here${commented.address}`)
    const form = await developer.open(link.pathname + link.search)
    const done = await form.press('Comment on this line', { note: 'Why 2?' })
    expect(done.texts('.below .prose')).toEqual(['Why 2?'])
    expect(done.texts('#comments .prose')).toHaveLength(1)
    expect((await visitor.open(`${path}/-/commit/${change}`)).texts('.below .prose')).toEqual([
      'Why 2?',
    ])
  })

  it('refuses a blank comment and keeps the page', async () => {
    const page = await developer.open(`${path}/-/commit/${change}`)
    const refused = await page.press('Comment', { note: '  ' })
    expect([refused.status, refused.texts('.summary li').length]).toEqual([422, 1])
  })

  it.each(['page=2', 'page=2&view=parallel'])(
    'keeps what was typed on a line, and leads back to the line: %s',
    async (query) => {
      const list = await developer.open(`${path}/-/commit/${many}?${query}`)
      const link = list.document.querySelector('.comment-line')?.getAttribute('href') ?? ''
      const form = await developer.open(`${path}/-/commit/${many}${link.split('#')[0]}`)
      const typed = 'x'.repeat(1_000_001)
      const refused = await form.press('Comment on this line', { note: typed })
      expect(refused.status).toBe(422)
      const area = refused.document.getElementById('line-note')
      expect(area?.text.trim().length).toBe(typed.length)
      expect(refused.document.querySelector('.summary a')?.getAttribute('href')).toBe('#line-note')
      const body = new URLSearchParams({ authenticity_token: refused.csrfToken, note: 'There' })
      for (const field of area?.closest('form')?.querySelectorAll('[type=hidden]') ?? []) {
        body.set(field.getAttribute('name') ?? '', field.getAttribute('value') ?? '')
      }
      const action = area?.closest('form')?.getAttribute('action') ?? ''
      const done = await developer.send(action, { method: 'POST', body })
      expect(done.headers.get('location')).toBe(
        `${path}/-/commit/${many}?${query}#${body.get('line_code')}`,
      )
    },
  )

  it('is reverted on a branch, and cherry-picked onto another', async () => {
    const page = await developer.open(`${path}/-/commit/${change}`)
    const reverted = await page.press('Revert onto the branch', { branch: 'main' })
    expect(reverted.heading).toContain('Revert')
    const picked = await page.press('Cherry-pick onto the branch', { branch: 'old/er' })
    expect(picked.heading).toBe('Title <b>"&"</b>')
    const again = await page.press('Cherry-pick onto the branch', { branch: 'old/er' })
    expect(again.status).toBe(422)
    expect(again.document.getElementById('cherry_pick-branch')?.getAttribute('value')).toBe(
      'old/er',
    )
    expect((await visitor.open(`${path}/-/commit/${change}`)).texts('.replays')).toEqual([])
  })
})

describe('GET /<project>/-/compare', () => {
  it('shows commits and changes between two refs', async () => {
    const form = await visitor.open(`${path}/-/compare`)
    const page = await form.press('Compare', { from: change, to: 'v1' })
    expect(page.address).toBe(`${path}/-/compare/${change}...v1`)
    expect(page.texts('.rows .title')).toEqual(['Many files'])
    expect(page.texts('.diff-file')).toHaveLength(45)
  })

  it('says that nothing differs, or that there is no such ref', async () => {
    const same = await visitor.open(`${path}/-/compare/v1...v1`)
    expect(same.texts('.empty h2')).toEqual(['Nothing differs'])
    const none = await visitor.open(`${path}/-/compare/main...no/such`)
    expect(none.status).toBe(404)
    expect(none.texts('.summary li')[0]).toContain('no/such')
    expect(none.document.getElementById('to')?.getAttribute('value')).toBe('no/such')
  })
})

describe('GET /<project>/-/network/<ref>', () => {
  it('draws the history of a branch, and of all', async () => {
    const page = await visitor.open(`${path}/-/network/v1`)
    expect(page.document.querySelectorAll('.network circle')).toHaveLength(3)
    expect(page.texts('.graph-rows li')[0]).toContain('Many files')
    expect((await page.follow('All branches and tags')).status).toBe(200)
    expect((await visitor.open(`${path}/-/network/nothing`)).status).toBe(404)
  })
})

describe('GET /<project>/-/graphs/<ref>', () => {
  it('plots who made the commits', async () => {
    const page = await visitor.open(`${path}/-/graphs/main`)
    expect(page.document.querySelectorAll('.plot .bar').length).toBeGreaterThan(0)
    expect(page.texts('.plot text')[0]).toBe('Ada')
  })
})
