import type { Json, TestServer } from '../test-server.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from './git-client.ts'

/** Thirty numbered lines. */
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)

/** Joins lines to a file's content. */
function fileOf(content: readonly string[]): string {
  return `${content.join('\n')}\n`
}

export interface CommentedProject {
  project: Json
  /** The first commit; `head` is the second, whose diff `buildCommentedProject` describes. */
  first: string
  second: string
}

/**
 * Builds a project of root with two commits on `main`, the second tagged `v1`. That one changes
 * line 15 of `a.txt` and adds a line after it, adds `new.txt` (2 lines), deletes `gone.txt` (1
 * line), and renames `old name.txt` to `amed.txt` with a different line 2.
 */
export async function buildCommentedProject(
  server: TestServer,
  overrides: Record<string, unknown> = {},
): Promise<CommentedProject> {
  const project = await server.buildProject(overrides)
  const before = { 'a.txt': fileOf(lines), 'gone.txt': 'x\n', 'old name.txt': fileOf(lines) }
  const tree = await buildWorkTree(before)
  const first = await mustGit(tree, 'rev-parse', 'HEAD')
  await mustGit(tree, 'rm', '--quiet', 'gone.txt')
  const changed = lines.with(14, 'fifteen').toSpliced(15, 0, 'and more')
  const after = { 'a.txt': fileOf(changed), 'new.txt': 'one\ntwo\n' }
  await mustGit(tree, 'mv', 'old name.txt', 'amed.txt')
  const renamed = { 'amed.txt': fileOf(lines.with(1, 'second')) }
  const second = await commit(tree, { ...after, ...renamed }, 'Change everything')
  await mustGit(tree, 'tag', 'v1')
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main', 'v1')
  return { project, first, second }
}
