import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileLineLimits } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let built: PushedProject

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(server, {
    'src/a.ts': 'const a = 1\n/* one\n<b>two</b> */\n',
    empty: '',
    'no-end': 'a\nb',
    Makefile: 'all:\n\techo $(X)\n',
    'data.unknown': '<script>alert(1)</script>\r\n&\n',
    'long.js': `${'x'.repeat(5000)}\nend\n`,
    'many.txt': 'line\n'.repeat(10_050),
    'image.psd': pointer,
    'large.txt': 'a'.repeat(fileLineLimits.bytes + 1),
  })
  await writeFile(join(built.tree, 'binary'), Buffer.from([0x41, 0, 0x42]))
  await writeFile(join(built.tree, 'latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'))
  await commit(built.tree, {}, 'Bytes')
  await built.push()
})
afterAll(() => server.close())

const get = (path: string, options = {}) =>
  server.inject(
    'GET',
    `/projects/${built.project.id}/repository/files/${encodeURIComponent(path)}/lines?ref=main`,
    options,
  )

describe('GET /projects/:id/repository/files/:file_path/lines', () => {
  it('returns the lines as HTML, each with its own elements, and what the file is', async () => {
    const { status, body } = await get('src/a.ts')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      file_name: 'a.ts',
      file_path: 'src/a.ts',
      size: 33,
      mode: '100644',
      ref: 'main',
      commit_id: await mustGit(built.tree, 'rev-parse', 'HEAD'),
      last_commit_id: await mustGit(built.tree, 'rev-parse', 'HEAD~1'),
      type: 'text',
      language: 'TypeScript',
      total_lines: 3,
      cut_lines: [],
      lfs_pointer: null,
    })
    expect(body.lines).toEqual([
      expect.stringContaining('<span class="hljs-keyword">const</span>'),
      '<span class="hljs-comment">/* one</span>',
      '<span class="hljs-comment">&lt;b&gt;two&lt;/b&gt; */</span>',
    ])
  })

  it.each([
    ['empty', []],
    ['no-end', ['a', 'b']],
    ['data.unknown', ['&lt;script&gt;alert(1)&lt;/script&gt;', '&amp;']],
    ['latin1.txt', ['café']],
  ])('returns %s as plain text', async (path, lines) => {
    const { body } = await get(path)
    expect(body).toMatchObject({ type: 'text', language: null, lines, total_lines: lines.length })
  })

  it('knows some languages by the name of the file', async () => {
    expect((await get('Makefile')).body.language).toBe('Makefile')
  })

  it('cuts long lines and long files, and says so', async () => {
    const { body } = await get('long.js')
    expect(body.cut_lines).toEqual([{ line: 1, length: 5000 }])
    expect(body.lines).toEqual(['x'.repeat(fileLineLimits.lineLength), 'end'])
    const many = (await get('many.txt')).body
    expect([many.lines.length, many.total_lines]).toEqual([fileLineLimits.lines, 10_050])
  })

  it.each([
    ['binary', 'binary'],
    ['large.txt', 'large'],
  ])('has no lines of %s', async (path, type) => {
    expect((await get(path)).body).toMatchObject({ type, lines: [], total_lines: 0 })
  })

  it('reads a pointer to a file that is stored elsewhere', async () => {
    expect((await get('image.psd')).body).toMatchObject({
      type: 'lfs_pointer',
      lines: [],
      lfs_pointer: { oid: 'a'.repeat(64), size: 12345 },
    })
  })

  it('returns 404 for a missing file, a folder and an unknown ref', async () => {
    for (const path of ['nothing', 'src']) expect((await get(path)).status).toBe(404)
    const unknown = `/projects/${built.project.id}/repository/files/empty/lines?ref=x`
    expect((await server.inject('GET', unknown)).status).toBe(404)
  })

  it('starts no process when it is asked again', async () => {
    // The refs are checked on every read for a tenth of a second after a change.
    await sleep(150)
    await get('src/a.ts')
    const before = server.app.git.spawnCount
    await get('src/a.ts')
    expect(server.app.git.spawnCount).toBe(before)
  })
})
