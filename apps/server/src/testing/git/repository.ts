import { findRepository } from '@stithy/store'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { Json, TestServer } from '../test-server.ts'
import { buildWorkTree, mustGit, remoteUrl } from './git-client.ts'

/** A project and a work tree that pushes to it. */
export interface PushedProject {
  project: Json
  tree: string
  /** Pushes refs, by default `main`. */
  push: (...refs: string[]) => Promise<void>
}

/** Builds a project, by default public, with one commit of `files` on `main`. */
export async function buildPushedProject(
  server: TestServer,
  files?: Record<string, string>,
  overrides: Record<string, unknown> = {},
): Promise<PushedProject> {
  const project = await server.buildProject({ visibility: 'public', ...overrides })
  const tree = await buildWorkTree(files)
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const push = async (...refs: string[]) => {
    await mustGit(tree, 'push', '--quiet', remote, ...(refs.length > 0 ? refs : ['main']))
  }
  await push()
  return { project, tree, push }
}

/** Directory of the bare repository of a project. */
export async function repositoryFolder({ app }: TestServer, projectId: number): Promise<string> {
  const location = await findRepository(app.db, projectId)
  if (location === undefined) throw new Error(`no project ${projectId}`)
  return repositoryOf(app, location).path
}
