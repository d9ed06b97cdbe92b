import { readRequest } from '../merge-requests.ts'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'
import { buildRepositoryFixture, type RepositoryFixture } from './repository-fixture.ts'

/** A project with a merge request from `topic`, which has two commits, into `main`. */
export interface MergeFixture extends RepositoryFixture {
  request: { id: number; iid: number }
  /** A maintainer of the project. */
  user: Json
  /** Calls the API below the merge request, by default as the maintainer. */
  call: (method: string, path: string, body?: object, token?: string) => Promise<InjectedAnswer>
  /** The commits of `main`, or of another ref, as `<oid> <parents>`; the newest first. */
  log: (ref?: string) => Promise<string[]>
  /** The stored merge request. */
  row: () => ReturnType<typeof readRequest>
  /** The texts of the system notes, in order. */
  notes: () => Promise<string[]>
  /** The remote's commit of a branch; empty if there is none. */
  tip: (branch: string) => Promise<string>
}

/** Builds a merge request that can be merged; options are those of the project. */
export async function buildMergeFixture(
  server: TestServer,
  project: Record<string, unknown> = {},
  request: Parameters<TestServer['buildMergeRequest']>[3] = {},
): Promise<MergeFixture> {
  const fixture = await buildRepositoryFixture(server, project)
  const user = await server.buildUser({ name: 'Grace' })
  const id = fixture.project.id
  await server.addMember(`projects/${id}`, user.id, 40)
  await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Second\n\nWith a body\n')
  await fixture.push('main', 'topic')
  await server.runJobs()
  const made = await server.buildMergeRequest({ id }, 'topic', 'main', {
    title: 'A title',
    ...request,
  })
  await server.runJobs()
  const call: MergeFixture['call'] = (method, path, body, token = user.token) => {
    const at = `/projects/${id}/merge_requests/${made.iid}${path}`
    return server.inject(method, at, { token, ...(body === undefined ? {} : { body }) })
  }
  const tip = async (branch: string) => {
    return (await fixture.git('ls-remote', fixture.remote, `refs/heads/${branch}`)).slice(0, 40)
  }
  return {
    ...fixture,
    request: made,
    user,
    call,
    tip,
    async log(ref = 'refs/heads/main') {
      await fixture.git('fetch', '--quiet', fixture.remote, ref)
      return (await fixture.git('log', '--format=%H %P', 'FETCH_HEAD')).split('\n')
    },
    row: () => readRequest(server, made.id),
    async notes() {
      const { body } = await call('GET', '/notes?sort=asc&per_page=100')
      return body.filter((note: Json) => note.system).map((note: Json) => note.body)
    },
  }
}
