import { parseArgs } from 'node:util'
import { isSizeName, type SizeName } from './data/sizes.ts'
import type { PairOptions } from './measure/pairs.ts'
import { peopleRows } from './people-rows.ts'
import { rows } from './rows.ts'
import type { Counts } from './servers.ts'

export const usage = `Usage: pnpm bench [names…] [--size small|large|both] [--seconds N] [--rounds N]
                  [--counts each|remembered] [--before FOLDER] [--minutes N] [--profile] [--json]

Names: ${rows.map(({ name }) => name).join(', ')}: against the baseline;
       sizes: large data against small; issue-lists, merge-request-lists: each filter of them, large
       against small;
       people: lists of users, groups and members, and changes of them, on data of their own; or
       some of ${peopleRows.map(({ name }) => name).join(', ')};
       search: issues, merge requests and comments by rare and common words, first and again;
       jobs: small jobs a second on SQLite;
       hanging-hooks: other requests beside 10,000 deliveries to hooks that hang;
       issue-creation: against a hand-written transaction, one at a time and 16 at once;
       epic-moves: an issue within an epic, with many issues and with 100;
       cold: the first page of a long history that the server has not read yet;
       beside-diff: other requests during a large diff;
       first-totals: other requests while every list is counted for the first time; markdown; start-up;
       memory: at rest, and under a mixed load of --minutes N (default 10); with --before, of both at
       the same time;
       transfers: push and clone of --mebibytes N (default 300) against git http-backend;
       clones: 50 concurrent clones; review: merges, rebases, diffs and forks beside git's own;
       code-search: --mebibytes N (default 1024) of code, indexed and searched, beside git grep
       and codesearch; tiny-repositories: --repositories N (default 10000) of a few files each;
       web-pages: pages beside the calls of the API that they make; browser-pages: the pages of
       repositories in Chromium, beside those of cgit.
       Default: all of them.
--counts   how the baseline counts a list: for each request, or (default) as Stithy does,
           again only after a change to the table.
--before   compares the lists and single reads of another checkout on small data with this one's
           instead; that checkout must be built and have its own data.
--profile  profiles the named rows and issue-creation instead of measuring them.
`

/** What may be requested by its name. */
const names = [
  ...rows.map(({ name }) => name),
  'people',
  ...peopleRows.map(({ name }) => name),
  'sizes',
  'issue-lists',
  'merge-request-lists',
  'search',
  'issue-creation',
  'epic-moves',
  'jobs',
  'hanging-hooks',
  'cold',
  'beside-diff',
  'first-totals',
  'markdown',
  'memory',
  'start-up',
  'transfers',
  'clones',
  'review',
  'code-search',
  'tiny-repositories',
  'web-pages',
  'browser-pages',
]

/** What the command line asks for. */
export interface Plan extends PairOptions {
  includes: (name: string) => boolean
  sizes: SizeName[]
  counts: Counts
  before: string | undefined
  profile: boolean
  json: boolean
  /** Size of the repository that is pushed and cloned, or of the code that is searched. */
  mebibytes: number | undefined
  /** Tiny repositories that are indexed. */
  repositories: number
  /** Duration of the mixed load. */
  minutes: number
}

/** Reads the command line; undefined if it is not understood. */
export function readPlan(): Plan | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      size: { type: 'string', default: 'large' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '9' },
      counts: { type: 'string', default: 'remembered' },
      mebibytes: { type: 'string' },
      repositories: { type: 'string', default: '10000' },
      minutes: { type: 'string', default: '10' },
      before: { type: 'string' },
      profile: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  const rounds = Number(values.rounds)
  const minutes = Number(values.minutes)
  const repositories = Number(values.repositories)
  const mebibytes = values.mebibytes === undefined ? undefined : Number(values.mebibytes)
  const chosen = values.size === 'both' ? ['small', 'large'] : [values.size]
  const { counts, before, profile, json } = values
  if (counts !== 'each' && counts !== 'remembered') return undefined
  const positive = [seconds, rounds, minutes, repositories, mebibytes ?? 1].every(
    (number) => number > 0,
  )
  const sound = positive && chosen.every(isSizeName)
  if (!sound || !positionals.every((name) => names.includes(name))) return undefined
  const includes = (name: string) => positionals.length === 0 || positionals.includes(name)
  const chosenSizes = chosen.filter(isSizeName)
  const numbers = { seconds, rounds, minutes, repositories, mebibytes }
  return { includes, sizes: chosenSizes, ...numbers, counts, before, profile, json }
}
