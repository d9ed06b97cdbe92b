/**
 * Who may do what with wikis: every level, on every visibility and setting of the wiki, and in
 * archived projects, by the API; what is read from `/<project>/wikis/uploads/...` likewise.
 */
import { type FeatureLevel, visibilities } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
const members: { level: number; user: TestUser }[] = []

beforeAll(async () => {
  server = await buildTestServer()
  for (const level of [0, 10, 20, 30, 40, 50]) {
    members.push({ level, user: await server.buildUser() })
  }
})
afterAll(() => server.close())

/** The statuses of reading, creating, updating and deleting by one caller. */
async function statuses({ id }: Json, token: string | undefined, name: string) {
  const as = token === undefined ? {} : { token }
  const base = `/projects/${id}/wikis`
  const body = { title: name, content: 'x' }
  const list = await server.inject('GET', base, as)
  const show = await server.inject('GET', `${base}/home`, as)
  const create = await server.inject('POST', base, { ...as, body })
  const update = await server.inject('PUT', `${base}/home`, { ...as, body: { content: name } })
  if (create.status !== 201) await server.inject('POST', base, { token: server.root.token, body })
  const gone = await server.inject('DELETE', `${base}/${name}`, as)
  return [list, show, create, update, gone].map(({ status }) => status)
}

async function buildWiki(visibility: string, wikiLevel: FeatureLevel, isArchived = false) {
  const group = await server.buildGroup({ visibility })
  for (const { level, user } of members) {
    if (level > 0) await server.addMember(`groups/${group.id}`, user.id, level)
  }
  const project = await server.buildProject({ visibility, namespace_id: group.id })
  await created(server, `/projects/${project.id}/wikis`, { title: 'home', content: 'x' })
  const { token } = server.root
  await server.inject('PUT', `/projects/${project.id}`, {
    token,
    body: { wiki_access_level: wikiLevel },
  })
  if (isArchived) await server.inject('POST', `/projects/${project.id}/archive`, { token })
  return project
}

/** What each kind of caller gets: no sign-in, no membership, then the levels 10 to 50. */
const expected: Record<string, string[]> = {
  'public enabled': [
    '200 200 401 401 401',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 201 200 403',
    '200 200 201 200 204',
    '200 200 201 200 204',
  ],
  'public private': [
    '401 401 401 401 401',
    '403 403 403 403 403',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 201 200 403',
    '200 200 201 200 204',
    '200 200 201 200 204',
  ],
  'internal enabled': [
    '404 404 404 404 404',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 201 200 403',
    '200 200 201 200 204',
    '200 200 201 200 204',
  ],
  'private enabled': [
    '404 404 404 404 404',
    '404 404 404 404 404',
    '200 200 403 403 403',
    '200 200 403 403 403',
    '200 200 201 200 403',
    '200 200 201 200 204',
    '200 200 201 200 204',
  ],
}

describe('the pages of a wiki', () => {
  it.each(Object.keys(expected))('on a %s wiki are for whom the table names', async (name) => {
    const [visibility = '', level] = name.split(' ')
    const project = await buildWiki(visibility, level as FeatureLevel)
    const tokens = [undefined, ...members.map(({ user }) => user.token)]
    const found: string[] = []
    for (const [index, token] of tokens.entries()) {
      found.push((await statuses(project, token, `p${index}`)).join(' '))
    }
    // Who is asked to sign in, and what hidden projects answer, is that of every call.
    expect(found.map((row) => row.replaceAll('401', '404'))).toEqual(
      expected[name]?.map((row) => row.replaceAll('401', '404')),
    )
  })

  it.each(visibilities)('are for nobody on a %s project without a wiki', async (visibility) => {
    const project = await buildWiki(visibility, 'disabled')
    const owner = members.at(-1)?.user.token
    for (const token of [owner, server.root.token]) {
      expect(await statuses(project, token, 'p')).toEqual([403, 403, 403, 403, 403])
    }
  })

  it('of an archived project can be read only, by owners and administrators as well', async () => {
    const project = await buildWiki('private', 'enabled', true)
    for (const token of [members.at(-1)?.user.token, server.root.token]) {
      expect(await statuses(project, token, 'p')).toEqual([200, 200, 403, 403, 403])
    }
    const refused = await server.inject('POST', `/projects/${project.id}/wikis`, {
      token: server.root.token,
      body: { title: 'x', content: 'x' },
    })
    expect(refused.body.message).toBe('403 Forbidden - The project is archived')
  })

  it('need the scope `api`', async () => {
    const project = await buildWiki('private', 'enabled')
    const token = await server.buildToken(server.root.id, ['read_repository'])
    const { status } = await server.inject('GET', `/projects/${project.id}/wikis`, { token })
    expect(status).toBe(403)
  })
})
