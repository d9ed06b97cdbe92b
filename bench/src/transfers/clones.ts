import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Memory, readMemory } from '../measure/processes.ts'
import { runGit } from './client.ts'
import { openStithy } from './sites.ts'
import { buildSource } from './source.ts'

/** Many concurrent clones of a small repository. */
export interface CloneFigures {
  clones: number
  seconds: number
  /** Peak memory, in MiB. */
  peak: Memory
  /** Peak number of git processes. */
  processes: number
}

/** The maximum MiB of the server and all processes below it. */
export const clonesGoal = 400

const clones = 50
const mebibytes = 4

/** Clones the same repository fifty times concurrently. */
export async function measureClones(): Promise<CloneFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-clones-'))
  const source = await buildSource(folder, 'source.git', mebibytes)
  const site = await openStithy(join(folder, 'stithy'))
  try {
    const address = await site.create('small')
    await runGit(source, 'push', '--quiet', address, 'main')
    const watch = watchProcesses(site.target.pid)
    const start = performance.now()
    const names = Array.from({ length: clones }, (_, index) => `copy-${index}.git`)
    await Promise.all(
      names.map((name) => runGit(folder, 'clone', '--quiet', '--bare', address, name)),
    )
    const seconds = (performance.now() - start) / 1000
    return { clones, seconds, ...watch.stop() }
  } finally {
    await site.target.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function watchProcesses(pid: number) {
  const peak: Memory = { server: 0, children: 0, count: 0 }
  let processes = 0
  const timer = setInterval(() => {
    const now = readMemory(pid)
    if (now.server + now.children > peak.server + peak.children) Object.assign(peak, now)
    processes = Math.max(processes, now.count)
  }, 50)
  return {
    stop() {
      clearInterval(timer)
      return { peak, processes }
    },
  }
}
