import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { insertRow, someTime } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { finishRemoval } from './user-removal.service.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

const remove = (id: number, query = '') =>
  server.inject('DELETE', `/users/${id}`, { ...root, query })

function recordEvent(authorId: number) {
  return insertRow(server.app.db, 'events', {
    authorId,
    action: 'created',
    targetType: 'project',
    createdAt: someTime,
  })
}

async function authorOf(eventId: number) {
  return server.app.db.first('test.author', { eventId }, (db, $) =>
    db
      .selectFrom('events')
      .innerJoin('users', 'users.id', 'events.authorId')
      .select(['users.kind', 'users.username', 'users.name'])
      .where('events.id', '=', $('eventId')),
  )
}

describe('DELETE /users/:id', () => {
  it('returns 204, and hides the user immediately', async () => {
    const user = await server.buildUser()
    const answer = await remove(user.id)
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    const expectDeleted = async () => {
      expect((await server.inject('GET', `/users/${user.id}`, root)).status).toBe(404)
      expect((await server.inject('GET', '/user', { token: user.token })).status).toBe(401)
      const query = `username=${user.username}`
      expect((await server.inject('GET', '/users', { ...root, query })).body).toEqual([])
      expect((await remove(user.id)).status).toBe(404)
      const list = await server.inject('GET', '/users', { ...root, query: 'search=leaving' })
      expect(list.body).toEqual([])
    }
    await expectDeleted()
    await server.runJobs()
    await expectDeleted()
  })

  it('frees the username and the e-mail address immediately', async () => {
    const user = await server.buildUser()
    await remove(user.id)
    const again = await server.buildUser({ username: user.username, email: user.email })
    expect(again.id).not.toBe(user.id)
    await server.runJobs()
    expect((await server.inject('GET', `/users/${again.id}`, root)).status).toBe(200)
  })

  it('moves the contributions of the user to the ghost user', async () => {
    const user = await server.buildUser()
    const event = await recordEvent(user.id)
    await remove(user.id)
    await server.runJobs()
    expect(await authorOf(event.id)).toMatchObject({ kind: 'ghost', username: 'ghost' })
  })

  it('has a single ghost user, who can be read but not changed', async () => {
    for (let i = 0; i < 2; i += 1) {
      const user = await server.buildUser()
      await remove(user.id)
      await server.runJobs()
    }
    const query = 'search=Ghost User'.replace(' ', '+')
    const { body } = await server.inject('GET', '/users', { ...root, query })
    expect(body).toHaveLength(1)
    const [{ id }] = body
    expect((await remove(id)).status).toBe(403)
    expect((await server.inject('POST', `/users/${id}/block`, root)).status).toBe(403)
    expect(
      (await server.inject('PUT', `/users/${id}`, { ...root, body: { bio: 'x' } })).status,
    ).toBe(404)
    const tokens = { ...root, body: { name: 'x', scopes: ['api'] } }
    const made = await server.inject('POST', `/users/${id}/impersonation_tokens`, tokens)
    expect(made.status).toBe(404)
  })

  it('removes the contributions of the user with hard_delete', async () => {
    const user = await server.buildUser()
    const event = await recordEvent(user.id)
    expect((await remove(user.id, 'hard_delete=true')).status).toBe(204)
    await server.runJobs()
    expect(await authorOf(event.id)).toBeUndefined()
  })

  it('removes the personal projects, and no others', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' }, user)
    const other = await server.buildProject({ visibility: 'public' })
    await server.addMember(`projects/${other.id}`, user.id, 30)
    const starred = await server.inject('POST', `/projects/${other.id}/star`, { token: user.token })
    expect(starred.body.star_count).toBe(1)
    await remove(user.id)
    expect((await server.inject('GET', `/projects/${project.id}`, root)).status).toBe(404)
    await server.runJobs()
    expect((await server.inject('GET', `/projects/${other.id}`, root)).body.star_count).toBe(0)
    const left = await server.app.db.all('test.left', { id: user.id }, (db, $) =>
      db.selectFrom('namespaces').select('id').where('ownerId', '=', $('id')),
    )
    expect(left).toEqual([])
    const members = await server.inject('GET', `/projects/${other.id}/members`, root)
    expect(members.body.map((member: { id: number }) => member.id)).not.toContain(user.id)
  })

  it('returns 409 for the only owner of a group, unless hard_delete removes it', async () => {
    const user = await server.buildUser()
    const group = await server.buildGroup({}, user)
    const refused = await remove(user.id)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('only owner')
    expect((await server.inject('GET', '/user', { token: user.token })).status).toBe(200)
    expect((await remove(user.id, 'hard_delete=true')).status).toBe(204)
    await server.runJobs()
    expect((await server.inject('GET', `/groups/${group.id}`, root)).status).toBe(404)
  })

  it('keeps a group with another owner, also an inherited one', async () => {
    const user = await server.buildUser()
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const subgroup = await server.buildGroup({ parent_id: group.id }, owner)
    await server.addMember(`groups/${subgroup.id}`, user.id, 50)
    expect((await remove(user.id)).status).toBe(204)
    await server.runJobs()
    expect((await server.inject('GET', `/groups/${subgroup.id}`, root)).status).toBe(200)
  })

  it('can be finished twice, and after a crash', async () => {
    const user = await server.buildUser()
    await remove(user.id)
    const payload = { userId: user.id, hard: false }
    await finishRemoval(server.app, payload)
    await finishRemoval(server.app, payload)
    await server.runJobs()
    expect((await server.inject('GET', `/users/${user.id}`, root)).status).toBe(404)
  })

  it('removes repositories, even before their own job runs', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({}, user)
    const row = await server.app.db.first('test.repository', { id: project.id }, (db, $) =>
      db.selectFrom('projects').select('repositoryPath').where('id', '=', $('id')),
    )
    const { default: storage = '' } = server.app.config.repositoryStorages
    const folder = join(storage, row?.repositoryPath ?? 'none')
    expect(existsSync(folder)).toBe(true)
    await remove(user.id)
    await finishRemoval(server.app, { userId: user.id, hard: false })
    expect(existsSync(folder)).toBe(false)
    await server.runJobs()
  })

  it('never affects users who are not being deleted', async () => {
    const user = await server.buildUser()
    await finishRemoval(server.app, { userId: user.id, hard: true })
    expect((await server.inject('GET', `/users/${user.id}`, root)).status).toBe(200)
  })

  it('returns 412 when the user has changed since, 400 for an invalid flag, 403 to other callers', async () => {
    const user = await server.buildUser()
    const stale = await server.inject('DELETE', `/users/${user.id}`, {
      ...root,
      headers: { 'if-unmodified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' },
    })
    expect(stale.status).toBe(412)
    expect((await remove(user.id, 'hard_delete=perhaps')).status).toBe(400)
    expect((await server.inject('DELETE', '/users/1', { token: user.token })).status).toBe(403)
    expect((await remove(999_999)).status).toBe(404)
  })

  it('removes the avatar', async () => {
    const user = await server.buildUser()
    const form = new FormData()
    form.set('avatar', new Blob([Buffer.from('GIF89a…')]), 'me.gif')
    await fetch(`${await server.url()}/api/v4/users/${user.id}`, {
      method: 'PUT',
      body: form,
      headers: { 'private-token': root.token },
    })
    const row = await server.app.db.first('test.avatar', { id: user.id }, (db, $) =>
      db.selectFrom('users').select('avatar').where('id', '=', $('id')),
    )
    const [key = ''] = (row?.avatar ?? '').split('/')
    const file = join(server.app.config.data, 'uploads', 'avatars', key.slice(0, 2), key)
    expect(existsSync(file)).toBe(true)
    await remove(user.id)
    await server.runJobs()
    expect(existsSync(file)).toBe(false)
  })
})
