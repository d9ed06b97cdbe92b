import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { commit, mustGit } from '../../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { runningGit } from '../../../testing/git/running-git.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let built: PushedProject
let developer: WebBrowser
let visitor: WebBrowser
let path: string

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\n'

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(server, {
    'a.ts': 'const a = 1\nconst b = "<script>"\n',
    'README.md': '# Title <img src=x onerror=alert(1)>\n\n[a](a.ts)\n',
    'logo.svg': svg,
    'long.txt': `${'x'.repeat(20_000)}\n`,
    'docs/README.md': 'Long '.repeat(500_000),
    'large.bin': 'a'.repeat(1024 * 1024 + 1),
    'huge/README.md': 'a\n'.repeat(4_500_000),
    empty: '',
    'pointer.psd': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 2048\n`,
    'src/ä & "b".txt': 'one\r\ntwo\r\n',
  })
  await writeFile(join(built.tree, 'binary'), Buffer.from([0x41, 0, 0x42]))
  await commit(built.tree, {}, 'Bytes')
  await mustGit(built.tree, 'branch', 'topic/x')
  await built.push('main', 'topic/x')
  const user = await server.buildUser()
  await server.addMember(`projects/${built.project.id}`, user.id, 40)
  path = `/${built.project.path_with_namespace}`
  developer = await openBrowser(server, user)
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

const contentOf = async (file: string, ref = 'main') => {
  const url = `/projects/${built.project.id}/repository/files/${encodeURIComponent(file)}/raw`
  return (await server.inject('GET', `${url}?ref=${encodeURIComponent(ref)}`)).text
}

describe('GET /<project>/-/blob/<ref>/<path>', () => {
  it('shows highlighted lines with anchors, and what the file is', async () => {
    const page = await visitor.open(`${path}/-/blob/main/a.ts`)
    expect(page.status).toBe(200)
    expect(page.texts('#L1 .hljs-keyword')).toEqual(['const'])
    expect(page.document.getElementById('L2')?.text).toContain('<script>')
    expect(page.text).not.toContain('<script>')
    expect(page.texts('header .muted')[0]).toBe('33 bytes · 2 lines · TypeScript')
    expect(page.texts('.commit-line .grow')).toEqual(['Initial commit'])
  })

  it.each([
    ['/-/blob/topic/x/a.ts'],
    ['/blob/topic/x/a.ts'],
    ['/-/blob/topic/x/src/%C3%A4%20&%20%22b%22.txt'],
  ])('finds %s', async (address) => {
    expect((await visitor.open(path + address)).status).toBe(200)
  })

  it('leads to the commit that is shown, and never changes then', async () => {
    const page = await (await visitor.open(`${path}/-/blob/main/a.ts`)).follow('Permalink')
    const oid = await mustGit(built.tree, 'rev-parse', 'main')
    expect(page.address).toBe(`${path}/-/blob/${oid}/a.ts`)
  })

  it('renders Markdown, and shows its source on request', async () => {
    const page = await visitor.open(`${path}/-/blob/main/README.md`)
    expect(page.texts('.prose h1')[0]).toContain('Title')
    expect(page.text).not.toContain('onerror=')
    const source = await page.follow('Source')
    expect(source.document.getElementById('L1')?.text).toContain('# Title <img src=x')
    expect((await source.follow('Rendered')).texts('.prose a')).toContain('a')
  })

  it.each([
    ['large.bin', 'A file of 1 MiB is too large to be shown. Download it.'],
    ['binary', 'A binary file. Download it.'],
    ['empty', 'An empty file.'],
    ['pointer.psd', /^Stored with Git LFS: 2 KiB/],
  ])('says what %s is', async (file, text) => {
    const page = await visitor.open(`${path}/-/blob/main/${file}`)
    expect(page.texts('.card p.body')[0]).toMatch(text)
    expect(page.text.length).toBeLessThan(60_000)
  })

  it('lives on where a folder has a README that is too large to be shown', async () => {
    for (let times = 0; times < 3; times += 1) {
      const page = await visitor.open(`${path}/-/tree/main/docs`)
      expect([page.status, page.texts('#readme')]).toEqual([200, []])
    }
  })

  it('cuts a long line, and says how long it is', async () => {
    const page = await visitor.open(`${path}/-/blob/main/long.txt`)
    expect(page.texts('.cut')).toEqual(['… 20000 characters'])
    expect(page.text.length).toBeLessThan(30_000)
  })

  it('shows pictures from a sandbox', async () => {
    const page = await visitor.open(`${path}/-/blob/main/logo.svg`)
    const source = page.document.querySelector('.picture img')?.getAttribute('src') ?? ''
    const raw = await visitor.send(source)
    expect(raw.headers.get('content-type')).toBe('image/svg+xml')
    expect(raw.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
    expect(raw.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(raw.headers.get('x-frame-options')).toBe('DENY')
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await raw.text()).toBe(svg)
  })

  it('leads to the folder for the path of one', async () => {
    const page = await visitor.open(`${path}/-/blob/topic/x/src`)
    expect(page.address).toBe(`${path}/-/tree/topic/x/src`)
  })

  it.each(['/-/blob/main/nothing', '/-/blob/nothing/a.ts', '/-/raw/main/nothing'])(
    '%s is a 404',
    async (address) => {
      expect((await visitor.open(path + address)).status).toBe(404)
    },
  )
})

describe('GET /<project>/-/raw/<ref>/<path>', () => {
  it('sends the bytes, as text that no browser runs', async () => {
    const response = await visitor.send(`${path}/-/raw/topic/x/a.ts`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(await response.text()).toBe('const a = 1\nconst b = "<script>"\n')
  })

  it('streams a file that is too large for a page', async () => {
    const response = await visitor.send(`${path}/-/raw/main/large.bin`)
    expect((await response.arrayBuffer()).byteLength).toBe(1024 * 1024 + 1)
  })
})

describe('GET /<project>/-/blame/<ref>/<path>', () => {
  it('shows which commit changed each line', async () => {
    const page = await visitor.open(`${path}/-/blame/topic/x/a.ts`)
    expect(page.texts('.blame th a')).toEqual(['Initial commit'])
    expect(page.texts('.blame pre')).toEqual(['const a = 1', 'const b = "<script>"'])
    expect(page.document.getElementById('L2')).not.toBeNull()
  })
})

describe('/<project>/-/edit/<ref>/<path>', () => {
  it('commits a change, with the line breaks that the file has', async () => {
    const page = await developer.open(`${path}/-/edit/main/src/ä%20&%20%22b%22.txt`)
    expect(page.document.getElementById('content')?.text.trim()).toBe('one\ntwo')
    const shown = await page.press('Commit changes', {
      content: 'one\nthree\n',
      commit_message: 'Count',
    })
    expect(shown.address).toBe(`${path}/-/blob/main/src/%C3%A4%20%26%20%22b%22.txt`)
    expect(shown.texts('.commit-line .grow')).toEqual(['Count'])
    expect(await contentOf('src/ä & "b".txt')).toBe('one\r\nthree\r\n')
  })

  it('moves a file whose path was changed', async () => {
    const page = await developer.open(`${path}/-/edit/main/empty`)
    const shown = await page.press('Commit changes', { file_path: 'moved', content: 'x\n' })
    expect(shown.address).toBe(`${path}/-/blob/main/moved`)
    expect((await developer.open(`${path}/-/blob/main/empty`)).status).toBe(404)
  })

  it('keeps what was typed when somebody else has changed the file, and replaces it on request', async () => {
    const mine = await developer.open(`${path}/-/edit/main/long.txt`)
    const theirs = await developer.open(`${path}/-/edit/main/long.txt`)
    await theirs.press('Commit changes', { content: 'theirs\n' })
    const refused = await mine.press('Commit changes', {
      content: 'mine <&>\n',
      commit_message: 'Mine',
    })
    expect(refused.status).toBe(422)
    expect(refused.texts('.summary li')).toHaveLength(1)
    expect(refused.document.getElementById('content')?.text.trim()).toBe('mine <&>')
    expect(await contentOf('long.txt')).toBe('theirs\n')
    const saved = await refused.press('Commit changes', { overwrite: '1' })
    expect(saved.address).toBe(`${path}/-/blob/main/long.txt`)
    expect(await contentOf('long.txt')).toBe('mine <&>\n')
  })

  it('starts a branch, and offers a merge request', async () => {
    const page = await developer.open(`${path}/-/edit/main/a.ts`)
    const moved = await page.press('Commit changes', { content: 'new\n', branch: 'mine' })
    expect(moved.address).toContain('/-/merge_requests/new?')
    expect(decodeURIComponent(moved.address)).toContain('merge_request[source_branch]=mine')
    expect(await contentOf('a.ts', 'mine')).toBe('new\n')
    expect(await contentOf('a.ts')).toContain('const a')
  })

  it('is refused to those who may no longer push, with what was typed', async () => {
    const user = await server.buildUser()
    const members = `/projects/${built.project.id}/members`
    await server.addMember(`projects/${built.project.id}`, user.id, 30)
    const reporter = await openBrowser(server, user)
    const page = await reporter.open(`${path}/-/edit/main/a.ts`)
    const { token } = server.root
    const body = { access_level: 20 }
    expect((await server.inject('PUT', `${members}/${user.id}`, { token, body })).status).toBe(200)
    expect((await reporter.open(`${path}/-/blob/main/a.ts`)).texts('header a')).not.toContain(
      'Edit',
    )
    const refused = await page.press('Commit changes', { content: 'x\n' })
    expect([refused.status, refused.document.getElementById('content')?.text.trim()]).toEqual([
      422,
      'x',
    ])
  })
})

describe('/<project>/-/new/<ref>/<folder>', () => {
  it('commits a new file, and refuses one that exists with what was typed', async () => {
    const page = await developer.open(`${path}/-/new/main/src`)
    const shown = await page.press('Commit changes', {
      file_path: 'src/new "file".md',
      content: '# New\n',
    })
    expect(shown.texts('.prose h1')).toEqual(['New'])
    const again = await page.press('Commit changes', { file_path: 'a.ts', content: 'typed\n' })
    expect([again.status, again.document.getElementById('content')?.text.trim()]).toEqual([
      422,
      'typed',
    ])
  })
})

describe('/<project>/-/upload/<ref>/<folder>', () => {
  it('commits the bytes of a file', async () => {
    const page = await developer.open(`${path}/-/upload/main/src`)
    const file = new File([Buffer.from([1, 0, 2])], 'up load.bin')
    const shown = await page.press('Upload', { file })
    expect(shown.address).toBe(`${path}/-/blob/main/src/up%20load.bin`)
    expect(shown.texts('.card p.body')[0]).toContain('A binary file.')
    expect((await page.press('Upload')).texts('.summary li')).toEqual(['Choose a file.'])
  })
})

describe('/<project>/-/replace/<ref>/<path>', () => {
  it('commits the bytes of a file over another one, whatever its name', async () => {
    const question = await (await developer.open(`${path}/-/blob/main/logo.svg`)).follow('Replace')
    const content = Buffer.from([1, 0, 2, 255])
    const shown = await question.press('Replace the file', { file: new File([content], 'x.png') })
    expect(shown.address).toBe(`${path}/-/blob/main/logo.svg`)
    const raw = await developer.send(`${path}/-/raw/main/logo.svg`)
    expect(Buffer.from(await raw.arrayBuffer()).equals(content)).toBe(true)
    expect(shown.texts('.commit-line .grow')).toEqual(['Replace logo.svg'])
  })

  it('refuses a file that was changed meanwhile unless it is asked to replace it, and no file at all', async () => {
    const first = await developer.open(`${path}/-/replace/main/src/%C3%A4%20&%20%22b%22.txt`)
    const second = await developer.open(first.address)
    const file = (text: string) => new File([text], 'a.txt')
    expect((await first.press('Replace the file', { file: file('first\n') })).status).toBe(200)
    const refused = await second.press('Replace the file', { file: file('second\n') })
    expect([refused.status, refused.texts('.summary li')[0]]).toEqual([
      422,
      expect.stringContaining('changed'),
    ])
    expect(await contentOf('src/ä & "b".txt')).toBe('first\n')
    await refused.press('Replace the file', { file: file('third\n'), overwrite: '1' })
    expect(await contentOf('src/ä & "b".txt')).toBe('third\n')
    expect((await first.press('Replace the file')).texts('.summary li')).toEqual(['Choose a file.'])
  })

  it('is not offered to those who may not push, and a 404 for a folder', async () => {
    expect((await visitor.open(`${path}/-/blob/main/a.ts`)).texts('header a')).not.toContain(
      'Replace',
    )
    expect((await developer.open(`${path}/-/replace/main/src`)).status).toBe(404)
  })
})

describe('/<project>/-/delete/<ref>/<path>', () => {
  it('asks, and commits the deletion', async () => {
    const question = await (await developer.open(`${path}/-/blob/main/binary`)).follow('Delete')
    const shown = await question.press('Delete the file')
    expect(shown.address).toBe(`${path}/-/tree/main`)
    expect(shown.texts('.files .name a')).not.toContain('binary')
  })
})

describe('the page of a folder', () => {
  it('leaves no process behind where it does not show a README of over 8 MiB', async () => {
    const page = await visitor.open(`${path}/-/tree/main/huge`)
    expect([page.status, page.texts('#readme')]).toEqual([200, []])
    const streaming = () => runningGit(server).filter((line) => line.includes('cat-file blob'))
    await expect.poll(streaming).toEqual([])
  })
})
