import type { Json, TestServer } from '../test-server.ts'
import { gitInput, mustGit, newFolder, remoteUrl } from './git-client.ts'

/** Builds a project of root, and pushes pages of a content, as many as asked for, and files that are no pages. */
export async function pushedWiki(
  server: TestServer,
  count: number,
  content: string,
): Promise<Json> {
  const project = await server.buildProject()
  const tree = await newFolder()
  await mustGit(tree, 'init', '--quiet', '--bare')
  const blob = `blob\nmark :1\ndata ${Buffer.byteLength(content)}\n${content}\n`
  const head = 'commit refs/heads/master\ncommitter A <a@b.c> 1 +0000\ndata 1\nx\n'
  const files = Array.from({ length: count }, (_, index) => `M 644 :1 pages/page-${index}.md\n`)
  const others = Array.from({ length: 1000 }, (_, index) => `M 644 :1 other/${index}.txt\n`)
  await gitInput(tree, blob + head + files.join('') + others.join(''), 'fast-import', '--quiet')
  const { username, token } = server.root
  const path = `${project.path_with_namespace}.wiki`
  await mustGit(
    tree,
    'push',
    '--quiet',
    remoteUrl(await server.url(), path, username, token),
    'master',
  )
  return project
}
