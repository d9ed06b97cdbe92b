import { type Load, load } from '../load/load.ts'
import { requestHeaders } from '../rows.ts'
import type { Target } from '../servers.ts'
import { readProcessorTime } from './processes.ts'

/** A load run, and its cost on the server. */
interface Round extends Load {
  /** Microseconds of processor time per request, child processes included. */
  cost: number
}

/** The results of two servers for the same request, measured in turn. */
export interface Pair {
  name: string
  /** Medians over the rounds. */
  first: Round
  second: Round
  /** Of each round: the second's rate as a share of the first's. */
  ratios: number[]
  /** The median of the ratios. */
  ratio: number
  /**
   * The first's processor time per request as a share of the second's, the median of the rounds:
   * the same as `ratio` on an idle machine, and steadier on a busy one.
   */
  costRatio: number
}

export interface PairOptions {
  seconds: number
  rounds: number
  /** Seconds of load before measuring; default 2. */
  warmUp?: number
  /** Default: those of the measured member. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Concurrent requests; default 8. */
  connections?: number
}

/** Loads two servers in turn, so that other activity of the machine affects both. */
export async function measurePair(
  name: string,
  path: string,
  { first, second }: { first: Target; second: Target },
  { seconds, rounds, warmUp = 2, headers = requestHeaders, connections = 8 }: PairOptions,
): Promise<Pair> {
  const request = { path, headers, connections }
  for (const target of [first, second]) await measureRound(target, request, warmUp)
  const firsts: Round[] = []
  const others: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    firsts.push(await measureRound(first, request, seconds))
    others.push(await measureRound(second, request, seconds))
  }
  const each = firsts.map((one, round) => ({ one, other: others[round] ?? one }))
  const ratios = each.map(({ one, other }) => other.rate / one.rate)
  return {
    name,
    first: medianRound(firsts),
    second: medianRound(others),
    ratios,
    ratio: median(ratios),
    costRatio: median(each.map(({ one, other }) => one.cost / other.cost)),
  }
}

interface Request {
  path: string
  headers: Readonly<Record<string, string>>
}

async function measureRound(
  target: Target,
  { path, headers, connections }: Required<Pick<PairOptions, 'connections'>> & Request,
  seconds: number,
): Promise<Round> {
  const before = readProcessorTime(target.pid)
  const done = await load(target.url + path, { ...headers }, seconds, { connections })
  const used = readProcessorTime(target.pid) - before
  return { ...done, cost: (used * 1_000_000) / done.requests }
}

function medianRound(rounds: readonly Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]))
  return {
    requests: of('requests'),
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    cost: of('cost'),
  }
}

/** The middle one of an odd number of values, the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  return (upper + lower) / 2
}
