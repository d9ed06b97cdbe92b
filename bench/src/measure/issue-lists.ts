import { issueFilters, issuePlaces, issueSizeRows } from '../issue-rows.ts'
import type { Target } from '../servers.ts'
import { measurePair, type Pair, type PairOptions } from './pairs.ts'

/** The first page of one list of issues: large against small, by filter. */
export interface IssueListFigures {
  filter: string
  /** By the place of the list. */
  pairs: Record<string, Pair>
}

/** There are a hundred of them, so each gets little time. */
const most: PairOptions = { seconds: 0.5, rounds: 3, warmUp: 0.3 }

/** Loads the first page of every list of issues, with each filter alone, on small and on large data. */
export async function measureIssueLists(
  small: Target,
  large: Target,
  { seconds, rounds }: PairOptions,
): Promise<IssueListFigures[]> {
  const options = {
    ...most,
    seconds: Math.min(seconds, most.seconds),
    rounds: Math.min(rounds, most.rounds),
  }
  const figures: IssueListFigures[] = []
  for (const filter of ['none', ...Object.keys(issueFilters)]) {
    const pairs: IssueListFigures['pairs'] = {}
    for (const place of Object.keys(issuePlaces)) {
      const row = issueSizeRows.find(({ name }) => name === `${place}|${filter}`)
      if (row === undefined) continue
      process.stderr.write(`measuring ${row.name}\n`)
      pairs[place] = await measurePair(row.name, row.path, { first: small, second: large }, options)
    }
    figures.push({ filter, pairs })
  }
  return figures
}
