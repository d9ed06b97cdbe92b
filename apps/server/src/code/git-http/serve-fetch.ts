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
import { recordActivity } from '../../directory/users/activity.service.ts'
import type { App } from '../../platform/app.ts'
import { hasBytes } from './first-bytes.ts'
import { authorizeGit, type GitRequester } from './git-access.ts'
import { GitHttpError, uncached } from './git-http-error.ts'
import { authorizePush } from './push-to-create.ts'
import { bodyOf, pipeBody } from './request-body.ts'

/** Longer ref lists are served by protocol 2, where the client requests few refs. */
const advertiseTimeoutMs = 120_000

/** Git's exit code when it gives up. */
const fatal = 128

function protocolOf(request: FastifyRequest): { protocol?: string } {
  const header = request.headers['git-protocol']
  return typeof header === 'string' ? { protocol: header } : {}
}

/** Handles `GET info/refs`: the refs of the repository and the server's capabilities. */
export async function serveAdvertisement(
  app: App,
  requester: GitRequester,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, service }: { path: string; service: TransportService },
): Promise<FastifyReply> {
  reply.headers(uncached).header('content-type', `application/x-git-${service}-advertisement`)
  const admitted =
    service === 'receive-pack'
      ? await authorizePush(app, requester, path)
      : await authorizeGit(app, requester, path, service)
  if (!('repository' in admitted)) return reply.send(advertiseEmpty(app.git))
  const { repository } = admitted
  const options = { ...protocolOf(request), timeoutMs: advertiseTimeoutMs }
  const process = await advertiseRefs(app.git, repository, service, options)
  reportFailure(app, process, service)
  return reply.send(process.stdout)
}

/** Handles `POST git-upload-pack`: streams the missing objects, at the client's own pace. */
export async function serveFetch(
  app: App,
  requester: GitRequester,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const { repository, caller } = await authorizeGit(app, requester, path, 'upload-pack')
  const body = bodyOf(request.raw)
  if (caller.user !== null) await recordActivity(app, caller.user.id)
  const process = await uploadPack(app.git, repository, protocolOf(request))
  reportFailure(app, process, 'upload-pack')
  const findBodyError = pipeBody(body, process)
  const answers = await startsAnswer(process, reply.raw)
  if (!answers) {
    const error = await findBodyError()
    if (error !== undefined) throw error
    await requireSuccess(process)
  }
  return reply
    .headers(uncached)
    .header('content-type', 'application/x-git-upload-pack-result')
    .send(answers ? process.stdout : Buffer.alloc(0))
}

/** Whether git produces output: only before that can the request still be refused. */
async function startsAnswer(process: GitProcess, response: ServerResponse): Promise<boolean> {
  const stop = () => process.kill()
  response.once('close', stop)
  const answers = await hasBytes(process.stdout)
  response.off('close', stop)
  return answers
}

/**
 * No output is correct if nothing was requested.
 * @throws GitHttpError for a request that git could not parse.
 */
async function requireSuccess({ exit }: GitProcess): Promise<void> {
  const { code, reason, stderr } = await exit
  if (code === 0) return
  if (code === fatal || reason === 'closed') {
    throw new GitHttpError(400, 'This is not a valid fetch: git could not parse the request.')
  }
  throw new GitError('failed', `git upload-pack ended with ${reason ?? code}`, stderr)
}

function reportFailure(app: App, process: GitProcess, service: TransportService): void {
  void process.exit.then(({ code, reason, stderr }) => {
    if (code === 0 || reason === 'closed' || reason === 'aborted') return
    app.log.warn({ service, code, reason, stderr }, 'git ended with an error')
  })
}
