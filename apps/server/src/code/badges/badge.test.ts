import { maxBadges } from '@stithy/core'
import { insertBadge } from '@stithy/store'
import { findOrphans } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildCommentedProject } from '../../testing/git/commented-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let guest: TestUser
let maintainer: TestUser
let owner: TestUser
let parent: Json
let group: Json
let project: Json
let path: string

const link_url = 'https://ci.example/%{project_path}?ref=%{default_branch}'
const image_url = 'https://ci.example/%{project_id}/%{commit_sha}.svg'

beforeAll(async () => {
  server = await buildTestServer()
  guest = await server.buildUser()
  maintainer = await server.buildUser()
  owner = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  parent = await server.buildGroup()
  group = await server.buildGroup({ parent_id: parent.id })
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  await server.addMember(`groups/${group.id}`, maintainer.id, 40)
  await server.addMember(`groups/${group.id}`, owner.id, 50)
  path = `/projects/${project.id}/badges`
})

const call = (method: string, where: string, who?: { token: string }, body?: unknown) =>
  callAs(server, method, where, who?.token, body)

const rendered = () => ({
  link_url,
  image_url,
  rendered_link_url: `https://ci.example/${project.path_with_namespace}?ref=%{default_branch}`,
  rendered_image_url: `https://ci.example/${project.id}/%{commit_sha}.svg`,
})

describe('POST /projects/:id/badges', () => {
  it('returns 201 with the badge, whose placeholders are replaced', async () => {
    const answer = await call('POST', path, maintainer, { link_url, image_url })
    const badge = { id: expect.any(Number), ...rendered(), kind: 'project' }
    expect([answer.status, answer.body]).toEqual([201, badge])
    expect((await call('GET', `${path}/${answer.body.id}`, guest)).body).toEqual(answer.body)
  })

  it('returns 400 for a missing URL, and for one that is neither http nor https', async () => {
    const missing = await call('POST', path, maintainer, { link_url })
    expect([missing.status, missing.body]).toEqual([400, { error: 'image_url is missing' }])
    const script = { link_url: 'javascript:alert(1)', image_url: 'x' }
    const refused = await call('POST', path, maintainer, script)
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: {
          link_url: ['is blocked: only http and https are allowed'],
          image_url: ['must be a valid URL'],
        },
      },
    ])
  })

  it('returns 403 below maintainers, and 400 for one badge too many', async () => {
    expect((await call('POST', path, guest, { link_url, image_url })).status).toBe(403)
    const place = { projectId: project.id, namespaceId: group.id }
    const row = { linkUrl: link_url, imageUrl: image_url, now: 0 }
    await server.app.db.transaction(async (tx) => {
      for (let count = 0; count < maxBadges; count += 1) await insertBadge(tx, place, row)
    })
    const refused = await call('POST', path, maintainer, { link_url, image_url })
    expect([refused.status, refused.body.message.base]).toEqual([
      400,
      ['Maximum number of badges (100) exceeded'],
    ])
  })
})

describe('GET /projects/:id/badges', () => {
  it('lists those of the project, its group and its ancestors, in pages', async () => {
    const urls = { link_url, image_url }
    const above = await created(server, `/groups/${parent.id}/badges`, urls)
    const own = await created(server, path, urls)
    const near = await created(server, `/groups/${group.id}/badges`, urls)
    await created(server, `/groups/${(await server.buildGroup()).id}/badges`, urls)
    const { body, headers } = await call('GET', path, guest)
    expect(body).toEqual([
      { id: above.id, ...rendered(), kind: 'group' },
      { id: own.id, ...rendered(), kind: 'project' },
      { id: near.id, ...rendered(), kind: 'group' },
    ])
    expect(headers['x-total']).toBe('3')
    const second = await call('GET', `${path}?per_page=2&page=2`, guest)
    expect(second.body.map((badge: Json) => badge.id)).toEqual([near.id])
  })

  it('works without a token on a public project, and returns 404 for a hidden one', async () => {
    const { id } = await server.buildProject({ visibility: 'public' })
    const open = await call('GET', `/projects/${id}/badges`)
    expect([open.status, open.body]).toEqual([200, []])
    expect((await call('GET', path, await server.buildUser())).status).toBe(404)
  })

  it('shows the newest commit to those who may read the code', async () => {
    const made = await buildCommentedProject(server, { namespace_id: group.id })
    const place = `/projects/${made.project.id}/badges`
    await created(server, place, { link_url, image_url })
    const [badge] = (await call('GET', place, maintainer)).body
    expect(badge.rendered_image_url).toContain(`/${made.second}.svg`)
    expect(badge.rendered_link_url).toContain('?ref=main')
    const [plain] = (await call('GET', place, guest)).body
    expect(plain.rendered_image_url).toContain('/%{commit_sha}.svg')
  })
})

describe('GET /projects/:id/badges/render', () => {
  it('returns the four URLs to maintainers, and stores nothing', async () => {
    const query = new URLSearchParams({ link_url, image_url })
    const { status, body } = await call('GET', `${path}/render?${query}`, maintainer)
    expect([status, body]).toEqual([200, rendered()])
    expect((await call('GET', path, guest)).body).toEqual([])
    expect((await call('GET', `${path}/render?${query}`, guest)).status).toBe(403)
  })

  it('returns 400 for an invalid URL', async () => {
    const query = new URLSearchParams({ link_url, image_url: 'ftp://a.example/x' })
    expect((await call('GET', `${path}/render?${query}`, maintainer)).status).toBe(400)
  })
})

describe('PUT and DELETE /projects/:id/badges/:badge_id', () => {
  it('change what is sent, and delete', async () => {
    const { id } = await created(server, path, { link_url, image_url })
    const changed = await call('PUT', `${path}/${id}`, maintainer, { link_url: 'http://a.example' })
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ link_url: 'http://a.example', image_url }),
    ])
    const wrong = await call('PUT', `${path}/${id}`, maintainer, { image_url: 'x' })
    expect(wrong.status).toBe(400)
    expect((await call('DELETE', `${path}/${id}`, maintainer)).status).toBe(204)
    const missing = await call('DELETE', `${path}/${id}`, maintainer)
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Badge Not Found' }])
    expect((await call('PUT', `${path}/${id}`, maintainer, {})).status).toBe(404)
  })

  it('return 403 for the badge of a group, and 404 for that of another project', async () => {
    const urls = { link_url, image_url }
    const { id } = await created(server, `/groups/${parent.id}/badges`, urls)
    for (const method of ['PUT', 'DELETE']) {
      const refused = await call(method, `${path}/${id}`, maintainer, urls)
      const message = '403 Forbidden - The badge belongs to a group'
      expect([refused.status, refused.body]).toEqual([403, { message }])
    }
    const other = await server.buildProject()
    const foreign = await created(server, `/projects/${other.id}/badges`, urls)
    expect((await call('DELETE', `${path}/${foreign.id}`, maintainer)).status).toBe(404)
    expect((await call('GET', `${path}/${foreign.id}`, maintainer)).status).toBe(404)
  })
})

describe('badges of groups', () => {
  it('are changed by owners, and keep their placeholders', async () => {
    const place = `/groups/${group.id}/badges`
    const urls = { link_url, image_url }
    expect((await call('POST', place, maintainer, urls)).status).toBe(403)
    const made = await call('POST', place, owner, urls)
    const badge = {
      id: expect.any(Number),
      ...urls,
      rendered_link_url: link_url,
      rendered_image_url: image_url,
      kind: 'group',
    }
    expect([made.status, made.body]).toEqual([201, badge])
    await created(server, `/groups/${parent.id}/badges`, urls)
    expect((await call('GET', place, guest)).body).toEqual([made.body])
    const one = `${place}/${made.body.id}`
    expect((await call('GET', one, guest)).body).toEqual(made.body)
    const query = new URLSearchParams(urls)
    const { id, kind, ...preview } = made.body
    expect((await call('GET', `${place}/render?${query}`, owner)).body).toEqual(preview)
    const changed = await call('PUT', one, owner, { image_url: 'https://a.example/%{project_id}' })
    expect(changed.body.rendered_image_url).toBe('https://a.example/%{project_id}')
    expect((await call('DELETE', one, owner)).status).toBe(204)
    expect((await call('GET', place, guest)).body).toEqual([])
  })
})

describe('deleting a project and a group', () => {
  it('deletes their badges', async () => {
    const urls = { link_url, image_url }
    await created(server, path, urls)
    await created(server, `/groups/${group.id}/badges`, urls)
    await call('DELETE', `/groups/${parent.id}`, server.root)
    await server.runJobs()
    const owners = { projectId: project.id, groupId: group.id }
    const left = server.app.db.all('test.badges', owners, (db, $) =>
      db
        .selectFrom('badges')
        .select('id')
        .where((eb) =>
          eb.or([eb('projectId', '=', $('projectId')), eb('groupId', '=', $('groupId'))]),
        ),
    )
    expect(await left).toEqual([])
    expect(await findOrphans(server.app.db)).toEqual([])
  })
})
