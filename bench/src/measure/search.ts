import { busyProject, member, memberProjects, rareWord, root } from '../data/measured.ts'
import { startStithy, type Target } from '../servers.ts'
import { reachedOrMissed, table, toTenths } from '../tables.ts'
import { median } from './pairs.ts'
import { readProcessorTime } from './processes.ts'

/** A search on a server that has not counted its results. */
export interface SearchFigures {
  name: string
  /** What is shown of the total: the number, or that there is none. */
  total: string
  /** Milliseconds of the first request; the median of the rounds. */
  first: number
  /** Of further requests. */
  again: number
  /** Milliseconds of processor time that the first request took, what it left running included. */
  cost: number
}

/** The longest that a search may take, in milliseconds. */
const searchGoal = 50
/** Further requests of each search. */
const repeats = 9
/** Milliseconds in which what a request left running has ended. */
const settleMs = 600

/** Few items have the first, a hundredth the second and a third of them the third. */
const words = { rare: rareWord, ordinary: '"cache table"', common: 'cache' }

const items = ['issues', 'merge_requests'] as const
const small = memberProjects[0]
const project = (id: number) => `/api/v4/projects/${id}/search`

/** The context of each search, its path and its scopes. */
const contexts: readonly [string, string, readonly string[]][] = [
  ['everywhere', '/api/v4/search', items],
  ['group', '/api/v4/groups/1/search', items],
  ['busy project', project(busyProject), [...items, 'notes']],
  ['small project', project(small), [...items, 'notes']],
]

/** By the member; the administrator sees everything. */
function searches() {
  return contexts.flatMap(([context, path, scopes]) =>
    scopes.flatMap((scope) =>
      Object.entries(words).flatMap(([kind, word]) =>
        [member, ...(context === 'everywhere' ? [root] : [])].map(({ username, token }) => ({
          name: `${scope}, ${context}, ${kind} word${username === root.username ? ', root' : ''}`,
          path: `${path}?scope=${scope}&search=${encodeURIComponent(word)}`,
          token,
        })),
      ),
    ),
  )
}

/** Asks for every search on a server that was just started, and then some times more. */
export async function measureSearch(folder: string, rounds: number): Promise<SearchFigures[]> {
  const asked: SearchFigures[][] = []
  for (let round = 0; round < rounds; round += 1) {
    // Threads need the other core.
    const target = await startStithy(folder, { core: 'any' })
    try {
      await warmUp(target)
      asked.push(await askForAll(target))
    } finally {
      await target.stop()
    }
  }
  const [one = []] = asked
  return one.map(({ name, total }, index) => {
    const of = (key: 'first' | 'again' | 'cost') =>
      median(asked.map((round) => round[index]?.[key] ?? Number.NaN))
    return { name, total, first: of('first'), again: of('again'), cost: of('cost') }
  })
}

/** The code of the server, with a word that nothing has. */
async function warmUp(target: Target): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    for (const { path, token } of searches()) {
      await ask(target, path.replace(/search=.*/, 'search=heron'), token)
    }
  }
}

async function askForAll(target: Target): Promise<SearchFigures[]> {
  const figures: SearchFigures[] = []
  for (const { name, path, token } of searches()) {
    const before = readProcessorTime(target.pid)
    const { ms: first } = await ask(target, path, token)
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    const cost = 1000 * (readProcessorTime(target.pid) - before)
    const again: number[] = []
    let total = ''
    for (let count = 0; count < repeats; count += 1) {
      const answer = await ask(target, path, token)
      again.push(answer.ms)
      total = answer.total
    }
    figures.push({ name, total, first, again: median(again), cost })
  }
  return figures
}

async function ask({ url }: Target, path: string, token: string) {
  const started = performance.now()
  const answer = await fetch(url + path, { headers: { 'private-token': token } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
  return { ms: performance.now() - started, total: answer.headers.get('x-total') ?? 'none' }
}

export function searchTable(figures: readonly SearchFigures[]): string {
  return table(
    ['search of large data', 'total', 'first ms', 'again ms', 'first, processor ms', 'goal'],
    figures.map(({ name, total, first, again, cost }) => [
      name,
      total,
      toTenths(first),
      toTenths(again),
      cost.toFixed(0),
      `first ≤ ${searchGoal} ${reachedOrMissed(first <= searchGoal)}`,
    ]),
  )
}
