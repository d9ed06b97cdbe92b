import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let made: CommentedProject
beforeAll(async () => {
  server = await buildTestServer()
  made = await buildCommentedProject(server, { visibility: 'public' })
})
afterAll(() => server.close())

const nowhere = { path: null, line: null, line_type: null }

function pathOf(sha = made.second, id: number = made.project.id): string {
  return `/projects/${id}/repository/commits/${encodeURIComponent(sha)}/comments`
}

function post(
  body: object,
  { sha = made.second, token = server.root.token, id = made.project.id } = {},
) {
  return server.inject('POST', pathOf(sha, id), { token, body })
}

/** The position of a new comment. */
async function positionOf(body: object, sha?: string): Promise<Json> {
  const answer = await post({ note: 'Here', ...body }, { ...(sha === undefined ? {} : { sha }) })
  expect(answer.status).toBe(201)
  const { path, line, line_type } = answer.body
  return { path, line, line_type }
}

async function list(query = '', sha?: string, token?: string) {
  return server.inject('GET', pathOf(sha), { query, ...(token === undefined ? {} : { token }) })
}

describe('POST /projects/:id/repository/commits/:sha/comments', () => {
  it('returns 201 with the whole comment', async () => {
    const ada = await server.buildUser({ public_email: 'ada@public.test' })
    const answer = await post({ note: 'Well done' }, { token: ada.token })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      note: 'Well done',
      author: {
        id: ada.id,
        name: ada.name,
        username: ada.username,
        state: 'active',
        avatar_url: null,
        web_url: expect.stringContaining(ada.username),
        email: 'ada@public.test',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      ...nowhere,
    })
  })

  it('comments on an added line, with line_type new by default', async () => {
    expect(await positionOf({ path: 'a.txt', line: 15, line_type: 'new' })).toEqual({
      path: 'a.txt',
      line: 15,
      line_type: 'new',
    })
    const added = { path: 'new.txt', line: 2, line_type: 'new' }
    expect(await positionOf({ path: 'new.txt', line: '2' })).toEqual(added)
    expect(await positionOf({ path: '/new.txt', line: 2, line_type: '' })).toEqual(added)
  })

  it('comments on a removed line by its old number', async () => {
    for (const [path, line] of [
      ['a.txt', 15],
      ['gone.txt', 1],
    ]) {
      const input = { path, line, line_type: 'old' }
      expect(await positionOf(input)).toEqual(input)
    }
  })

  it('comments on an unchanged line of the diff, on either side', async () => {
    const [newer, older] = [
      { path: 'a.txt', line: 18, line_type: 'new' },
      { path: 'a.txt', line: 17, line_type: 'old' },
    ]
    expect(await positionOf(newer)).toEqual(newer)
    expect(await positionOf(older)).toEqual(older)
  })

  it('finds renamed files by their new path', async () => {
    const input = { path: 'amed.txt', line: 2, line_type: 'new' }
    expect(await positionOf(input)).toEqual(input)
    expect(await positionOf({ ...input, line_type: 'old' })).toEqual({ ...input, line_type: 'old' })
    expect(await positionOf({ ...input, path: 'old name.txt' })).toEqual(nowhere)
    expect(await positionOf({ ...input, line: 12 })).toEqual(nowhere)
  })

  it('accepts a branch or tag name for its commit, also with a line', async () => {
    const input = { path: 'a.txt', line: 16, line_type: 'new' }
    for (const sha of ['main', 'v1', made.second.slice(0, 8)]) {
      expect(await positionOf(input, sha)).toEqual(input)
    }
    const last = await list('per_page=1&page=100')
    const { body } = await list(`per_page=1&page=${last.headers['x-total-pages']}`)
    expect(body).toMatchObject([input])
  })

  it.each([
    ['a line that does not exist', { path: 'a.txt', line: 9999 }],
    ['a line far from any change', { path: 'a.txt', line: 1 }],
    ['line 0', { path: 'a.txt', line: 0 }],
    ['a negative line', { path: 'a.txt', line: -15 }],
    ['the largest line', { path: 'a.txt', line: Number.MAX_SAFE_INTEGER }],
    ['an added line on the old side', { path: 'new.txt', line: 1, line_type: 'old' }],
    ['a removed line on the new side', { path: 'gone.txt', line: 1, line_type: 'new' }],
    ['a path that does not exist', { path: 'none.txt', line: 15 }],
    ['a path that the commit leaves as it is', { path: 'README.md', line: 1 }],
    ['a folder', { path: '.', line: 1 }],
    ['a path out of the tree', { path: '../a.txt', line: 15 }],
    ['git itself', { path: '.git/config', line: 1 }],
    ['a pattern', { path: '*.txt', line: 15 }],
    ['an option', { path: '--output=/tmp/x', line: 15 }],
    ['magic', { path: ':(glob)a.txt', line: 15 }],
    ['a huge path', { path: 'a/'.repeat(2000), line: 15 }],
  ])('comments on the commit as a whole for %s', async (_, input) => {
    for (const sha of [made.second, 'main', 'v1'])
      expect(await positionOf(input, sha)).toEqual(nowhere)
  })

  it('ignores a line without a path', async () => {
    expect(await positionOf({ line: 15, line_type: 'new' })).toEqual(nowhere)
    expect(await positionOf({ path: '', line: 15 })).toEqual(nowhere)
    expect(await positionOf({ path: null, line: null, line_type: null })).toEqual(nowhere)
  })

  it('comments on lines of a root commit', async () => {
    const input = { path: 'a.txt', line: 30, line_type: 'new' }
    expect(await positionOf(input, made.first)).toEqual(input)
  })

  it.each([
    [{}, 'note is missing'],
    [{ note: '' }, 'note is empty'],
    [{ note: 'a\0b' }, 'note is invalid'],
    [{ note: ['x'] }, 'note is invalid'],
    [{ note: 'x', path: 'a.txt' }, 'line is missing'],
    [{ note: 'x', path: 'a.txt', line: '' }, 'line is missing'],
    [{ note: 'x', path: 'a.txt', line: 'first' }, 'line is invalid'],
    [{ note: 'x', path: 'a.txt', line: 1.5 }, 'line is invalid'],
    [{ note: 'x', path: 'a\0', line: 1 }, 'path is invalid'],
    [
      { note: 'x', path: 'a.txt', line: 1, line_type: 'both' },
      'line_type does not have a valid value',
    ],
  ])('answers 400 for %j', async (body, error) => {
    const answer = await post(body)
    expect([answer.status, answer.body]).toEqual([400, { error }])
  })

  it('returns 400 for a lone surrogate', async () => {
    const input = { form: '{"note":"\\ud800"}', headers: { 'content-type': 'application/json' } }
    const { token } = server.root
    expect((await server.inject('POST', pathOf(), { token, ...input })).status).toBe(400)
  })

  it('returns 400 for a blank or too long note, with the limit in the message', async () => {
    const problem = async (note: string) => {
      const answer = await post({ note })
      expect(answer.status).toBe(400)
      return answer.body.message.note
    }
    expect(await problem(' \n\t')).toEqual(["can't be blank"])
    expect(await problem('x'.repeat(1_000_001))).toEqual([
      'is too long (maximum is 1000000 characters)',
    ])
    expect((await post({ note: 'x'.repeat(1_000_000) })).status).toBe(201)
  })

  it('returns the text unchanged', async () => {
    const note = '<script>alert(1)</script> & "Zoë" \u2028 😀\r\n'
    expect((await post({ note })).body.note).toBe(note)
  })

  it('accepts a form body', async () => {
    const form = 'note=From+a+form&path=a.txt&line=15&line_type=new'
    const answer = await server.inject('POST', pathOf(), { token: server.root.token, form })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ note: 'From a form', line: 15 })
  })

  it.each(['none', '0'.repeat(40), '-x', '--all', 'a..b', '%00', '../..'])(
    'returns 404 for the commit %s',
    async (sha) => {
      const path = pathOf(decodeURIComponent(sha))
      const answer = await server.inject('POST', path, {
        token: server.root.token,
        body: { note: 'x' },
      })
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }])
    },
  )

  it('returns 404 in an empty repository', async () => {
    const { id } = await server.buildProject()
    expect((await post({ note: 'x' }, { sha: 'main', id })).status).toBe(404)
  })

  it('returns 401, 403 or 404 to callers who may not read the code', async () => {
    const { id } = made.project
    const visitor = await server.buildUser()
    expect((await server.inject('POST', pathOf(), { body: { note: 'x' } })).status).toBe(401)
    expect((await post({ note: 'x' }, { token: visitor.token, id })).status).toBe(201)
    const readOnly = await server.buildToken(visitor.id, ['read_repository'])
    expect((await post({ note: 'x' }, { token: readOnly, id })).status).toBe(403)
    const hidden = await buildCommentedProject(server)
    const into = { sha: hidden.second, id: hidden.project.id }
    expect((await post({ note: 'x' }, { ...into, token: visitor.token })).status).toBe(404)
    for (const [level, status] of [
      [10, 403],
      [20, 201],
    ] as const) {
      const member = await server.buildUser()
      await server.addMember(`projects/${into.id}`, member.id, level)
      expect((await post({ note: 'x' }, { ...into, token: member.token })).status).toBe(status)
    }
  })

  it('returns 403 in an archived project, where GET still works', async () => {
    const { project, second } = await buildCommentedProject(server)
    const into = { sha: second, id: project.id }
    await post({ note: 'Before' }, into)
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    const answer = await post({ note: 'After' }, into)
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('archived')
    const { token } = server.root
    expect((await server.inject('GET', pathOf(second, project.id), { token })).body).toHaveLength(1)
  })
})

describe('GET /projects/:id/repository/commits/:sha/comments', () => {
  it('lists only the comments of the commit in the project, oldest first, in pages', async () => {
    const { project, first, second } = await buildCommentedProject(server, { visibility: 'public' })
    const { id } = project
    for (const note of ['one', 'two', 'three']) await post({ note }, { sha: second, id })
    await post({ note: 'other' }, { sha: first, id })
    const get = (query: string, sha = second) => server.inject('GET', pathOf(sha, id), { query })
    const { body, headers } = await get('per_page=2')
    expect(body.map(({ note }: Json) => note)).toEqual(['one', 'two'])
    expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-next-page': '2' })
    expect((await get('per_page=2&page=2', 'main')).body).toMatchObject([{ note: 'three' }])
    expect((await get('', first)).body).toHaveLength(1)
  })

  it('hides email addresses and private profiles', async () => {
    const { project, second } = await buildCommentedProject(server, { visibility: 'public' })
    const shy = await server.buildUser({ private_profile: true })
    await post({ note: 'x' }, { sha: second, id: project.id, token: shy.token })
    const author = async (token?: string) => {
      const input = token === undefined ? {} : { token }
      const { body } = await server.inject('GET', pathOf(second, project.id), input)
      expect(JSON.stringify(body)).not.toContain(shy.email)
      return body[0].author
    }
    const hidden = await author()
    expect(hidden).toMatchObject({ id: shy.id, username: shy.username, email: '' })
    expect(hidden).not.toHaveProperty('created_at')
    expect(await author(shy.token)).toHaveProperty('created_at')
    expect(await author(server.root.token)).toHaveProperty('created_at')
  })

  it('needs no token for a public project, and returns 404 or 403 where the code is hidden', async () => {
    expect((await list()).status).toBe(200)
    expect((await list('', 'none')).body).toEqual({ message: '404 Commit Not Found' })
    const { project, second } = await buildCommentedProject(server)
    const path = pathOf(second, project.id)
    expect((await server.inject('GET', path)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    expect((await server.inject('GET', path, { token: guest.token })).status).toBe(403)
  })

  it('runs the same number of queries for any length, and no git process', async () => {
    const { project, second } = await buildCommentedProject(server, { visibility: 'public' })
    const { id } = project
    await post({ note: 'x' }, { sha: second, id })
    const cost = async () => {
      const [queries, spawns] = [server.app.db.stats.queries, server.app.git.spawnCount]
      expect((await server.inject('GET', pathOf(second, id))).status).toBe(200)
      expect(server.app.git.spawnCount).toBe(spawns)
      return server.app.db.stats.queries - queries
    }
    const few = await cost()
    for (let i = 0; i < 10; i += 1) {
      const { token } = await server.buildUser()
      await post({ note: 'x' }, { sha: second, id, token })
    }
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(4)
  })
})
