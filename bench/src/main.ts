import { join } from 'node:path'
import type { BenchRow } from './bench-row.ts'
import { measureBrowserPages } from './browser/browser-pages.ts'
import { measureCodeSearch, measureTinyRepositories } from './code-search/code-search.ts'
import { generate } from './data/generate.ts'
import { type SizeName, sizes } from './data/sizes.ts'
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
import { measureWebPages } from './measure/web-pages.ts'
import { mergeRequestRows } from './merge-request-rows.ts'
import { dataFolder, serverScriptOf } from './paths.ts'
import { peopleRows } from './people-rows.ts'
import { type Plan, readPlan, usage } from './plan.ts'
import { formatReport, type Report } from './report.ts'
import { measureReview } from './review/review.ts'
import { rows, sizeRows } from './rows.ts'
import { buildServer, startBaseline, startStithy, type Target } from './servers.ts'
import { measureClones } from './transfers/clones.ts'
import { measureTransfers } from './transfers/transfers.ts'

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
  await addPeople(options, report)
  for (const [name, measure] of Object.entries(measurements)) {
    if (options.includes(name)) Object.assign(report, await measure(options))
  }
}

type Measurement = (options: Plan) => Promise<Partial<Report>>

/** What is measured as a whole, by its name, in this order. */
const measurements: Readonly<Record<string, Measurement>> = {
  sizes: async (options) => ({ sizes: await largeAgainstSmall(options) }),
  'issue-lists': async (options) => ({
    issueLists: await listsLargeAgainstSmall(issueRows, options),
  }),
  'merge-request-lists': async (options) => ({
    mergeRequestLists: await listsLargeAgainstSmall(mergeRequestRows, options),
  }),
  'issue-creation': async (options) => ({
    issueCreation: await measureIssueCreation(await dataOf('small'), options),
  }),
  'epic-moves': async () => ({ epicMoves: await measureEpicMoves(await dataOf('small')) }),
  search: async ({ rounds }) => ({ search: await measureSearch(await dataOf('large'), rounds) }),
  jobs: async ({ rounds }) => ({ jobs: await measureJobs(rounds) }),
  'hanging-hooks': async () => ({ hangingHooks: await measureHangingHooks() }),
  cold: async ({ rounds }) => ({ cold: await measureCold(await dataOf('large'), rounds) }),
  'beside-diff': async ({ seconds }) => ({
    besideDiff: await measureBesideDiff(await dataOf('large'), 5 * seconds),
  }),
  'first-totals': async () => ({ firstTotals: await measureFirstTotals(await dataOf('large')) }),
  markdown: async ({ rounds }) => ({ markdown: await measureMarkdown(rounds) }),
  'start-up': async () => ({ startUp: await measureStartUp(await dataOf('large')) }),
  transfers: async ({ mebibytes = 300, rounds }) => ({
    transfers: await measureTransfers(mebibytes, rounds),
  }),
  clones: async () => ({ clones: await measureClones() }),
  review: async ({ rounds }) => ({ review: await measureReview(rounds) }),
  'code-search': async ({ mebibytes = 1024, rounds }) => ({
    codeSearch: await measureCodeSearch(mebibytes, rounds),
  }),
  'tiny-repositories': async ({ repositories, rounds }) => ({
    tinyRepositories: await measureTinyRepositories(repositories, rounds),
  }),
  'web-pages': async ({ seconds }) => ({
    webPages: await measureWebPages(await dataOf('large'), seconds),
  }),
  'browser-pages': async () => ({ browserPages: await measureBrowserPages(await dataOf('large')) }),
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
