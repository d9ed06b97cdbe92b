import type { TestUser } from '../factories.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../git/git-client.ts'
import { buildTestServer, type InjectedAnswer, type Json, type TestServer } from '../test-server.ts'

/** A public project with commits, and a developer who reports their statuses. */
export interface StatusWorld {
  server: TestServer
  project: Json
  tree: string
  developer: TestUser
  push: (...refs: string[]) => Promise<string>
  report: (sha: string, body: object, token?: string, id?: number) => Promise<InjectedAnswer>
  list: (sha: string, query?: string, token?: string) => Promise<InjectedAnswer>
  /** The commit as shown to a user, by default to an anonymous one. */
  detail: (sha: string, token?: string) => Promise<Json>
  /** Creates a commit on `main` without statuses. */
  freshCommit: () => Promise<string>
}

/** Nothing is pushed yet: the work tree has one commit on `main`. */
export async function buildStatusWorld(): Promise<StatusWorld> {
  const server = await buildTestServer()
  const project = await server.buildProject({ visibility: 'public' })
  const developer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  const tree = await buildWorkTree()
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const push = (...refs: string[]) => mustGit(tree, 'push', remote, ...refs)
  return {
    server,
    project,
    tree,
    developer,
    push,
    report: (sha, body, by = developer.token, id = project.id) =>
      server.inject('POST', `/projects/${id}/statuses/${sha}`, { token: by, body }),
    list: (sha, query = '', by = developer.token) => {
      const path = `/projects/${project.id}/repository/commits/${sha}/statuses`
      return server.inject('GET', path, { token: by, query })
    },
    async detail(sha, by) {
      const path = `/projects/${project.id}/repository/commits/${sha}`
      return (await server.inject('GET', path, by === undefined ? {} : { token: by })).body
    },
    async freshCommit() {
      await mustGit(tree, 'checkout', '--quiet', 'main')
      const sha = await commit(tree, {}, `Fresh ${Math.random()}`)
      await push('main')
      return sha
    },
  }
}
