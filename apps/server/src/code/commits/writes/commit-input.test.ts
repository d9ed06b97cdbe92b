import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type CommitFields,
  type CommitHelpers,
  commitHelpers,
  create,
} from '../../../testing/clients/commit-helpers.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject({ visibility: 'public' })
})
afterAll(() => server.close())

const send = (actions: unknown, fields?: CommitFields) => commits.send(project.id, actions, fields)
const must = (actions: unknown, fields?: CommitFields) => commits.must(project.id, actions, fields)
const files = (ref?: string) => commits.files(project.id, ref)
const tips = () => commits.tips(project.id)

describe('POST /projects/:id/repository/commits', () => {
  it('returns 400 with a reason when an action cannot apply, and writes nothing', async () => {
    const first = await must([create('a'), create('dir/b')])
    const bad: Json[] = [
      [create('a')],
      [create('c'), create('c')],
      [create('dir')],
      [create('a/b')],
      [{ action: 'update', file_path: 'none', content: '' }],
      [{ action: 'update', file_path: 'dir', content: '' }],
      [{ action: 'update', file_path: 'a/b', content: '' }],
      [{ action: 'delete', file_path: 'none' }],
      [{ action: 'delete', file_path: 'dir' }],
      [
        { action: 'delete', file_path: 'a' },
        { action: 'delete', file_path: 'a' },
      ],
      [{ action: 'move', file_path: 'x', previous_path: 'none' }],
      [{ action: 'move', file_path: 'dir/b', previous_path: 'a' }],
      [{ action: 'move', file_path: 'a', previous_path: 'a' }],
      [{ action: 'move', file_path: 'x', previous_path: 'dir' }],
      [{ action: 'chmod', file_path: 'none', execute_filemode: true }],
      [{ action: 'chmod', file_path: 'dir', execute_filemode: true }],
      [create('c', 'not base64!', { encoding: 'base64' })],
      [create('c', 'YWJjZA', { encoding: 'base64' }), create('d', 'YWJjZ', { encoding: 'base64' })],
      [create('c', 'YQ=', { encoding: 'base64' })],
    ]
    expect((await send({})).status).toBe(400)
    for (const actions of bad) {
      const { status, body } = await send([create('first'), ...actions])
      expect([status, body.message, actions]).toEqual([400, expect.stringMatching(/\.$/), actions])
    }
    expect(await tips()).toEqual({ main: first.id })
    expect(Object.keys(await files())).toEqual(['a', 'dir/b'])
  })

  it.each([
    '../x',
    'a/../x',
    '..',
    '.',
    './x',
    'a\\b',
    '..\\x',
    '/etc/passwd',
    'a//b',
    'a/',
    '',
    '.git',
    '.git/config',
    'a/.GIT/x',
    '.git./x',
    '.git /x',
    'git~1',
    '.g\u200cit/x',
    'a\\.git\\x',
    '.git::$INDEX_ALLOCATION/x',
    'x'.repeat(4097),
    'ü'.repeat(2049),
  ])('answers 400 for the path %s', async (path) => {
    await must([create('a')])
    for (const action of [
      create(path),
      { action: 'move', file_path: path, previous_path: 'a' },
      { action: 'move', file_path: 'b', previous_path: path || '/' },
      { action: 'update', file_path: path, content: '', last_commit_id: 'a'.repeat(40) },
      { action: 'delete', file_path: path },
    ]) {
      const { status, body } = await send([action])
      expect([status, body.message]).toEqual([400, expect.stringContaining('may have the path')])
    }
  })

  it('accepts unusual but valid paths', async () => {
    const paths = [
      '-x',
      '--all',
      '.github/x',
      'git',
      'a b',
      'ü/ñ',
      'x\ny',
      ':(top)x',
      '*',
      '.gitignore',
      '"q"',
    ]
    await must(paths.map((path) => create(path)))
    expect(Object.keys(await files()).toSorted()).toEqual(paths.toSorted())
    await must(paths.map((file_path) => ({ action: 'delete', file_path })))
    expect(await files()).toEqual({})
  })

  it('returns 400 for invalid parameters', async () => {
    const { body } = await server.inject('POST', `/projects/${project.id}/repository/commits`, {
      token: server.root.token,
      body: {},
    })
    expect(body.error).toMatch(/branch is missing, commit_message is missing, actions is missing/)
    for (const [actions, error] of [
      ['text', 'actions is invalid'],
      [[1], 'actions is invalid'],
      [[{ file_path: 'a' }], 'actions[action] is missing'],
      [[{ action: 'explode', file_path: 'a' }], 'actions[action] does not have a valid value'],
      [[{ action: 'create', content: 'a' }], 'actions[file_path] is missing'],
      [[{ action: 'create', file_path: 'a\0', content: 'a' }], 'actions[file_path] is invalid'],
      [[{ action: 'create', file_path: 'a' }], 'actions[content] is missing'],
      [[{ action: 'update', file_path: 'a' }], 'actions[content] is missing'],
      [[create('a', 'x', { encoding: 'utf7' })], 'actions[encoding] does not have a valid value'],
      [[create('a', '\ud800')], 'actions[content] is invalid'],
      [[{ action: 'move', file_path: 'a' }], 'actions[previous_path] is missing'],
      [[{ action: 'chmod', file_path: 'a' }], 'actions[execute_filemode] is missing'],
    ] as const) {
      expect([(await send(actions)).body, actions]).toEqual([{ error }, actions])
    }
    expect((await send([create('a')], { commit_message: '' })).status).toBe(400)
    expect((await send([create('a')], { branch: '' })).status).toBe(400)
  })

  it('treats null and blank values as absent, and accepts numbers as text, and NUL in a text', async () => {
    await must([
      {
        ...create('a', 'a\0b'),
        encoding: '',
        last_commit_id: null,
        previous_path: '',
        execute_filemode: '',
      },
      { action: 'create', file_path: 'n', content: 12 },
      create('b64', ' YWJj\r\nZA= = ', { encoding: 'base64' }),
    ])
    expect(await files()).toEqual({ a: '100644 a\0b', n: '100644 12', b64: '100644 abcd' })
  })

  it('reads forms: a repeated key starts a new action', async () => {
    const form = new URLSearchParams([
      ['branch', 'main'],
      ['commit_message', 'From a form'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'a'],
      ['actions[][content]', 'one'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'b'],
      ['actions[][encoding]', 'base64'],
      ['actions[][content]', 'dHdv'],
      ['actions[][action]', 'chmod'],
      ['actions[][file_path]', 'b'],
      ['actions[][execute_filemode]', 'true'],
    ]).toString()
    const { token } = server.root
    const path = `/projects/${project.id}/repository/commits`
    expect((await server.inject('POST', path, { token, form })).status).toBe(201)
    expect(await files()).toEqual({ a: '100644 one', b: '100755 two' })
    const numbered =
      'branch=main&commit_message=m&actions[0][action]=delete&actions[0][file_path]=a'
    expect((await server.inject('POST', path, { token, form: numbered })).status).toBe(201)
    const none = 'branch=main&commit_message=m&actions[]='
    expect((await server.inject('POST', path, { token, form: none })).status).toBe(201)
    expect(await files()).toEqual({ b: '100755 two' })
  })

  it('reads multipart forms', async () => {
    const form = new FormData()
    for (const [name, value] of [
      ['branch', 'main'],
      ['commit_message', 'm'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'a'],
      ['actions[][content]', 'one'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'b'],
      ['actions[][content]', ''],
    ] as const) {
      form.append(name, value)
    }
    const request = new Request('http://x', { method: 'POST', body: form })
    const answer = await server.inject('POST', `/projects/${project.id}/repository/commits`, {
      token: server.root.token,
      bytes: Buffer.from(await request.arrayBuffer()),
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
    })
    expect(answer.status).toBe(201)
    expect(await files()).toEqual({ a: '100644 one', b: '100644 ' })
  })

  it('requires the Developer role, and returns 403 in archived projects', async () => {
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    expect((await send([create('a')], { token: reporter.token })).status).toBe(403)
    expect((await commits.send(99_999, [create('a')])).status).toBe(404)
    const hidden = await server.buildProject()
    const stranger = { token: reporter.token }
    expect((await commits.send(hidden.id, [create('a')], stranger)).status).toBe(404)
    const weak = await server.buildToken(server.root.id, ['read_repository', 'write_repository'])
    expect((await send([create('a')], { token: weak })).status).toBe(403)
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    expect((await send([create('a')])).status).toBe(403)
    expect(await tips()).toEqual({})
  })

  it('creates 1,200 files in one commit', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `dir${index % 7}/file${index}`)
    await must(names.map((name) => create(name, name)))
    const tree = await server.inject('GET', `/projects/${project.id}/repository/tree`, {
      query: 'path=dir3&per_page=100',
    })
    expect(tree.headers['x-total']).toBe('171')
  })
})
