import type { TestUser } from '../factories.ts'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'
import { type GitResult, git, remoteUrl } from './git-client.ts'
import { buildRepositoryFixture, type RepositoryFixture } from './repository-fixture.ts'

/**
 * A public project of root and its fork, with a merge request from the fork's branch `topic`. The
 * remote is that of the target.
 */
export interface ForkFixture extends RepositoryFixture {
  /** The fork. */
  fork: Json
  /** Of the fork, and author of the merge request. */
  owner: TestUser
  /** A developer of the target, who is no member of the fork. */
  developer: TestUser
  iid: number
  /** Calls the API below the merge request, by default as the developer. */
  call: (method: string, path?: string, body?: object, user?: TestUser) => Promise<InjectedAnswer>
  /** Calls the API below the fork, by default as the developer. */
  onFork: (method: string, path: string, body?: object, user?: TestUser) => Promise<InjectedAnswer>
  /** Pushes to the fork, by default as the developer. */
  pushToFork: (ref: string, user?: TestUser) => Promise<GitResult>
  /** The fork's commit of a branch; empty if there is none. */
  forkTip: (branch: string) => Promise<string>
}

/** Builds a fork with a merge request, which has these settings. */
export async function buildForkFixture(
  server: TestServer,
  settings: object = { allow_collaboration: true },
): Promise<ForkFixture> {
  const target = await buildRepositoryFixture(server, { visibility: 'public' })
  await target.push('main')
  const [owner, developer] = [await server.buildUser(), await server.buildUser()]
  await server.addMember(`projects/${target.project.id}`, developer.id, 30)
  const made = await server.inject('POST', `/projects/${target.project.id}/fork`, {
    token: owner.token,
  })
  const fork = made.body
  const remoteOf = async ({ username, token }: TestUser) =>
    remoteUrl(await server.url(), fork.path_with_namespace, username, token)
  const pushToFork = async (ref: string, user = developer) =>
    git(target.tree, 'push', '--force', await remoteOf(user), ref)
  await target.commitTo('topic', { 'b.txt': 'b\n' }, 'Topic')
  await pushToFork('topic', owner)
  await server.runJobs()
  const request = await server.inject('POST', `/projects/${fork.id}/merge_requests`, {
    token: owner.token,
    body: {
      ...{ source_branch: 'topic', target_branch: 'main', title: 'From a fork' },
      target_project_id: target.project.id,
      ...settings,
    },
  })
  if (request.status !== 201) throw new Error(request.text)
  await server.runJobs()
  const { iid } = request.body
  const under =
    (base: string) =>
    (method: string, path = '', body?: object, { token } = developer) =>
      server.inject(method, `${base}${path}`, { token, ...(body === undefined ? {} : { body }) })
  return {
    ...target,
    ...{ fork, owner, developer, iid, pushToFork },
    call: under(`/projects/${target.project.id}/merge_requests/${iid}`),
    onFork: under(`/projects/${fork.id}`),
    async forkTip(branch) {
      const line = await target.git('ls-remote', await remoteOf(owner), `refs/heads/${branch}`)
      return line.slice(0, 40)
    },
  }
}
