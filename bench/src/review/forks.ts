import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../measure/pairs.ts'
import { runGit } from '../transfers/client.ts'
import type { Site } from '../transfers/sites.ts'
import { buildSource } from '../transfers/source.ts'
import { call, projectPath, timeOf } from './api.ts'

const run = promisify(execFile)

/** Forks of a large repository, and a copy of it by hard links. */
export interface Forks {
  mebibytes: number
  /** Medians, in milliseconds. */
  copy: number
  fork: number
  /** What one fork takes on disk, in MiB. */
  disk: number
}

/** The maximum milliseconds and MiB of a fork. */
export const forkGoals = { ms: 300, mebibytes: 1 }

/** Forks a large repository, in turn with `cp -al` of its folder. */
export async function measureForks(
  site: Site,
  folder: string,
  { mebibytes, rounds, data }: { mebibytes: number; rounds: number; data: string },
): Promise<Forks> {
  const origin = await buildSource(folder, 'forked.git', mebibytes)
  const repositories = join(data, 'repositories')
  const before = new Set(await repositoriesIn(repositories))
  await runGit(origin, 'push', '--quiet', await site.create('forked'), 'main')
  const [stored = ''] = (await repositoriesIn(repositories)).filter((path) => !before.has(path))
  const times: { copy: number; fork: number; disk: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const used = await sizeOf(repositories)
    const fork = await timeOf(() => forkOnce(site, `fork-${round}`))
    const disk = (await sizeOf(repositories)) - used
    const to = join(data, `copy-${round}`)
    times.push({ fork, disk, copy: await timeOf(() => run('cp', ['-al', stored, to])) })
  }
  const of = (key: 'copy' | 'fork' | 'disk') => median(times.slice(1).map((time) => time[key]))
  return { mebibytes, copy: of('copy'), fork: of('fork'), disk: of('disk') }
}

async function forkOnce(site: Site, path: string): Promise<void> {
  const fork = await call(site, 'POST', `${projectPath('forked')}/fork`, { path, name: path })
  if (fork.import_status !== 'finished') throw new Error(`The fork is ${fork.import_status}`)
}

async function repositoriesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((path) => path.endsWith('.git')).map((path) => join(folder, path))
}

/** MiB on disk; a file with several names counts once. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-s', '--block-size=1', folder])
  return Number.parseInt(stdout, 10) / 2 ** 20
}
