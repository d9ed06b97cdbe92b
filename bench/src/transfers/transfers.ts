import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGit } from '@stithy/git'
import { median } from '../measure/pairs.ts'
import { runGit, timeGit } from './client.ts'
import { openHttpBackend, openStithy, type Site } from './sites.ts'
import { buildSource } from './source.ts'

/** One way of transferring a large repository. */
interface Transfer {
  name: 'push' | 'clone'
  /** Medians, in seconds. */
  git: number
  stithy: number
  /** Stithy's time as a multiple of git's own server: the median of the rounds. */
  times: number
}

/** The maximum of `times`. */
export const transferGoal = 1.15

export interface TransferFigures {
  mebibytes: number
  transfers: Transfer[]
}

/** Pushes and clones a large repository through Stithy and through `git http-backend`, in turn. */
export async function measureTransfers(
  mebibytes: number,
  rounds: number,
): Promise<TransferFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-transfers-'))
  const git = await openGit()
  const sites: Site[] = []
  try {
    const source = await buildSource(folder, 'source.git', mebibytes)
    sites.push(await openHttpBackend(git, join(folder, 'plain')))
    sites.push(await openStithy(join(folder, 'stithy')))
    await warmUp(folder, sites)
    const times = { push: [] as number[][], clone: [] as number[][] }
    for (let round = 0; round < rounds; round += 1) {
      const { pushed, cloned } = await runRound(folder, source, sites, round)
      times.push.push(pushed)
      times.clone.push(cloned)
    }
    return { mebibytes, transfers: [figure('push', times.push), figure('clone', times.clone)] }
  } finally {
    for (const { target } of sites) await target.stop()
    await git.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function warmUp(folder: string, sites: readonly Site[]): Promise<void> {
  const small = await buildSource(folder, 'small.git', 4)
  await runRound(folder, small, sites, -1)
}

/** Seconds of each site, in order; the first one alternates with the round. */
async function runRound(
  folder: string,
  source: string,
  sites: readonly Site[],
  round: number,
): Promise<{ pushed: number[]; cloned: number[] }> {
  const pushed: number[] = []
  const cloned: number[] = []
  const order = sites.map((site, index) => ({ site, index }))
  if (round % 2 === 1) order.reverse()
  for (const { site, index } of order) {
    const address = await site.create(`round-${round + 1}`)
    pushed[index] = await timeGit(source, 'push', '--quiet', address, 'main')
    cloned[index] = await timeGit(folder, 'clone', '--quiet', '--bare', address, 'copy.git')
    await runGit(join(folder, 'copy.git'), 'rev-parse', '--verify', '--quiet', 'main')
    await rm(join(folder, 'copy.git'), { recursive: true })
  }
  return { pushed, cloned }
}

function figure(name: Transfer['name'], rounds: readonly number[][]): Transfer {
  const of = (site: number) => median(rounds.map((times) => times[site] ?? Number.NaN))
  const times = rounds.map(([git = Number.NaN, stithy = Number.NaN]) => stithy / git)
  return { name, git: of(0), stithy: of(1), times: median(times) }
}
