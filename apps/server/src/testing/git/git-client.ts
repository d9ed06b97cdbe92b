import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runProcess } from '@stithy/git/testing'
import type { Json, TestServer } from '../test-server.ts'

const env = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

export interface GitResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs the real git client, isolated from the user's configuration. */
export async function git(folder: string, ...args: string[]): Promise<GitResult> {
  const { code, stdout, stderr } = await runProcess({ file: 'git', args, cwd: folder, env })
  return { code, stdout: stdout.toString().trim(), stderr: stderr.toString() }
}

/** Like `git`, but throws on failure, with git's output. */
export async function mustGit(folder: string, ...args: string[]): Promise<string> {
  const result = await git(folder, ...args)
  if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`)
  return result.stdout
}

/** Like `mustGit`, with input; returns the bytes of git's output. */
export async function gitInput(
  folder: string,
  input: string | Uint8Array,
  ...args: string[]
): Promise<Buffer> {
  const { code, stdout, stderr } = await runProcess({ file: 'git', args, cwd: folder, env, input })
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Creates a work tree in a new directory, with one commit of `files` on `branch`. */
export async function buildWorkTree(
  files: Record<string, string | Buffer> = { 'README.md': '# Hello\n' },
  branch = 'main',
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-worktree-'))
  await mustGit(folder, 'init', '--quiet', '--initial-branch', branch)
  await commit(folder, files, 'Initial commit')
  return folder
}

/** Writes files and commits them; returns the commit id. */
export async function commit(
  folder: string,
  files: Record<string, string | Buffer>,
  message: string,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await mustGit(folder, 'add', '--all')
  await mustGit(folder, 'commit', '--quiet', '--allow-empty', '--message', message)
  return mustGit(folder, 'rev-parse', 'HEAD')
}

/** `http://user:secret@host/path.git` */
export function remoteUrl(base: string, path: string, user: string, secret: string): string {
  const url = new URL(`${base}/${path}.git`)
  url.username = user
  url.password = secret
  return url.href
}

/** Creates an empty directory for a clone. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'stithy-clone-'))
}

/**
 * Creates a project of root with one commit on `main`; returns it with the work tree and the remote
 * URL.
 */
export async function pushedProject(
  server: TestServer,
  overrides: object = {},
): Promise<{ project: Json; tree: string; remote: string }> {
  const project = await server.buildProject({ ...overrides })
  const tree = await buildWorkTree()
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main')
  return { project, tree, remote }
}
