import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { repositoryOfId } from '../projects/create/project-repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const create = (token: string | undefined, body: unknown) =>
  server.inject('POST', '/groups', { ...(token === undefined ? {} : { token }), body })
const show = (id: number | string, token?: string, query = '') =>
  server.inject('GET', `/groups/${id}`, { ...(token === undefined ? {} : { token }), query })
const put = (id: number, token: string | undefined, body: unknown) =>
  server.inject('PUT', `/groups/${id}`, { ...(token === undefined ? {} : { token }), body })

describe('PUT /groups/:id', () => {
  it('is allowed for owners and administrators only', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    const body = { description: 'new' }
    expect((await put(group.id, maintainer.token, body)).status).toBe(403)
    expect((await put(group.id, undefined, body)).status).toBe(401)
    const { status, body: answer } = await put(group.id, owner.token, body)
    expect([status, answer.description]).toEqual([200, 'new'])
    expect((await put(group.id, server.root.token, body)).status).toBe(200)
  })

  it('applies a new path and name to all descendants', async () => {
    const top = await server.buildGroup({ name: 'Top 🚀', path: 'top-old' })
    const child = await server.buildGroup({ name: 'Child', path: 'child', parent_id: top.id })
    const project = await server.buildProject({ namespace_id: child.id, path: 'Deep' })
    const near = await server.buildGroup({ name: 'Near', path: 'top-old-near' })
    const { status, body } = await put(top.id, server.root.token, {
      path: 'Top-New',
      name: 'Risen',
      parent_id: near.id,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ full_path: 'Top-New', full_name: 'Risen', parent_id: null })
    const { token } = server.root
    expect((await show(child.id, token)).body).toMatchObject({
      full_path: 'Top-New/child',
      full_name: 'Risen / Child',
    })
    const path = encodeURIComponent('top-new/child/deep')
    const moved = await server.inject('GET', `/projects/${path}`, { token })
    expect(moved.body).toMatchObject({
      id: project.id,
      path_with_namespace: 'Top-New/child/Deep',
      name_with_namespace: `Risen / Child / ${project.name}`,
    })
    expect((await show(near.id, token)).body.full_path).toBe('top-old-near')
    expect((await show('top-old', token)).headers.location).toBe(`/api/v4/groups/${top.id}`)
  })

  it('returns 400 for a taken or an invalid path', async () => {
    const [one, two] = [await server.buildGroup(), await server.buildGroup()]
    const taken = await put(one.id, server.root.token, { path: two.path })
    const text = ['has already been taken']
    expect([taken.status, taken.body]).toEqual([400, { message: { path: text } }])
    const bad = await put(one.id, server.root.token, { path: 'a b' })
    expect(Object.keys(bad.body.message)).toEqual(['path'])
    const same = await put(one.id, server.root.token, { path: one.path.toUpperCase() })
    expect(same.body.full_path).toBe(one.path.toUpperCase())
  })

  it('returns 400 for a visibility narrower than its contents, or wider than its parent', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    await server.buildProject({ namespace_id: group.id, visibility: 'internal' })
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    const { token } = server.root
    const narrow = await put(group.id, token, { visibility: 'private' })
    expect(narrow.status).toBe(400)
    expect(narrow.body.message.visibility_level).toHaveLength(2)
    expect((await put(below.id, token, { visibility: 'private' })).status).toBe(200)
    const still = await put(group.id, token, { visibility: 'private' })
    expect(still.body.message.visibility_level).toHaveLength(1)
    expect((await put(group.id, token, { visibility: 'internal' })).status).toBe(200)
    const wide = await put(below.id, token, { visibility: 'public' })
    expect(wide.status).toBe(400)
  })
})

describe('PUT /groups/:id with a template project', () => {
  it('accepts a readable project of the group or its descendants, and null', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const below = await server.buildGroup({ parent_id: group.id }, owner)
    const near = await server.buildProject({ namespace_id: group.id }, owner)
    const deep = await server.buildProject({ namespace_id: below.id }, owner)
    const set = (id: unknown) => put(group.id, owner.token, { file_template_project_id: id })
    for (const { id } of [near, deep]) {
      const { status, body } = await set(id)
      expect([status, body.file_template_project_id]).toEqual([200, id])
    }
    expect((await set('')).body.file_template_project_id).toBe(deep.id)
    expect((await set(null)).body.file_template_project_id).toBeNull()
  })

  it('returns 400 for a project outside, and for an unknown one', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const outside = await server.buildProject({}, owner)
    const hidden = await server.buildProject()
    for (const id of [outside.id, hidden.id, 99_999]) {
      const answer = await put(group.id, owner.token, { file_template_project_id: id })
      const text = ['is not a project of this group']
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: { file_template_project_id: text } },
      ])
    }
  })
})

describe('PUT /groups/:id with an avatar', () => {
  it('stores it, and removes it when a blank one is sent', async () => {
    const group = await server.buildGroup()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const form = new FormData()
    form.set('avatar', new Blob([png]), 'g.png')
    const upload = await fetch(`${await server.url()}/api/v4/groups/${group.id}`, {
      method: 'PUT',
      body: form,
      headers: { 'private-token': server.root.token },
    })
    const body: Json = await upload.json()
    expect(body.avatar_url).toMatch(/\/group\/avatar\/\d+\/g\.png$/)
    const kept = await put(group.id, server.root.token, { description: 'x' })
    expect(kept.body.avatar_url).toBe(body.avatar_url)
    const cleared = await put(group.id, server.root.token, { avatar: '' })
    expect([cleared.status, cleared.body.avatar_url]).toEqual([200, null])
  })
})

describe('DELETE /groups/:id', () => {
  it('removes the group with all its contents, and nothing else', async () => {
    const top = await server.buildGroup()
    const below = await server.buildGroup({ parent_id: top.id })
    const toDelete: Json[] = []
    for (const namespace_id of [top.id, below.id]) {
      toDelete.push(await server.buildProject({ namespace_id, initialize_with_readme: true }))
    }
    const safe = await server.buildGroup()
    const kept = await server.buildProject({ namespace_id: safe.id })
    await server.inject('POST', `/projects/${kept.id}/share`, {
      token: server.root.token,
      body: { group_id: below.id, group_access: 30 },
    })
    const { token } = server.root
    const { status, body } = await server.inject('DELETE', `/groups/${top.id}`, { token })
    expect([status, body]).toEqual([202, { message: '202 Accepted' }])
    for (const { id } of [top, below]) expect((await show(id, token)).status).toBe(404)
    const read = (id: number) => server.inject('GET', `/projects/${id}`, { token })
    for (const { id } of toDelete) expect((await read(id)).status).toBe(404)
    expect((await create(token, { name: 'Again', path: top.path })).status).toBe(201)
    await server.runJobs()
    for (const { id } of toDelete) {
      expect(existsSync(repositoryOfId(server.app, id, 'default').path)).toBe(false)
    }
    expect(existsSync(repositoryOfId(server.app, kept.id, 'default').path)).toBe(true)
    expect((await read(kept.id)).body.shared_with_groups).toEqual([])
    const rows = await server.app.db.all('test.groups', { a: top.id, b: below.id }, (db, $) =>
      db
        .selectFrom('namespaces')
        .select('id')
        .where((eb) => eb.or([eb('id', '=', $('a')), eb('id', '=', $('b'))])),
    )
    expect(rows).toEqual([])
  })

  it('is allowed for owners and administrators, and checks If-Unmodified-Since', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    const remove = (token: string, headers = {}) =>
      server.inject('DELETE', `/groups/${group.id}`, { token, headers })
    expect((await remove(maintainer.token)).status).toBe(403)
    const past = { 'if-unmodified-since': new Date(0).toUTCString() }
    expect((await remove(owner.token, past)).status).toBe(412)
    expect((await remove(owner.token)).status).toBe(202)
  })
})

describe('POST /groups/:id/projects/:project_id', () => {
  it('transfers a project to the group, for administrators', async () => {
    const group = await server.buildGroup()
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const path = `/groups/${group.id}/projects/${project.id}`
    expect((await server.inject('POST', path, { token: owner.token })).status).toBe(403)
    const { status, body } = await server.inject('POST', path, { token: server.root.token })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: group.id, projects: [{ id: project.id }] })
    const again = await server.inject('POST', path, { token: server.root.token })
    expect(again.status).toBe(400)
    expect(again.body.message).toMatch(/^Failed to transfer project /)
  })

  it('accepts paths, and returns 404 for an unknown group or project', async () => {
    const group = await server.buildGroup()
    const project = await server.buildProject()
    const { token } = server.root
    const ref = encodeURIComponent(project.path_with_namespace)
    const unknown = await server.inject('POST', `/groups/${group.id}/projects/99999`, { token })
    expect(unknown.body).toEqual({ message: '404 Project Not Found' })
    const nowhere = await server.inject('POST', `/groups/99999/projects/${ref}`, { token })
    expect(nowhere.body).toEqual({ message: '404 Group Not Found' })
    const moved = await server.inject('POST', `/groups/${group.path}/projects/${ref}`, { token })
    expect(moved.status).toBe(201)
  })
})
