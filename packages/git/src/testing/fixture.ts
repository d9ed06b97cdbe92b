import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gitEnvironment } from '../environment.ts'
import { type Git, type GitOptions, openGit, type Repository } from '../git.ts'
import { createRepository } from '../repository.ts'
import { runProcessSync } from './processes/run-process-sync.ts'
import { sharedBroker } from './shared-broker.ts'

/** An open engine with a temporary folder. */
export interface Fixture {
  git: Git
  folder: string
  close(): Promise<void>
}

/** A bare repository that a real git writes to from a work tree, in another process. */
export interface Work {
  repository: Repository
  tree: string
  /** Runs git on the repository and returns its output without the last line break. */
  run(args: string[], input?: string | Buffer, env?: Record<string, string>): string
  /** Writes files (undefined: removes one), commits them to HEAD, and returns the commit's id. */
  commit(files: Record<string, string | Buffer | undefined>, message?: string): string
}

const person = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.com',
}

/** Runs the real git, without the broker, and returns its output as bytes. */
export function runGitRaw(
  args: readonly string[],
  input?: string | Buffer,
  env: Record<string, string> = {},
  cwd = '/',
): Buffer {
  const { code, stdout, stderr } = runProcessSync({
    file: 'git',
    args,
    cwd,
    env: { ...gitEnvironment(process.env), ...person, ...env },
    input,
  })
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Like `runGitRaw`, as text without the last line break. */
export function runGit(args: string[], input?: string | Buffer, env = {}, cwd = '/'): string {
  return runGitRaw(args, input, env, cwd).toString().replace(/\n$/, '')
}

/** Opens an engine with a temporary folder; close it in `afterAll`. */
export async function openFixture(options: GitOptions = {}): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'git-test-'))
  const git = await openGit({ broker: await sharedBroker(), ...options })
  return {
    git,
    folder,
    async close() {
      await git.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let built = 0
let clock = Date.UTC(2020, 0, 1) / 1000

/** Creates an empty repository with a work tree beside it. */
export async function buildWork({ git, folder }: Fixture): Promise<Work> {
  built += 1
  const tree = join(folder, `tree-${built}`)
  mkdirSync(tree)
  const path = join(folder, 'nested', `bare-${built}.git`)
  const repository = await createRepository(git, path, { defaultBranch: 'main' })
  const run: Work['run'] = (args, input, env) =>
    runGit(
      [`--git-dir=${path}`, `--work-tree=${tree}`, '-c', 'core.bare=false', ...args],
      input,
      env,
      tree,
    )
  return {
    repository,
    tree,
    run,
    commit(files, message = 'change') {
      for (const [name, content] of Object.entries(files)) {
        const file = join(tree, name)
        mkdirSync(dirname(file), { recursive: true })
        if (content === undefined) rmSync(file)
        else writeFileSync(file, content)
      }
      clock += 60
      const date = `${clock} +0200`
      run(['add', '-A'])
      run(['commit', '-q', '--allow-empty', '-F', '-'], message, {
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      })
      return run(['rev-parse', 'HEAD'])
    },
  }
}

/** A pseudo-random number generator with the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

/** All that a generator yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
