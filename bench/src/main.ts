import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BenchRow } from './bench-row.ts'
import { measureCodeSearch } from './code-search/code-search.ts'
import { generate } from './data/generate.ts'
import { isSizeName, type SizeName, sizes } from './data/sizes.ts'
import { issueRows } from './issue-rows.ts'
import type { ItemRows } from './item-rows.ts'
import { measureBesideDiff } from './measure/beside-diff.ts'
import { measureCold } from './measure/cold.ts'
import { measureEpicMoves } from './measure/epic-moves.ts'
import { measureFirstTotals } from './measure/first-totals.ts'
import { measureHangingHooks } from './measure/hanging-hooks.ts'
import { measureIssueCreation, profileIssueCreation } from './measure/issue-creation.ts'
import { measureItemLists } from './measure/item-lists.ts'
import { measureJobs } from './measure/jobs.ts'
import { measureMarkdown } from './measure/markdown.ts'
import { compareMemory } from './measure/memory.ts'
import { measurePair, type PairOptions } from './measure/pairs.ts'
import { measureChanges, measureLevel, measurePeopleRows } from './measure/people.ts'
import { type Profile, profileRow } from './measure/profile.ts'
import { assertSameAnswer } from './measure/same-answer.ts'
import { measureSearch } from './measure/search.ts'
import { measureStartUp } from './measure/start-up.ts'
import { mergeRequestRows } from './merge-request-rows.ts'
import { dataFolder, serverScriptOf } from './paths.ts'
import { peopleRows } from './people-rows.ts'
import { formatReport, type Report } from './report.ts'
import { measureReview } from './review/review.ts'
import { rows, sizeRows } from './rows.ts'
import { buildServer, type Counts, startBaseline, startStithy, type Target } from './servers.ts'
import { measureClones } from './transfers/clones.ts'
import { measureTransfers } from './transfers/transfers.ts'

const usage = `Usage: pnpm bench [names…] [--size small|large|both] [--seconds N] [--rounds N]
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
       code-search: --mebibytes N (default 1024) of code, indexed and searched, beside git grep.
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
]

interface Plan extends PairOptions {
  includes: (name: string) => boolean
  sizes: SizeName[]
  counts: Counts
  before: string | undefined
  profile: boolean
  json: boolean
  /** Size of the repository that is pushed and cloned, or of the code that is searched. */
  mebibytes: number | undefined
  /** Duration of the mixed load. */
  minutes: number
}

const plan = readPlan()
if (plan === undefined) {
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  const report: Report = { baseline: {}, sizes: [] }
  try {
    await run(plan, report)
  } finally {
    // Results from before a failure are shown, too.
    process.stdout.write(`${plan.json ? JSON.stringify(report, null, 2) : formatReport(report)}\n`)
  }
}

function readPlan(): Plan | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      size: { type: 'string', default: 'large' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '9' },
      counts: { type: 'string', default: 'remembered' },
      mebibytes: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      before: { type: 'string' },
      profile: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  const rounds = Number(values.rounds)
  const minutes = Number(values.minutes)
  const mebibytes = values.mebibytes === undefined ? undefined : Number(values.mebibytes)
  const chosen = values.size === 'both' ? ['small', 'large'] : [values.size]
  const { counts, before, profile, json } = values
  if (counts !== 'each' && counts !== 'remembered') return undefined
  const positive = [seconds, rounds, minutes, mebibytes ?? 1].every((number) => number > 0)
  const sound = positive && chosen.every(isSizeName)
  if (!sound || !positionals.every((name) => names.includes(name))) return undefined
  const includes = (name: string) => positionals.length === 0 || positionals.includes(name)
  const chosenSizes = chosen.filter(isSizeName)
  const numbers = { seconds, rounds, minutes, mebibytes }
  return { includes, sizes: chosenSizes, ...numbers, counts, before, profile, json }
}

/** Runs the requested parts and adds their results to the report. */
async function run(options: Plan, report: Report): Promise<void> {
  buildServer()
  const chosen = rows.filter(({ name }) => options.includes(name))
  if (options.includes('memory')) report.memory = await memoryOf(options)
  if (options.before !== undefined) {
    report.before = await againstCheckout(options.before, chosen, options)
    return
  }
  if (options.profile) {
    report.profiles = await profileRows(chosen, options)
    return
  }
  if (chosen.length > 0) {
    for (const size of options.sizes)
      report.baseline[size] = await againstBaseline(size, chosen, options)
  }
  if (options.includes('sizes')) report.sizes = await largeAgainstSmall(options)
  if (options.includes('issue-lists'))
    report.issueLists = await listsLargeAgainstSmall(issueRows, options)
  if (options.includes('merge-request-lists'))
    report.mergeRequestLists = await listsLargeAgainstSmall(mergeRequestRows, options)
  if (options.includes('issue-creation')) {
    report.issueCreation = await measureIssueCreation(await dataOf('small'), options)
  }
  if (options.includes('epic-moves'))
    report.epicMoves = await measureEpicMoves(await dataOf('small'))
  if (options.includes('search')) {
    report.search = await measureSearch(await dataOf('large'), options.rounds)
  }
  if (options.includes('jobs')) report.jobs = await measureJobs(options.rounds)
  if (options.includes('hanging-hooks')) report.hangingHooks = await measureHangingHooks()
  await addPeople(options, report)
  if (options.includes('cold'))
    report.cold = await measureCold(await dataOf('large'), options.rounds)
  if (options.includes('beside-diff')) {
    report.besideDiff = await measureBesideDiff(await dataOf('large'), 5 * options.seconds)
  }
  if (options.includes('first-totals')) {
    report.firstTotals = await measureFirstTotals(await dataOf('large'))
  }
  if (options.includes('markdown')) report.markdown = await measureMarkdown(options.rounds)
  if (options.includes('start-up')) report.startUp = await measureStartUp(await dataOf('large'))
  if (options.includes('transfers')) {
    report.transfers = await measureTransfers(options.mebibytes ?? 300, options.rounds)
  }
  if (options.includes('clones')) report.clones = await measureClones()
  if (options.includes('review')) report.review = await measureReview(options.rounds)
  if (options.includes('code-search')) {
    report.codeSearch = await measureCodeSearch(options.mebibytes ?? 1024, options.rounds)
  }
}

/** Some rows alone, or all of them with what else there is to measure. */
async function addPeople(options: Plan, report: Report): Promise<void> {
  const isWhole = options.includes('people')
  const chosen = peopleRows.filter(({ name }) => isWhole || options.includes(name))
  if (chosen.length === 0) return
  const folder = await dataOf('people')
  const rows = await withTargets(
    startBaseline(folder, options.counts),
    startStithy(folder),
    async (baseline, stithy) => {
      for (const { path, headers } of chosen) {
        await assertSameAnswer(baseline.url + path, stithy.url + path, headers)
      }
      return measurePeopleRows(chosen, baseline, stithy, options)
    },
  )
  const level = await measureLevel(folder)
  report.people = { rows, level, changes: await measureChanges(folder, options.rounds) }
}

async function againstBaseline(size: SizeName, chosen: readonly BenchRow[], options: Plan) {
  const folder = await dataOf(size)
  return withTargets(
    startBaseline(folder, options.counts),
    startStithy(folder),
    async (baseline, stithy) => {
      for (const { path, headers } of chosen) {
        await assertSameAnswer(baseline.url + path, stithy.url + path, headers)
      }
      return measureRows(chosen, baseline, stithy, options)
    },
  )
}

async function memoryOf({ sizes: [size = 'large'], before, minutes }: Plan) {
  return compareMemory(await dataOf(size), minutes, before)
}

async function againstCheckout(root: string, chosen: readonly BenchRow[], options: Plan) {
  const others = sizeRows.filter(({ name }) => options.includes(name))
  if (chosen.length + others.length === 0) return []
  return withTargets(
    startStithy(join(root, 'bench/data/small'), { script: serverScriptOf(root) }),
    startStithy(await dataOf('small')),
    (before, after) =>
      measureRows(
        [...new Map([...others, ...chosen].map((row) => [row.name, row])).values()],
        before,
        after,
        options,
      ),
  )
}

async function profileRows(chosen: readonly BenchRow[], options: Plan): Promise<Profile[]> {
  const profiles: Profile[] = []
  const folder = await dataOf(options.sizes.at(-1) ?? 'large')
  for (const row of chosen) profiles.push(await profileRow(row, folder, options.seconds))
  if (options.includes('issue-creation')) {
    profiles.push(await profileIssueCreation(await dataOf('small'), options.seconds))
  }
  return profiles
}

async function largeAgainstSmall(options: PairOptions) {
  const [small, large] = [await dataOf('small'), await dataOf('large')]
  return withTargets(startStithy(small), startStithy(large), (onSmall, onLarge) =>
    measureRows(sizeRows, onSmall, onLarge, options),
  )
}

async function listsLargeAgainstSmall(lists: ItemRows, options: PairOptions) {
  const [small, large] = [await dataOf('small'), await dataOf('large')]
  return withTargets(startStithy(small), startStithy(large), (onSmall, onLarge) =>
    measureItemLists(lists, onSmall, onLarge, options),
  )
}

async function measureRows(
  chosen: readonly Pick<BenchRow, 'name' | 'path' | 'headers'>[],
  first: Target,
  second: Target,
  options: PairOptions,
) {
  const pairs: Report['sizes'] = []
  for (const { name, path, headers } of chosen) {
    process.stderr.write(`measuring ${name}\n`)
    pairs.push(await measurePair(name, path, { first, second }, { ...options, headers }))
  }
  return pairs
}

/** Stops both servers, whatever happens in between. */
async function withTargets<T>(
  first: Promise<Target>,
  second: Promise<Target>,
  work: (first: Target, second: Target) => Promise<T>,
): Promise<T> {
  const started = await Promise.allSettled([first, second])
  try {
    return await work(await first, await second)
  } finally {
    for (const result of started) if (result.status === 'fulfilled') await result.value.stop()
  }
}

async function dataOf(size: SizeName): Promise<string> {
  const folder = dataFolder(size)
  const progress = (text: string) => process.stderr.write(`${size}: ${text}\n`)
  await generate(folder, sizes[size], { progress })
  return folder
}
