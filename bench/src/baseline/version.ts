import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serverFolder } from '../paths.ts'
import { sendJson } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Context } from './context.ts'

/** `GET /version` */
export function registerVersion(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const text = readFileSync(join(serverFolder, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  const revision = readRevision()
  server.get('/api/v4/version', (request, reply) => {
    authenticate(request)
    return sendJson(request, reply, { version, revision })
  })
}

function readRevision(): string {
  try {
    const args = ['rev-parse', '--short=11', 'HEAD']
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', args, { cwd: serverFolder, encoding: 'utf8', stdio }).trim()
  } catch {
    return 'unknown'
  }
}
