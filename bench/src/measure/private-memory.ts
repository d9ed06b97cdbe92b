import { readFileSync } from 'node:fs'
import { childrenOf, familyOf } from './processes.ts'

/** The memory of a server with its git broker, in MiB. */
export interface Share {
  /** As Linux divides shared pages among all processes of the machine that map them. */
  pss: number
  /**
   * As `pss` is where no other program maps the same files: other servers on this machine would
   * bear a part of the pages of the same Node.js.
   */
  alone: number
  /** The git processes below the broker, by PSS: mostly pages of packs, which the system may drop. */
  git: number
}

interface Mapping {
  /** Of the file, with the offset in it. */
  name: string
  /** KiB. */
  rss: number
  pss: number
  anonymous: number
}

/**
 * Pages of files that both processes map are counted once. NaN if the system does not provide it
 * (anything but Linux).
 */
export function readShare(pid: number): Share {
  if (process.platform !== 'linux') return { pss: Number.NaN, alone: Number.NaN, git: Number.NaN }
  const own = [pid, ...childrenOf(pid)]
  const git = familyOf(pid).filter((member) => !own.includes(member))
  const processes = own.map(readMappings)
  const files = new Map<string, number>()
  for (const { name, rss, anonymous } of processes.flat()) {
    files.set(name, Math.max(files.get(name) ?? 0, rss - anonymous))
  }
  const anonymous = sum(processes.flat().map((mapping) => mapping.anonymous))
  return {
    pss: pssOf(processes.flat()),
    alone: (anonymous + sum([...files.values()])) / 1024,
    git: pssOf(git.flatMap(readMappings)),
  }
}

/** In MiB. */
function pssOf(mappings: readonly Mapping[]): number {
  return sum(mappings.map(({ pss }) => pss)) / 1024
}

/** None for a process that has ended. */
function readMappings(pid: number): Mapping[] {
  const mappings: Mapping[] = []
  for (const line of readSmaps(pid).split('\n')) {
    const [first = '', second = '', offset = '', , , path = ''] = line.split(/ +/)
    const mapping = mappings.at(-1)
    if (/^[0-9a-f]+-/.test(first)) {
      mappings.push({ name: `${path}:${offset}`, rss: 0, pss: 0, anonymous: 0 })
    } else if (mapping === undefined) continue
    else if (first === 'Rss:') mapping.rss = Number(second)
    else if (first === 'Pss:') mapping.pss = Number(second)
    else if (first === 'Anonymous:') mapping.anonymous = Number(second)
  }
  return mappings
}

function readSmaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps`, 'utf8')
  } catch {
    return ''
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
