import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Database, openDatabase } from '@stithy/store'
import { openTestDatabase } from '@stithy/store/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ProcessOptions,
  runServerToEnd,
  type ServerProcess,
  startServerProcess,
  startWorkerProcess,
} from '../src/testing/clients/server-process.ts'
import { newFolder } from '../src/testing/git/git-client.ts'
import type { Json } from '../src/testing/test-server.ts'

const token = 'worker-test-token-0123456789'
const hookCount = 40

type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>

/** Receivers of webhooks, one for each hook, that note what is being delivered. */
class Receivers {
  /** Deliveries that are not answered yet, by their ids. */
  readonly open = new Map<number, Set<ServerResponse>>()
  readonly answered: number[] = []
  /** Deliveries that were made twice at the same time. */
  readonly doubled: number[] = []
  isHolding = true
  private readonly servers = Array.from({ length: hookCount }, () =>
    createServer((request, response) => {
      request.resume()
      request.on('end', () => this.receive(Number(request.headers['x-stithy-delivery']), response))
    }),
  )

  /** Each has an address of its own: a worker delivers to one host only four times at once. */
  listen(): Promise<string[]> {
    const listening = this.servers.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    })
    return Promise.all(listening)
  }

  private receive(id: number, response: ServerResponse): void {
    const others = this.open.get(id) ?? new Set()
    if (others.size > 0) this.doubled.push(id)
    this.open.set(id, others.add(response))
    response.on('close', () => others.delete(response))
    if (!this.isHolding) this.answer(id, response)
  }

  private answer(id: number, response: ServerResponse): void {
    this.answered.push(id)
    response.end('ok')
  }

  /** Answers all, and from now on at once. */
  release(): void {
    this.isHolding = false
    for (const [id, responses] of this.open) {
      for (const response of responses) this.answer(id, response)
    }
  }

  countOpen(): number {
    return [...this.open.values()].reduce((sum, responses) => sum + responses.size, 0)
  }

  close(): void {
    for (const server of this.servers) {
      server.closeAllConnections()
      server.close()
    }
  }
}

describe('workers apart from the server', { timeout: 120_000 }, () => {
  const isPostgres = Boolean(process.env.STITHY_TEST_DATABASE_URL)
  let receiver: Receivers
  let database: Database
  let options: ProcessOptions
  let server: ServerProcess
  const workers: WorkerProcess[] = []

  beforeAll(async () => {
    const data = await newFolder()
    const shared = isPostgres ? await openTestDatabase() : undefined
    const env = {
      STITHY_ROOT_TOKEN: token,
      STITHY_ROOT_PASSWORD: 'worker test password',
      STITHY_ALLOW_LOCAL_REQUESTS_FROM_HOOKS_AND_SERVICES: 'true',
      STITHY_WEBHOOK_TIMEOUT: '60',
      STITHY_RATE_LIMIT_ANONYMOUS: '0',
      ...(shared ? { STITHY_DATABASE_URL: shared.url ?? '' } : {}),
    }
    options = { data, env }
    server = await startServerProcess({ ...options, args: ['--no-worker'] })
    database = shared ?? (await openDatabase({ file: join(data, 'stithy.db') }))
  })
  beforeEach(async () => {
    receiver = new Receivers()
    const project = await call('POST', '/projects', { name: `project ${Date.now()}` })
    for (const url of await receiver.listen()) {
      await call('POST', `/projects/${project.id}/hooks`, { url, issues_events: true })
    }
    await call('POST', `/projects/${project.id}/issues`, { title: 'Delivered to every hook' })
  })
  afterEach(async () => {
    receiver.close()
    for (const worker of workers.splice(0)) await worker.end('SIGKILL')
    await database.run('test.clear', {}, (db) => db.deleteFrom('jobs'))
    await database.run('test.gone', {}, (db) => db.deleteFrom('workers'))
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    await database.close()
    await rm(options.data, { recursive: true, force: true })
  })

  async function call(method: string, path: string, body?: object): Promise<Json> {
    const answer = await fetch(`${server.address}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    return answer.json()
  }

  async function startWorker(...args: string[]): Promise<WorkerProcess> {
    const worker = await startWorkerProcess({ ...options, args })
    workers.push(worker)
    return worker
  }

  async function processes(): Promise<Json[]> {
    return (await call('GET', '/jobqueue/process_metrics')).processes
  }

  const patiently = { timeout: 120_000, interval: 50 }
  const delivered = () => new Set(receiver.answered).size

  it('run what a server without a worker leaves to them', async () => {
    receiver.release()
    expect(await processes()).toEqual([])
    const waiting = await call('GET', '/jobqueue/job_stats')
    expect(waiting.jobs).toMatchObject({ processed: 0, failed: 0 })
    expect(waiting.jobs.enqueued).toBeGreaterThanOrEqual(1)
    const worker = await startWorker('--worker-labels', 'large,fast', '--worker-concurrency', '3')
    await expect.poll(delivered, patiently).toBe(hookCount)
    expect(receiver.answered).toHaveLength(hookCount)
    expect(await processes()).toMatchObject([
      { pid: worker.child.pid, tag: 'worker', labels: ['large', 'fast'], concurrency: 25 },
    ])
    expect(await worker.end('SIGTERM')).toBe(0)
    expect(await processes()).toEqual([])
    const { jobs } = await call('GET', '/jobqueue/job_stats')
    expect(jobs.failed).toBe(0)
    expect(jobs.processed).toBeGreaterThanOrEqual(hookCount)
  })

  it('lose no job of one that is killed, and run none twice at the same time', async () => {
    const victim = await startWorker()
    await expect.poll(() => receiver.countOpen(), patiently).toBe(hookCount)
    const survivor = await startWorker()
    await victim.end('SIGKILL')
    await expect.poll(() => receiver.countOpen(), patiently).toBe(0)
    receiver.release()
    // The leases of the victim are respected until they expire.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(delivered()).toBe(0)
    await database.run('test.expire', { pid: victim.child.pid ?? 0 }, (db, $) =>
      db
        .updateTable('jobs')
        .set({ leaseUntil: 0 })
        .where('state', '=', 'running')
        .where('leaseOwner', 'in', (eb) =>
          eb.selectFrom('workers').where('workers.pid', '=', $('pid')).select('workers.id'),
        ),
    )
    await expect.poll(delivered, patiently).toBe(hookCount)
    expect(receiver.answered).toHaveLength(hookCount)
    expect(receiver.doubled).toEqual([])
    expect(await survivor.end('SIGTERM')).toBe(0)
  })

  it('keep their jobs while the server is killed and started again', async () => {
    await startWorker()
    await expect.poll(() => receiver.countOpen(), patiently).toBe(hookCount)
    await server.end('SIGKILL')
    server = await startServerProcess({ ...options, args: ['--no-worker'] })
    const second = await startWorker()
    expect(receiver.countOpen()).toBe(hookCount)
    receiver.release()
    await expect.poll(delivered, patiently).toBe(hookCount)
    expect(receiver.answered).toHaveLength(hookCount)
    expect(receiver.doubled).toEqual([])
    expect(await second.end('SIGTERM')).toBe(0)
  })

  it('give their jobs to others when they are stopped', async () => {
    const first = await startWorker()
    await expect.poll(() => receiver.countOpen(), patiently).toBe(hookCount)
    expect(await first.end('SIGTERM')).toBe(0)
    await expect.poll(() => receiver.countOpen(), patiently).toBe(0)
    receiver.release()
    await startWorker()
    await expect.poll(delivered, patiently).toBe(hookCount)
    expect(receiver.doubled).toEqual([])
    const { jobs } = await call('GET', '/jobqueue/job_stats')
    expect(jobs.failed).toBe(0)
  })

  it('serve the queues that they are given alone', async () => {
    receiver.release()
    await startWorker('--worker-queues', 'users')
    await expect.poll(processes, patiently).toMatchObject([{ queues: ['users'], concurrency: 2 }])
    await startWorker('--worker-queues', 'default,webhooks')
    await expect.poll(delivered, patiently).toBe(hookCount)
  })
})

describe('an unknown queue', () => {
  it('stops the start with a message', async () => {
    const data = await newFolder()
    const ended = await runServerToEnd({ data, args: ['--worker-queues', 'nosuch'] })
    await rm(data, { recursive: true, force: true })
    expect(ended.code).toBe(1)
    expect(ended.output).toContain('worker_queues has an unknown queue: nosuch')
    expect(ended.output).not.toContain('    at ')
  })
})
