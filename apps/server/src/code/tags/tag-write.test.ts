import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, git, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let tree: string
let remote: string
let head: string
let developer: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  developer = await server.buildUser({ name: 'Dora <Dev>' })
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  tree = await buildWorkTree()
  const { username, token } = server.root
  remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', '--quiet', remote, 'main', 'main:topic')
  head = await mustGit(tree, 'rev-parse', 'HEAD')
})
afterAll(() => server.close())

const tags = (id = project.id) => `/projects/${id}/repository/tags`

function post(body: object, token = developer.token, id = project.id) {
  return server.inject('POST', tags(id), { token, body })
}

function remove(name: string, token = developer.token, headers: Record<string, string> = {}) {
  return server.inject('DELETE', `${tags()}/${encodeURIComponent(name)}`, { token, headers })
}

async function events(): Promise<Json[]> {
  const { token } = server.root
  return (await server.inject('GET', `/projects/${project.id}/events`, { token })).body
}

async function hasRelease(name: string): Promise<boolean> {
  const path = `/projects/${project.id}/releases/${encodeURIComponent(name)}`
  return (await server.inject('GET', path, { token: server.root.token })).status === 200
}

describe('POST /projects/:id/repository/tags', () => {
  it('creates a lightweight tag of a branch, with the event of a push', async () => {
    const { status, body } = await post({ tag_name: 'light', ref: 'main' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'light', message: null, target: head, release: null })
    expect(body.commit.id).toBe(head)
    const [event] = await events()
    expect(event).toMatchObject({
      action_name: 'pushed new',
      author_id: developer.id,
      push_data: { ref: 'light', ref_type: 'tag', action: 'created', commit_to: head },
    })
  })

  it('creates an annotated tag by the caller, of a hash', async () => {
    const message = 'Notes\n\n* ünï\n'
    const { status, body } = await post({ tag_name: 'rc/1', ref: head.slice(0, 10), message })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'rc/1', message: 'Notes\n\n* ünï', commit: { id: head } })
    expect(body.target).not.toBe(head)
    await mustGit(tree, 'fetch', '--quiet', remote, 'refs/tags/rc/1:refs/tags/rc/1')
    expect(await mustGit(tree, 'cat-file', 'tag', 'rc/1')).toMatch(
      new RegExp(
        `^object ${head}\ntype commit\ntag rc/1\ntagger Dora Dev <${developer.email}> \\d+ \\+0000\n\nNotes`,
      ),
    )
  })

  it('points to the commit when created from a tag, and ignores a blank message', async () => {
    const { body } = await post({ tag_name: 'again', ref: 'rc/1', message: ' ' })
    expect(body).toMatchObject({ message: null, target: head })
  })

  it.each(['v1.2.3', 'a/b/c', 'ünï/β', 'a+b', 'a%b', "it's", 'x'.repeat(200)])(
    'accepts the name %s, finds the tag by it and deletes it',
    async (name) => {
      expect((await post({ tag_name: name, ref: 'main' })).status).toBe(201)
      const path = `${tags()}/${encodeURIComponent(name)}`
      const { body } = await server.inject('GET', path, { token: developer.token })
      expect(body.name).toBe(name)
      expect((await remove(name)).status).toBe(204)
    },
  )

  it('accepts forms, and a release description, which creates a release too', async () => {
    const form = 'tag_name=form&ref=main&message=m&release_description=*hi*'
    const { status, body } = await server.inject('POST', tags(), { token: developer.token, form })
    expect(status).toBe(201)
    expect(body.release).toEqual({ tag_name: 'form', description: '*hi*' })
    expect(await hasRelease('form')).toBe(true)
  })

  it.each([
    '-x',
    'a b',
    'a..b',
    'a~1',
    'a:b',
    'a\\b',
    'a?',
    'a*',
    'a[',
    'a^',
    '.a',
    'a/.b',
    'a.lock',
    'a/',
    'a//b',
    'a@{b',
    '@',
    'HEAD',
    'refs/heads/x',
    'a\nb',
    'x'.repeat(2000),
  ])('answers 400 for the name %j', async (name) => {
    const { status, body } = await post({ tag_name: name, ref: 'main' })
    expect([status, body]).toEqual([400, { message: 'The tag name is invalid' }])
  })

  it.each(['none', '-x', '--help', 'a b', 'f'.repeat(40), 'main:README.md', 'x'.repeat(1000)])(
    'returns 400 for the ref %s',
    async (ref) => {
      const { status, body } = await post({ tag_name: 'new', ref })
      expect([status, body]).toEqual([400, { message: 'The ref does not exist' }])
    },
  )

  it('returns 400 for missing parameters, NUL, and an existing or conflicting tag', async () => {
    expect((await post({ ref: 'main' })).body).toEqual({ error: 'tag_name is missing' })
    expect((await post({ tag_name: 'new' })).body).toEqual({ error: 'ref is missing' })
    expect((await post({ tag_name: '', ref: '' })).status).toBe(400)
    expect((await post({ tag_name: 'a\0b', ref: 'main' })).status).toBe(400)
    expect((await post({ tag_name: 'new', ref: 'main', message: 'a\0b' })).status).toBe(400)
    expect((await post({ tag_name: 'light', ref: 'main' })).body).toEqual({
      message: 'The tag light already exists',
    })
    for (const name of ['rc', 'light/x']) {
      expect((await post({ tag_name: name, ref: 'main' })).status).toBe(400)
    }
  })

  it('creates nothing when the release description is too long', async () => {
    const description = 'x'.repeat(1_000_001)
    const answer = await post({ tag_name: 'long', ref: 'main', release_description: description })
    expect(answer.status).toBe(400)
    expect(answer.body.message.description).toEqual(['is too long (maximum is 1000000 characters)'])
    expect((await remove('long')).status).toBe(404)
  })

  it('lets one of two concurrent requests win', async () => {
    const answers = await Promise.all(
      ['main', 'topic', 'main'].map((ref) => post({ tag_name: 'race', ref, message: ref })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })

  it('returns 400 in an empty repository', async () => {
    const empty = await server.buildProject()
    expect((await post({ tag_name: 'a', ref: 'main' }, server.root.token, empty.id)).status).toBe(
      400,
    )
  })
})

describe('DELETE /projects/:id/repository/tags/:tag_name', () => {
  it('deletes the tag and its release, with the event of a push', async () => {
    await post({ tag_name: 'gone/1', ref: 'main', release_description: 'x' })
    const answer = await remove('gone/1')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await hasRelease('gone/1')).toBe(false)
    const [event] = await events()
    expect(event).toMatchObject({
      action_name: 'deleted',
      push_data: { ref: 'gone/1', action: 'removed', commit_from: head, commit_to: null },
    })
    expect((await remove('gone/1')).body).toEqual({ message: '404 Tag Not Found' })
    // A new tag of the same name does not restore the old release.
    await post({ tag_name: 'gone/1', ref: 'main' })
    expect(await hasRelease('gone/1')).toBe(false)
  })

  it('respects If-Unmodified-Since', async () => {
    await post({ tag_name: 'kept', ref: 'main' })
    const old = new Date(0).toUTCString()
    expect((await remove('kept', developer.token, { 'if-unmodified-since': old })).status).toBe(412)
    expect((await remove('kept')).status).toBe(204)
  })

  it.each(['none', '-x', 'a..b', 'main', '..'])('returns 404 for %s', async (name) => {
    expect((await remove(name)).status).toBe(404)
  })
})

describe('a tag deletion through git', () => {
  it('deletes its release, and keeps the others', async () => {
    for (const name of ['by-git', 'by-git-2']) {
      await post({ tag_name: name, ref: 'main', release_description: 'x' })
    }
    await mustGit(tree, 'push', '--quiet', remote, ':refs/tags/by-git')
    expect(await hasRelease('by-git')).toBe(false)
    expect(await hasRelease('by-git-2')).toBe(true)
  })
})

describe('protected tags', () => {
  it('cannot be created below the access level, nor deleted at all', async () => {
    const { token } = server.root
    await post({ tag_name: 'safe-1', ref: 'main' })
    const path = `/projects/${project.id}/protected_tags`
    const answer = await server.inject('POST', path, { token, body: { name: 'safe-*' } })
    expect(answer.status).toBe(201)
    const made = await post({ tag_name: 'safe-2', ref: 'main', message: 'x' })
    expect([made.status, typeof made.body.message]).toEqual([400, 'string'])
    for (const who of [developer.token, token])
      expect((await remove('safe-1', who)).status).toBe(400)
    expect((await post({ tag_name: 'safe-3', ref: 'main' }, token)).status).toBe(201)
  })
})

describe('access to tags', () => {
  it.each([
    ['nobody', undefined, 401, 401],
    ['a stranger', 0, 404, 404],
    ['a guest', 10, 403, 403],
    ['a reporter', 20, 403, 403],
    ['a developer', 30, 201, 204],
    ['a maintainer', 40, 201, 204],
  ] as const)('%s', async (_, level, made, deleted) => {
    const user = await server.buildUser()
    if (level) await server.addMember(`projects/${project.id}`, user.id, level)
    const input = level === undefined ? {} : { token: user.token }
    const body = { tag_name: `by-${level}`, ref: 'main' }
    expect((await server.inject('POST', tags(), { ...input, body })).status).toBe(made)
    await post({ tag_name: `by-${level}`, ref: 'main' })
    const path = `${tags()}/by-${level}`
    expect((await server.inject('DELETE', path, input)).status).toBe(deleted)
  })

  it('is read-only in an archived project', async () => {
    const { token } = server.root
    const archived = await server.buildProject()
    const target = remoteUrl(await server.url(), archived.path_with_namespace, 'root', token)
    await mustGit(tree, 'push', '--quiet', target, 'main', 'main:refs/tags/v1')
    await server.inject('POST', `/projects/${archived.id}/archive`, { token })
    expect((await post({ tag_name: 'v2', ref: 'main' }, token, archived.id)).status).toBe(403)
    const path = `${tags(archived.id)}/v1`
    expect((await server.inject('DELETE', path, { token })).status).toBe(403)
    expect((await server.inject('GET', path, { token })).status).toBe(200)
    const body = { description: 'x' }
    expect((await server.inject('POST', `${path}/release`, { token, body })).status).toBe(403)
    expect((await git(tree, 'ls-remote', target, 'refs/tags/v1')).stdout).toContain('refs/tags/v1')
  })
})

describe('POST, PUT /projects/:id/repository/tags/:tag_name/release', () => {
  const call = (method: string, name: string, body: object, token = developer.token) =>
    server.inject(method, `${tags()}/${encodeURIComponent(name)}/release`, { token, body })

  it('releases a tag once, and changes the release', async () => {
    await post({ tag_name: 'old/way', ref: 'main' })
    expect((await call('PUT', 'old/way', { description: 'b' })).status).toBe(404)
    const made = await call('POST', 'old/way', { description: 'a' })
    expect([made.status, made.body]).toEqual([201, { tag_name: 'old/way', description: 'a' }])
    expect((await call('POST', 'old/way', { description: 'b' })).status).toBe(409)
    const changed = await call('PUT', 'old/way', { description: 'b' })
    expect([changed.status, changed.body]).toEqual([200, { tag_name: 'old/way', description: 'b' }])
    expect(await hasRelease('old/way')).toBe(true)
  })

  it('returns 404 without the tag, 400 without the description, 403 to reporters', async () => {
    for (const method of ['POST', 'PUT']) {
      expect((await call(method, 'none', { description: 'a' })).body).toEqual({
        message: '404 Tag Not Found',
      })
      for (const body of [{}, { description: '' }, { description: 'a\0' }]) {
        expect((await call(method, 'old/way', body)).status).toBe(400)
      }
      const long = { description: 'x'.repeat(1_000_001) }
      expect((await call(method, 'old/way', long)).status).toBe(400)
      const reporter = await server.buildUser()
      await server.addMember(`projects/${project.id}`, reporter.id, 20)
      const refused = await call(method, 'old/way', { description: 'a' }, reporter.token)
      expect(refused.status).toBe(403)
    }
  })
})
