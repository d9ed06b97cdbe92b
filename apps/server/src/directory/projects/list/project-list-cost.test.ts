import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Maximum number of statements for a request, including the token look-up. */
const budget = 6

async function countQueries(path: string, token: string) {
  const before = server.app.db.stats.queries
  const { status, body } = await server.inject('GET', path, { token })
  expect(status).toBe(200)
  return { body, queries: server.app.db.stats.queries - before }
}

/**
 * Counts the statements of a list whose total is not cached: any membership change invalidates it.
 */
async function countUncachedQueries(path: string, token: string) {
  const user = await server.buildUser()
  const project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, user.id, 10)
  return countQueries(path, token)
}

async function fork(id: number, sourceId: number): Promise<void> {
  await server.app.db.run('test.fork', { id, sourceId }, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: $('sourceId') })
      .where('id', '=', $('id')),
  )
}

/** Two projects of a user in a group, one of them a fork, both shared. */
async function buildForkedProjects() {
  const user = await server.buildUser()
  const group = await server.buildGroup({}, user)
  const friends = await server.buildGroup({ visibility: 'public' })
  const source = await server.buildProject({ visibility: 'public' })
  const projects: Json[] = []
  for (const namespace_id of [group.id, group.id, undefined, undefined]) {
    const project = await server.buildProject({ namespace_id }, user)
    await server.inject('POST', `/projects/${project.id}/share`, {
      token: user.token,
      body: { group_id: friends.id, group_access: 20 },
    })
    projects.push(project)
  }
  for (const project of [projects[0], projects[2]]) await fork(project.id, source.id)
  return { user, group, source, friends }
}

describe('a list of projects', () => {
  it('needs a bounded number of queries with forks, shares and statistics, also without a cached total', async () => {
    const { user, group, source, friends } = await buildForkedProjects()
    const paths = [
      '/projects?membership=true',
      '/projects?membership=true&statistics=true',
      '/projects?membership=true&simple=true',
      `/users/${user.username}/projects`,
      `/groups/${group.id}/projects`,
    ]
    for (const path of paths) {
      const { body, queries } = await countUncachedQueries(path, user.token)
      expect(body.length).toBeGreaterThan(1)
      expect(queries, path).toBeLessThanOrEqual(budget)
      if (path.includes('simple')) continue
      const [forked] = body.filter((project: Json) => 'forked_from_project' in project)
      expect(forked.forked_from_project.id).toBe(source.id)
      for (const project of body) {
        expect(project.shared_with_groups).toMatchObject([{ group_id: friends.id }])
        expect('statistics' in project).toBe(path.includes('statistics'))
      }
    }
  })

  it('needs the same number of queries for 1 project and for 50', async () => {
    const user = await server.buildUser()
    const build = (name: string) => server.buildProject({ name }, user)
    await build('cost')
    const paths = ['owned=true', 'owned=true&statistics=true&search=cost', 'owned=true&simple=true']
    const few: number[] = []
    const ask = (query: string) =>
      countUncachedQueries(`/projects?per_page=100&${query}`, user.token)
    for (const query of paths) few.push((await ask(query)).queries)
    for (let index = 0; index < 49; index += 1) await build(`cost ${index}`)
    for (const [index, query] of paths.entries()) {
      const { body, queries } = await ask(query)
      expect(body).toHaveLength(50)
      expect(queries).toBe(few[index])
      expect(queries).toBeLessThanOrEqual(budget)
    }
  })
})

describe('related lists', () => {
  it('need a bounded number of queries too', async () => {
    const { user, group } = await buildForkedProjects()
    const project = await server.buildProject({ namespace_id: group.id }, user)
    const paths = [
      '/groups',
      `/groups/${group.id}/subgroups`,
      '/namespaces',
      `/groups/${group.id}/members`,
      `/groups/${group.id}/members/all`,
      `/projects/${project.id}/members`,
      `/projects/${project.id}/members/all`,
      `/projects/${project.id}/users`,
    ]
    for (const path of paths) {
      const { queries } = await countUncachedQueries(path, user.token)
      expect(queries, path).toBeLessThanOrEqual(budget)
    }
  })
})
