import type { TestUser } from '../factories.ts'
import { buildWorkPlace, type WorkPlace } from '../git/work-place.ts'
import { buildTestServer, type Json, type TestServer } from '../test-server.ts'

/** Projects into which commits are pushed whose messages do something. */
export interface MessageWorld {
  server: TestServer
  /** Whose address stands in the commits. */
  ada: TestUser
  /** A project with `main` pushed, in which Ada is a reporter unless told. */
  buildPlace: (level?: number, overrides?: object) => Promise<WorkPlace>
  /** Opens an issue as root. */
  open: (project: Json, values?: object) => Promise<Json>
  /** State, closer and remarks of an issue, the oldest first. */
  read: (issue: Json) => Promise<Json>
  /** Commits to a branch with a message, pushes it, and lets all follow from it. */
  push: (place: WorkPlace, message: string, branch?: string) => Promise<string>
}

export async function buildMessageWorld(): Promise<MessageWorld> {
  const server = await buildTestServer()
  const ada = await server.buildUser({ email: 'Ada@example.com' })
  const { token } = server.root
  let commits = 0
  return {
    server,
    ada,
    async buildPlace(level = 20, overrides = {}) {
      const place = await buildWorkPlace(server, { visibility: 'public', ...overrides })
      if (level > 0) await server.addMember(`projects/${place.project.id}`, ada.id, level)
      await place.push('main')
      await server.runJobs()
      return place
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
      const remarks = notes.map((note: Json) => `${note.author.username}: ${note.body}`)
      return { state: body.state, closedBy: body.closed_by?.username, remarks }
    },
    async push(place, message, branch = 'main') {
      commits += 1
      const sha = await place.commitTo(branch, { 'a.txt': `${commits}` }, message)
      await place.push(branch)
      await server.runJobs()
      return sha
    },
  }
}
