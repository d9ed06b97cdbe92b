import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { type Database, enqueueJob } from '@stithy/store'
import { serverFolder } from '../paths.ts'
import { reachedOrMissed, table, toTenths } from '../tables.ts'
import { median } from './pairs.ts'

/** The minimum number of jobs a second. */
const jobsGoal = 2000

/** Jobs of one round. */
const jobCount = 20_000

/** Jobs that one worker ran on SQLite, from the first claim to the last that was recorded. */
export interface JobFigures {
  name: string
  /** Jobs a second, the median of the rounds. */
  rate: number
  /** Delays of the event loop meanwhile, in milliseconds. */
  p99: number
  max: number
}

interface Kind {
  name: string
  queues: readonly string[]
  run: (app: App) => Promise<void>
}

/** What is used of the server's app. */
interface App {
  db: Database
  now: () => number
}

interface Worker {
  idle: () => Promise<void>
  stop: () => Promise<void>
}

/** The server's own functions, run from source. */
interface Server {
  loadConfig: (sources: object) => unknown
  createLog: (config: unknown) => unknown
  openApp: (config: unknown, log: unknown) => Promise<{ app: App; close: () => Promise<void> }>
  startWorker: (app: App, options: object) => Worker
}

async function loadServer(): Promise<Server> {
  const load = (path: string) => import(pathToFileURL(join(serverFolder, 'src', path)).href)
  const modules = await Promise.all(
    [
      'platform/config/config.ts',
      'app/serve/log.ts',
      'app/open-app.ts',
      'platform/jobs/worker.ts',
    ].map(load),
  )
  return Object.assign({}, ...modules) as Server
}

const nothing = async () => {}

/** As small jobs of the server do: one read and one transaction. */
async function readAndWrite(app: App): Promise<void> {
  await app.db.first('bench.read', {}, (db) => db.selectFrom('users').select('id').limit(1))
  const row = { key: 'bench', value: '1', updatedAt: 0 }
  await app.db.run('bench.write', row, (db, $) =>
    db
      .insertInto('settings')
      .values({ key: $('key'), value: $('value'), updatedAt: $('updatedAt') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: $('value') })),
  )
}

const three = ['default', 'pushes', 'users']
const kinds: readonly Kind[] = [
  { name: 'nothing, one queue', queues: ['default'], run: nothing },
  { name: 'nothing, three queues', queues: three, run: nothing },
  { name: 'a read and a write', queues: three, run: readAndWrite },
]

/** Runs small jobs as the server does, in this process, on an empty database on disk. */
export async function measureJobs(rounds: number): Promise<JobFigures[]> {
  const server = await loadServer()
  const figures: JobFigures[] = []
  for (const kind of kinds) {
    const results: JobFigures[] = []
    for (let round = 0; round < rounds; round += 1) results.push(await runRound(server, kind))
    const middle = (name: 'rate' | 'p99' | 'max') => median(results.map((each) => each[name]))
    figures.push({
      name: kind.name,
      rate: middle('rate'),
      p99: middle('p99'),
      max: middle('max'),
    })
  }
  return figures
}

async function runRound(server: Server, { name, queues, run }: Kind): Promise<JobFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-bench-jobs-'))
  // Disks differ; how the jobs wait for them is the same for every program.
  const flags = { data: folder, durability: 'process', log_level: 'silent' }
  const config = server.loadConfig({ flags })
  const { app, close } = await server.openApp(config, server.createLog(config))
  try {
    await enqueue(app, queues)
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const started = performance.now()
    const worker = server.startWorker(app, { handlers: [{ kind: 'bench', run }] })
    await worker.idle()
    const seconds = (performance.now() - started) / 1000
    delays.disable()
    await worker.stop()
    const { percentile, max } = { percentile: delays.percentile(99), max: delays.max }
    return { name, rate: jobCount / seconds, p99: percentile / 1e6, max: max / 1e6 }
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function enqueue(app: App, queues: readonly string[]): Promise<void> {
  for (let done = 0; done < jobCount; done += 500) {
    await app.db.transaction(async (tx) => {
      for (let index = done; index < done + 500; index += 1) {
        const queue = queues[index % queues.length] ?? 'default'
        await enqueueJob(tx, { queue, kind: 'bench', payload: { index } }, app.now())
      }
    })
  }
}

export function jobsTable(figures: readonly JobFigures[]): string {
  return table(
    ['small jobs on SQLite', 'jobs/s', 'event loop p99 ms', 'max ms', 'goal'],
    figures.map(({ name, rate, p99, max }) => [
      name,
      rate.toFixed(0),
      toTenths(p99),
      toTenths(max),
      `≥ ${jobsGoal} ${reachedOrMissed(rate >= jobsGoal)}`,
    ]),
  )
}
