// The server loads these when it first needs them, which takes whichever request or job that is up
// to 150 ms from source, so that what it is held to would depend on the tests before it.
import '../code/statistics/languages.ts'
import 'highlight.js'
import 'nodemailer'
import 'sanitize-html'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedBroker } from '@stithy/git/testing'
import { openTestDatabase } from '@stithy/store/testing'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { ensureRoot } from '../app/ensure-root.ts'
import { jobHandlers } from '../app/job-handlers.ts'
import { openApp } from '../app/open-app.ts'
import { buildServer } from '../app/server.ts'
import type { App } from '../platform/app.ts'
import { type Config, loadConfig } from '../platform/config/config.ts'
import type { JobHandler } from '../platform/jobs/run-job.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import { watchAnswers } from './answer-check.ts'
import { watchEventLoop } from './event-loop-watch.ts'
import { buildFactories, type Factories } from './factories.ts'
import { collectGarbage } from './garbage.ts'

export interface InjectInput {
  token?: string
  /** JSON body. */
  body?: unknown
  /** Form body, as text. */
  form?: string
  /** Any body; its content type is in the headers. */
  bytes?: Buffer
  query?: string
  headers?: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the untyped JSON that clients see.
export type Json = any

export interface InjectedAnswer {
  status: number
  /** Parsed JSON; the text if it is not JSON; undefined if empty. */
  body: Json
  text: string
  bytes: Buffer
  headers: Record<string, string | undefined>
}

export type Inject = (method: string, path: string, input?: InjectInput) => Promise<InjectedAnswer>

export interface TestServer extends Factories {
  app: App
  /** The administrator, user 1. */
  root: { id: number; username: string; password: string; token: string }
  /**
   * Sends a request without a socket; `path` is relative to `/api/v4`, unless it starts with `//`.
   */
  inject: Inject
  /** The base URL; the server starts listening on the first call. */
  url: () => Promise<string>
  /** Runs all due jobs, and those that they enqueue. */
  runJobs: () => Promise<void>
  /** Collects all garbage, which doesn't count as work of the server. */
  collectGarbage: () => void
  /** Advances the server's clock. */
  advance: (ms: number) => void
  close: () => Promise<void>
}

const rootToken = 'test-root-token-0123456789'
const rootPassword = 'a long test password'

export interface TestServerOptions {
  /** The longest that the event loop may be blocked; a test that allows more says why. */
  maxBlockMs?: number
  /** The clock, which `advance` puts forward; by default that of the system. */
  now?: () => number
}

/** Starts the real application on a real, empty database and a directory of its own. */
export async function buildTestServer(
  overrides: Partial<Config> = {},
  // Looked up at each call: fake timers replace it.
  { maxBlockMs, now = () => Date.now() }: TestServerOptions = {},
): Promise<TestServer> {
  const watch = watchEventLoop(maxBlockMs)
  const folder = await mkdtemp(join(tmpdir(), 'stithy-test-'))
  const database = await openTestDatabase()
  let offset = 0
  const config: Config = {
    ...loadConfig({ flags: { data: folder, port: 0, rate_limit_anonymous: 0 } }),
    externalUrl: 'http://stithy.test',
    passwordCost: 'minimal',
    durability: 'process',
    ...overrides,
  }
  const log = pino({ level: process.env.STITHY_TEST_LOG ?? 'silent' })
  const { app, close } = await openApp(config, log, {
    database,
    broker: await sharedBroker(),
    now: () => now() + offset,
  })
  const answers = watchAnswers()
  app.checkAnswer = (endpoint, answer) => watch.exclude(() => answers.check(endpoint, answer))
  await ensureRoot(app, { password: rootPassword, token: rootToken })
  const server = await buildServer(app)
  const inject = injector(async (options) => {
    watch.note(`${options.method} ${options.url}`)
    return server.inject(options)
  }, watch.exclude)
  server.server.prependListener('request', ({ method, url }) => watch.note(`${method} ${url}`))
  let listening: Promise<string> | undefined
  return {
    app,
    root: { id: 1, username: 'root', password: rootPassword, token: rootToken },
    inject,
    ...buildFactories(app, inject, rootToken),
    url: () => {
      listening ??= server.listen({ host: '127.0.0.1', port: 0 })
      return listening
    },
    async runJobs() {
      const handlers = jobHandlers.map(({ kind, run }): JobHandler => {
        const named: JobHandler['run'] = (...job) => {
          watch.note(`job ${kind}`)
          return run(...job)
        }
        return { kind, run: named }
      })
      const worker = startWorker(app, { handlers })
      await worker.idle()
      await worker.stop()
    },
    collectGarbage: () => watch.exclude(collectGarbage),
    advance(ms) {
      offset += ms
    },
    async close() {
      watch.note('the end')
      await server.close()
      await close()
      await rm(folder, { recursive: true, force: true })
      await watch.stop()
      answers.assertAllMatched()
    },
  }
}

interface RawResponse {
  statusCode: number
  headers: Record<string, unknown>
  rawPayload: Buffer
}

/** @param own runs what a client does in a process of its own: it writes and reads JSON. */
function injector(
  send: (options: InjectOptions) => Promise<RawResponse>,
  own: <T>(work: () => T) => T,
): Inject {
  return async (method, path, { token, body, form, bytes, query, headers } = {}) => {
    const url =
      (path.startsWith('//') ? path.slice(1) : `/api/v4${path}`) + (query ? `?${query}` : '')
    const payload =
      bytes ?? form ?? (body === undefined ? undefined : own(() => JSON.stringify(body)))
    const answer = await send({
      method: method as 'GET',
      url,
      headers: {
        ...(token === undefined ? {} : { 'private-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    return own(() => toAnswer(answer))
  }
}

function toAnswer({ statusCode, headers, rawPayload }: RawResponse): InjectedAnswer {
  const text = rawPayload.toString()
  return {
    status: statusCode,
    body: parse(text, String(headers['content-type'] ?? '')),
    text,
    bytes: rawPayload,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === undefined ? value : String(value),
      ]),
    ),
  }
}

function parse(text: string, type: string): unknown {
  if (text === '') return undefined
  return /^application\/(?:scim\+)?json/.test(type) ? JSON.parse(text) : text
}
