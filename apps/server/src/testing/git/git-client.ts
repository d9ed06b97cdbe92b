import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Json, TestServer } from '../test-server.ts'

const run = promisify(execFile)

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

/** The real git client, apart from the configuration of whoever runs the tests. */
export async function git(folder: string, ...args: string[]): Promise<GitResult> {
  try {
    const { stdout, stderr } = await run('git', args, {
      cwd: folder,
      env,
      maxBuffer: 64 * 1024 * 1024,
    })
    return { code: 0, stdout: stdout.trim(), stderr }
  } catch (error) {
    const failed = error as { code?: number; stdout?: string; stderr?: string }
    return { code: failed.code ?? 1, stdout: failed.stdout ?? '', stderr: failed.stderr ?? '' }
  }
}

/** Like `git`, but a failure throws with what git said. */
export async function mustGit(folder: string, ...args: string[]): Promise<string> {
  const result = await git(folder, ...args)
  if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`)
  return result.stdout
}

/** Like `mustGit`, with something to read for git; answers the bytes that it wrote. */
export function gitInput(
  folder: string,
  input: string | Uint8Array,
  ...args: string[]
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, encoding: 'buffer' } as const
  const child = execFile('git', args, options, (error, stdout) => {
    if (error) reject(error)
    else resolve(stdout)
  })
  child.stdin?.end(input)
  return promise
}

/** A work tree in a new folder with one commit on `branch` that holds `files`. */
export async function buildWorkTree(
  files: Record<string, string> = { 'README.md': '# Hello\n' },
  branch = 'main',
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-worktree-'))
  await mustGit(folder, 'init', '--quiet', '--initial-branch', branch)
  await commit(folder, files, 'Initial commit')
  return folder
}

/** Writes files and commits them; answers the commit's id. */
export async function commit(
  folder: string,
  files: Record<string, string>,
  message: string,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content)
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

/** An empty folder for a clone. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'stithy-clone-'))
}

/** A project of root's with one commit on `main`, and the work tree and the address it came by. */
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
