import type { Json, TestServer } from '../test-server.ts'
import { buildWorkTree, mustGit, remoteUrl } from './git-client.ts'

export interface TaggedProject {
  project: Json
  /** The commit that all refs point to. */
  head: string
}

/** Builds a project of root with the branch `main` and these tags. */
export async function buildTaggedProject(
  server: TestServer,
  overrides: Record<string, unknown> = {},
  tags: readonly string[] = ['v1', 'v2', 'v3', 'rc/ü'],
): Promise<TaggedProject> {
  const project = await server.buildProject(overrides)
  const tree = await buildWorkTree()
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const refs = tags.map((name) => `main:refs/tags/${name}`)
  await mustGit(tree, 'push', '--quiet', remote, 'main', ...refs)
  return { project, head: await mustGit(tree, 'rev-parse', 'HEAD') }
}
