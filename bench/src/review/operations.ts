import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../measure/pairs.ts'
import { runGit } from '../transfers/client.ts'
import type { Site } from '../transfers/sites.ts'
import { accept, call, openRequest, rebase, timeOf, untilMergeable } from './api.ts'
import { watchLiveness } from './liveness.ts'
import { buildBranches, type Source } from './source.ts'

const run = promisify(execFile)

/** An operation on merge requests, and the same by git in a shell. */
export interface Operation {
  name: string
  /** Medians, in milliseconds. */
  git: number
  stithy: number
  /** The maximum of `stithy`, in milliseconds; absent: there is only the comparison. */
  goal?: number
  /** The longest that `GET /-/liveness`, asked every 10 ms, waited for its answer meanwhile. */
  liveness: number
}

interface Subject {
  name: string
  source: Omit<Source, 'branches'>
  goal?: number
  /** What precedes the measured part. */
  prepare: (site: Site, request: string) => Promise<void>
  act: (site: Site, request: string) => Promise<unknown>
  /** The same in a shell, in a clone; `$branch` is the branch. */
  script: string
  isWorkTree?: true
}

const tip = 'refs/heads/main "$commit"'
const merge = `tree=$(git merge-tree --write-tree main "$branch") &&
  commit=$(git commit-tree "$tree" -p main -p "$branch" -m Merge) && git update-ref ${tip}`

const subjects: readonly Subject[] = [
  {
    name: 'merge of 20 files into a tree of 50,000',
    source: { files: 50_000, commits: 1, changed: 20 },
    goal: 60,
    prepare: untilMergeable,
    act: accept,
    script: merge,
  },
  {
    name: 'changes of 1,000 files',
    source: { files: 20_000, commits: 1, changed: 1000 },
    goal: 400,
    prepare: untilMergeable,
    act: (site, request) => call(site, 'GET', `${request}/changes`),
    script: 'git diff-tree -r -M -p --full-index main "$branch" > /dev/null',
  },
  {
    name: 'rebase of 100 commits',
    source: { files: 2000, commits: 100, changed: 1 },
    prepare: async (site, request) => {
      // Another commit, so that there is something to rebase onto.
      const [project = ''] = request.split('/merge_requests/')
      const body = { branch: 'main', commit_message: 'Aside', content: request }
      const file = encodeURIComponent(`aside/${request.split('/').at(-1)}`)
      await call(site, 'POST', `${project}/repository/files/${file}`, body)
    },
    act: rebase,
    script: `git checkout --quiet main && echo "$branch" > "aside-$branch" && git add . &&
      git commit --quiet -m Aside && git checkout --quiet "$branch" && start=$(date +%s%N) &&
      git rebase --quiet main && echo $(( $(date +%s%N) - start ))`,
    isWorkTree: true,
  },
]

/** Measures each operation in turn with git; the first round of each warms up. */
export async function measureOperations(
  site: Site,
  folder: string,
  rounds: number,
): Promise<Operation[]> {
  const operations: Operation[] = []
  for (const [position, subject] of subjects.entries()) {
    process.stderr.write(`measuring ${subject.name}\n`)
    operations.push(await measure(site, folder, { ...subject, project: `p${position}` }, rounds))
  }
  return operations
}

async function measure(
  site: Site,
  folder: string,
  { name, project, source, goal, prepare, act, script, isWorkTree }: Subject & { project: string },
  rounds: number,
): Promise<Operation> {
  const branches = Array.from({ length: rounds + 1 }, (_, round) => `topic-${round}`)
  const origin = await buildBranches(folder, `${project}.git`, { ...source, branches })
  const address = await site.create(project)
  await runGit(origin, 'push', '--quiet', address, 'main', ...branches)
  const clone = await cloneOf(origin, folder, branches, isWorkTree)
  const times: { git: number; stithy: number; liveness: number }[] = []
  for (const branch of branches) {
    const request = await openRequest(site, project, branch)
    await prepare(site, request)
    const watch = await watchLiveness(site.target.url)
    const stithy = await timeOf(() => act(site, request))
    const liveness = await watch.stop()
    times.push({ git: await timeScript(clone, script, branch), stithy, liveness })
  }
  const measured = times.slice(1)
  return {
    name,
    ...(goal === undefined ? {} : { goal }),
    git: median(measured.map((time) => time.git)),
    stithy: median(measured.map((time) => time.stithy)),
    liveness: Math.max(...measured.map((time) => time.liveness)),
  }
}

async function cloneOf(
  origin: string,
  folder: string,
  branches: readonly string[],
  isWorkTree = false,
): Promise<string> {
  if (!isWorkTree) return origin
  const path = join(folder, 'tree')
  await runGit(folder, 'clone', '--quiet', origin, path)
  for (const branch of branches) await runGit(path, 'branch', '--quiet', branch, `origin/${branch}`)
  return path
}

const identity = 'Bench'
const env = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: identity,
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: identity,
  GIT_COMMITTER_EMAIL: 'bench@example.com',
}

/** Milliseconds that a script takes; one that has to prepare prints its own nanoseconds. */
async function timeScript(cwd: string, script: string, branch: string): Promise<number> {
  const start = performance.now()
  const { stdout } = await run('sh', ['-c', script], { cwd, env: { ...env, branch } })
  const elapsed = performance.now() - start
  return stdout.trim() === '' ? elapsed : Number(stdout) / 1_000_000
}
