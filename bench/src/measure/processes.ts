import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Process {
  pid: number
  parent: number
  /** Resident memory in MiB. */
  memory: number
}

/** The processes of the machine, parents and children. */
function listProcesses(): Process[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number)
      return { pid, parent, memory: kilobytes / 1024 }
    })
}

function descendants(processes: readonly Process[], pid: number): Process[] {
  const children = processes.filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child, ...descendants(processes, child.pid)])
}

/** Resident memory in MiB. */
export interface Memory {
  server: number
  /** The git broker and the git processes below it. */
  children: number
  /** The number of processes below the server. */
  count: number
}

/** The memory of a server and the processes below it. */
export function readMemory(pid: number): Memory {
  const processes = listProcesses()
  const own = processes.find((process) => process.pid === pid)
  const below = descendants(processes, pid)
  return {
    server: own?.memory ?? Number.NaN,
    children: below.reduce((sum, { memory }) => sum + memory, 0),
    count: below.length,
  }
}

/** A process and those below it. */
export function familyOf(pid: number): number[] {
  return [pid, ...descendants(listProcesses(), pid).map((child) => child.pid)]
}

/** The processes that a process started itself. */
export function childrenOf(pid: number): number[] {
  return listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid)
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/**
 * Seconds of processor time that a server and the processes below it have used, including those of
 * ended processes. NaN if the system does not provide it (anything but Linux).
 */
export function readProcessorTime(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return familyOf(pid).reduce((sum, member) => sum + ownProcessorTime(member), 0)
}

function ownProcessorTime(pid: number): number {
  // After the name, which may contain spaces: the state, then numbers.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const ticks = fields.slice(11, 15).map(Number)
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond
}
