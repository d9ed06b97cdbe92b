import type { ItemRows } from '../item-rows.ts'
import type { Target } from '../servers.ts'
import { measurePair, type Pair, type PairOptions } from './pairs.ts'

/** The first page of one list of issues or merge requests: large against small, by filter. */
export interface ItemListFigures {
  filter: string
  /** By the scope of the list. */
  pairs: Record<string, Pair>
}

/** There are a hundred rows, so each is measured briefly. */
const limits: PairOptions = { seconds: 0.5, rounds: 3, warmUp: 0.3 }

/**
 * Loads the first page of every list of one kind, with each filter alone, on small and on large data.
 */
export async function measureItemLists(
  { scopes, filters, sizeRows }: ItemRows,
  small: Target,
  large: Target,
  { seconds, rounds }: PairOptions,
): Promise<ItemListFigures[]> {
  const options = {
    ...limits,
    seconds: Math.min(seconds, limits.seconds),
    rounds: Math.min(rounds, limits.rounds),
  }
  const figures: ItemListFigures[] = []
  for (const filter of ['none', ...Object.keys(filters)]) {
    const pairs: ItemListFigures['pairs'] = {}
    for (const scope of scopes) {
      const row = sizeRows.find(({ name }) => name === `${scope}|${filter}`)
      if (row === undefined) continue
      process.stderr.write(`measuring ${row.name}\n`)
      pairs[scope] = await measurePair(row.name, row.path, { first: small, second: large }, options)
    }
    figures.push({ filter, pairs })
  }
  return figures
}
