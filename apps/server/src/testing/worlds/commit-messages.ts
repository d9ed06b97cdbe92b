import type { TestUser } from '../factories.ts'
import { buildRepositoryWorld, type RepositoryWorld } from '../git/repository-world.ts'
import { buildTestServer, type Json, type TestServer } from '../test-server.ts'

/** Projects that commits with closing keywords and references are pushed to. */
export interface MessageWorld {
  server: TestServer
  /** The author of the commits, by e-mail address. */
  ada: TestUser
  /** Builds a project with `main` pushed, with Ada as member, by default a reporter. */
  buildWorld: (level?: number, overrides?: object) => Promise<RepositoryWorld>
  /** Opens an issue as root. */
  open: (project: Json, values?: object) => Promise<Json>
  /** State, closer and system notes of an issue, oldest first. */
  read: (issue: Json) => Promise<Json>
  /** Commits to a branch with a message, pushes it, and runs the jobs. */
  push: (world: RepositoryWorld, message: string, branch?: string) => Promise<string>
}

export async function buildMessageWorld(): Promise<MessageWorld> {
  const server = await buildTestServer()
  const ada = await server.buildUser({ email: 'Ada@example.com' })
  const { token } = server.root
  let commits = 0
  return {
    server,
    ada,
    async buildWorld(level = 20, overrides = {}) {
      const world = await buildRepositoryWorld(server, { visibility: 'public', ...overrides })
      if (level > 0) await server.addMember(`projects/${world.project.id}`, ada.id, level)
      await world.push('main')
      await server.runJobs()
      return world
    },
    async open({ id }, values = {}) {
      const body = { title: 'An issue', ...values }
      return (await server.inject('POST', `/projects/${id}/issues`, { token, body })).body
    },
    async read(issue) {
      const path = `/projects/${issue.project_id}/issues/${issue.iid}`
      const { body } = await server.inject('GET', path, { token })
      const query = 'sort=asc'
      const notes = (await server.inject('GET', `${path}/notes`, { token, query })).body
      const systemNotes = notes.map((note: Json) => `${note.author.username}: ${note.body}`)
      return { state: body.state, closedBy: body.closed_by?.username, systemNotes }
    },
    async push(world, message, branch = 'main') {
      commits += 1
      const sha = await world.commitTo(branch, { 'a.txt': `${commits}` }, message)
      await world.push(branch)
      await server.runJobs()
      return sha
    },
  }
}
