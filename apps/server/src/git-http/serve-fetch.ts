import type { ServerResponse } from 'node:http'
import {
  advertiseEmpty,
  advertiseRefs,
  GitError,
  type GitProcess,
  type TransportService,
  uploadPack,
} from '@stithy/git'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { noteActivity } from '../users/activity.service.ts'
import { hasBytes } from './first-bytes.ts'
import { admit } from './git-access.ts'
import { GitRefusalError, uncached } from './git-refusal.ts'
import { admitPush } from './push-to-create.ts'
import { bodyOf, feed } from './request-body.ts'

/** Longer lists of refs are the business of protocol 2, where the client asks for few. */
const advertiseTimeoutMs = 120_000

/** What git ends with that gives up. */
const fatal = 128

function protocolOf(request: FastifyRequest): { protocol?: string } {
  const header = request.headers['git-protocol']
  return typeof header === 'string' ? { protocol: header } : {}
}

/** Answers `GET info/refs`: what the repository holds and what the server can do. */
export async function serveAdvertisement(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, service }: { path: string; service: TransportService },
): Promise<FastifyReply> {
  reply.headers(uncached).header('content-type', `application/x-git-${service}-advertisement`)
  const door =
    service === 'receive-pack'
      ? await admitPush(app, request, path)
      : await admit(app, request, path, service)
  if (!('repository' in door)) return reply.send(advertiseEmpty(app.git))
  const { repository } = door
  const options = { ...protocolOf(request), timeoutMs: advertiseTimeoutMs }
  const process = await advertiseRefs(app.git, repository, service, options)
  reportFailure(app, process, service)
  return reply.send(process.stdout)
}

/** Answers `POST git-upload-pack`: streams what the client lacks, at the client's own pace. */
export async function serveFetch(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const { repository, caller } = await admit(app, request, path, 'upload-pack')
  const body = bodyOf(request.raw)
  if (caller.user !== null) await noteActivity(app, caller.user.id)
  const process = await uploadPack(app.git, repository, protocolOf(request))
  reportFailure(app, process, 'upload-pack')
  const findFault = feed(body, process)
  const answers = await startsAnswer(process, reply.raw)
  if (!answers) {
    const fault = await findFault()
    if (fault !== undefined) throw fault
    await requireSuccess(process)
  }
  return reply
    .headers(uncached)
    .header('content-type', 'application/x-git-upload-pack-result')
    .send(answers ? process.stdout : Buffer.alloc(0))
}

/** Whether git has something to say: only until then can the request still be refused. */
async function startsAnswer(process: GitProcess, response: ServerResponse): Promise<boolean> {
  const stop = () => process.kill()
  response.once('close', stop)
  const answers = await hasBytes(process.stdout)
  response.off('close', stop)
  return answers
}

/** Silence is right where nothing was asked for. @throws GitRefusalError for what git could not read. */
async function requireSuccess({ exit }: GitProcess): Promise<void> {
  const { code, reason, stderr } = await exit
  if (code === 0) return
  if (code === fatal || reason === 'closed') {
    throw new GitRefusalError(400, 'This is no fetch: git could not read the request.')
  }
  throw new GitError('failed', `git upload-pack ended with ${reason ?? code}`, stderr)
}

function reportFailure(app: App, process: GitProcess, service: TransportService): void {
  void process.exit.then(({ code, reason, stderr }) => {
    if (code === 0 || reason === 'closed' || reason === 'aborted') return
    app.log.warn({ service, code, reason, stderr }, 'git ended with an error')
  })
}
