import { access, constants } from 'node:fs/promises'
import { listPendingMigrations } from '@stithy/store'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../platform/app.ts'
import { sendJsonText } from '../platform/http/json.ts'

const alive = JSON.stringify({ status: 'ok' })

/** How long a check may take, in milliseconds: a network file system may never answer. */
const timeoutMs = 5000

type Check = (app: App) => Promise<void>

/** What a server needs to answer requests; each throws if it is missing. */
const checks: Readonly<Record<string, Check>> = {
  database: ({ db }) => db.ping(),
  migrations: async ({ db }) => {
    const pending = await listPendingMigrations(db)
    if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}`)
  },
  storage: async ({ config }) => {
    const folders = [config.data, ...Object.values(config.repositoryStorages)]
    for (const folder of folders) await access(folder, constants.R_OK | constants.W_OK)
  },
}

/** `/-/liveness`: the process responds. `/-/readiness` and `/-/health`: what it needs does, too. */
export function registerHealth(server: FastifyInstance, app: App): void {
  // Their callers are known, and not limited: a check that is refused would end the server.
  const config = { identifiesCaller: true } as const
  server.get('/-/liveness', { config }, async (_request, reply) => sendJsonText(reply, alive))
  const check = compileReadiness(app)
  for (const path of ['/-/readiness', '/-/health']) {
    server.get(path, { config }, async (_request, reply) => sendReadiness(reply, await check()))
  }
}

function sendReadiness(reply: FastifyReply, failed: readonly string[]): FastifyReply {
  const results = Object.keys(checks).map((name) => [name, failed.includes(name) ? 'failed' : 'ok'])
  const status = failed.length === 0 ? 'ok' : 'failed'
  if (failed.length > 0) reply.code(503)
  return sendJsonText(reply, JSON.stringify({ status, checks: Object.fromEntries(results) }))
}

/**
 * Returns the function that names the checks that fail. Anyone may call it: those who do at the same
 * time share the answer, and the reasons are only logged, when the answer changes.
 */
function compileReadiness(app: App): () => Promise<string[]> {
  let running: Promise<string[]> | undefined
  let logged = ''
  async function run(): Promise<string[]> {
    const names = Object.keys(checks)
    const results = await Promise.allSettled(names.map((name) => runCheck(app, name)))
    const failed = names.filter((_, at) => results[at]?.status === 'rejected')
    if (failed.join() !== logged) {
      logged = failed.join()
      for (const result of results) {
        if (result.status === 'rejected') app.log.error({ err: result.reason }, 'not ready')
      }
      if (failed.length === 0) app.log.info('ready again')
    }
    return failed
  }
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

async function runCheck(app: App, name: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`The check of ${name} timed out`)), timeoutMs)
  try {
    await Promise.race([checks[name]?.(app), promise])
  } finally {
    clearTimeout(timer)
  }
}
