import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '@stithy/store/testing'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { type App, openApp } from '../app.ts'
import { ensureRoot } from '../authentication/ensure-root.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { buildServer } from '../http/server.ts'
import { jobHandlers } from '../jobs/handlers.ts'
import { startWorker } from '../jobs/worker.ts'
import { checkAnswer } from './answer-check.ts'
import { buildFactories, type Factories } from './factories.ts'

export interface InjectInput {
  token?: string
  /** JSON body. */
  body?: unknown
  /** Form body, as text. */
  form?: string
  /** Any body, with its type among the headers. */
  bytes?: Buffer
  query?: string
  headers?: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the untyped JSON that clients see.
export type Json = any

export interface InjectedAnswer {
  status: number
  /** Parsed JSON; the text where it is none; undefined where empty. */
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
  /** A request without a socket; `path` is relative to `/api/v4`, unless it starts with `//`. */
  inject: Inject
  /** The base address; the server listens from the first call on. */
  url: () => Promise<string>
  /** Runs all jobs that are due, and those that they enqueue. */
  runJobs: () => Promise<void>
  /** Moves the clock of the server on. */
  advance: (ms: number) => void
  close: () => Promise<void>
}

const rootToken = 'test-root-token-0123456789'
const rootPassword = 'a long test password'

/** The real application on a real, empty database and a folder of its own. */
export async function buildTestServer(overrides: Partial<Config> = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-test-'))
  const database = await openTestDatabase()
  let offset = 0
  const config: Config = {
    ...loadConfig({ flags: { data: folder, port: 0, rate_limit_anonymous: 0 } }),
    externalUrl: 'http://stithy.test',
    passwordCost: 'minimal',
    ...overrides,
  }
  const log = pino({ level: process.env.STITHY_TEST_LOG ?? 'silent' })
  const { app, close } = await openApp(config, log, { database, now: () => Date.now() + offset })
  app.checkAnswer = checkAnswer
  await ensureRoot(app, { password: rootPassword, token: rootToken })
  const server = await buildServer(app)
  const inject = injector(async (options) => server.inject(options))
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
      const worker = startWorker(app, { handlers: jobHandlers })
      await worker.idle()
      await worker.stop()
    },
    advance(ms) {
      offset += ms
    },
    async close() {
      await server.close()
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface RawResponse {
  statusCode: number
  headers: Record<string, unknown>
  rawPayload: Buffer
}

function injector(send: (options: InjectOptions) => Promise<RawResponse>): Inject {
  return async (method, path, { token, body, form, bytes, query, headers } = {}) => {
    const url =
      (path.startsWith('//') ? path.slice(1) : `/api/v4${path}`) + (query ? `?${query}` : '')
    const payload = bytes ?? form ?? (body === undefined ? undefined : JSON.stringify(body))
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
    return toAnswer(answer)
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
  return type.startsWith('application/json') ? JSON.parse(text) : text
}
