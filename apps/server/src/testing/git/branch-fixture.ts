import { listRefs, type Repository } from '@stithy/git'
import { findRepository } from '@stithy/store'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { callAs } from '../clients/calls.ts'
import type { TestUser } from '../factories.ts'
import type { Json, TestServer } from '../test-server.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from './git-client.ts'

/**
 * A project with members of three levels, two commits on `main`, and the branch `old` and the tag
 * `v1` at the first commit.
 */
export interface BranchFixture {
  project: Json
  reporter: TestUser
  developer: TestUser
  maintainer: TestUser
  /** Directory of the work tree that was pushed. */
  tree: string
  /** The newest commit of `main`. */
  head: string
  /** Pushes from the work tree, as the administrator. */
  push: (...refs: string[]) => Promise<string>
  /** Path of the project's branches below `/api/v4`. */
  at: (path?: string) => string
  repository: () => Promise<Repository>
  /** Names of the existing branches. */
  branches: () => Promise<string[]>
  /** Protects a branch, as a maintainer. */
  protect: (body: object) => Promise<void>
  /** Pushes to the project, newest first: `push_data`. */
  pushEvents: () => Promise<Json[]>
}

export async function buildBranchFixture(server: TestServer): Promise<BranchFixture> {
  const project = await server.buildProject()
  const join = async (level: number) => {
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, level)
    return user
  }
  const [reporter, developer, maintainer] = [await join(20), await join(30), await join(40)]
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const tree = await buildWorkTree()
  const head = await commit(tree, { 'a.txt': 'a\n' }, 'Second')
  const push = (...refs: string[]) => mustGit(tree, 'push', remote, ...refs)
  await push('main', 'HEAD~1:refs/heads/old', 'HEAD~1:refs/tags/v1')
  const repository = async () => {
    const row = await findRepository(server.app.db, project.id)
    if (row === undefined) throw new Error('the project was deleted')
    return repositoryOf(server.app, row)
  }
  return {
    ...{ project, reporter, developer, maintainer, tree, head, push, repository },
    at: (path = '') => `/projects/${project.id}/repository/branches${path}`,
    async branches() {
      const refs = await listRefs(server.app.git, await repository(), 'heads')
      return refs.map(({ name }) => name)
    },
    async protect(body) {
      const path = `/projects/${project.id}/protected_branches`
      const { status, text } = await callAs(server, 'POST', path, maintainer.token, body)
      if (status !== 201) throw new Error(text)
    },
    async pushEvents() {
      const path = `/projects/${project.id}/events`
      const { body } = await server.inject('GET', path, { token, query: 'action=pushed' })
      return body.map((event: Json) => event.push_data)
    },
  }
}
