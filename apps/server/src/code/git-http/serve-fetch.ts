import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import {
  advertiseFetch,
  advertisePush,
  exitError,
  type GitProcess,
  type TransportService,
  uploadPack,
} from '@stithy/git'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordActivity } from '../../directory/users/activity.service.ts'
import type { App } from '../../platform/app.ts'
import { countFetch } from '../statistics/fetch-count.ts'
import { hasBytes } from './first-bytes.ts'
import { authorizeGit, existingRepository } from './git-access.ts'
import { GitHttpError, uncached } from './git-http-error.ts'
import { authorizePush } from './push-to-create.ts'
import { bodyOf, pipeBody } from './request-body.ts'
import { watchPack } from './transferred-pack.ts'
import type { GitExchange } from './transfers.ts'

/** Longer ref lists are served by protocol 2, where the client requests few refs. */
const advertiseTimeoutMs = 120_000

/** No refs (gitprotocol-http): the wiki that nobody has written to can be cloned all the same. */
const emptyAdvertisement = Buffer.from('001e# service=git-upload-pack\n00000000')

/** Two million object ids, as a checkout of a partial clone asks for. */
const maxFetchBytes = 128 * 1024 * 1024

/** Git's exit code when it gives up. */
const fatal = 128

function protocolOf(request: FastifyRequest): { protocol?: string } {
  const header = request.headers['git-protocol']
  return typeof header === 'string' ? { protocol: header } : {}
}

/** Handles `GET info/refs`: the refs of the repository and the server's capabilities. */
export async function serveAdvertisement(
  app: App,
  { requester, request, reply, transfers }: GitExchange,
  { path, service }: { path: string; service: TransportService },
): Promise<FastifyReply> {
  reply.headers(uncached).header('content-type', `application/x-git-${service}-advertisement`)
  if (service === 'receive-pack') {
    const admitted = await authorizePush(app, requester, path)
    return reply.send(await advertisePush(app.git, await existingRepository(admitted)))
  }
  const access = await authorizeGit(app, requester, path, service)
  const { caller } = access
  const repository = await existingRepository(access)
  if (repository === undefined) return reply.send(emptyAdvertisement)
  const transfer = await transfers.begin(request, reply, caller)
  const options = { ...protocolOf(request), timeoutMs: advertiseTimeoutMs }
  const process = await advertiseFetch(app.git, repository, options)
  transfer.holdDuring(process.exit)
  reportFailure(app, process)
  return reply.send(process.stdout)
}

/** Handles `POST git-upload-pack`: streams the missing objects, at the client's own pace. */
export async function serveFetch(
  app: App,
  { requester, request, reply, transfers }: GitExchange,
  path: string,
): Promise<FastifyReply> {
  const access = await authorizeGit(app, requester, path, 'upload-pack')
  const { repository, caller, subject, isWiki } = access
  if ((await existingRepository(access)) === undefined) {
    throw new GitHttpError(404, 'The wiki is empty.')
  }
  const transfer = await transfers.begin(request, reply, caller)
  const body = bodyOf(request.raw, { maxBytes: maxFetchBytes })
  if (caller.user !== null) await recordActivity(app, caller.user.id)
  const process = await uploadPack(app.git, repository, protocolOf(request))
  // Those of wikis are none of the code.
  const counted = (pack: Readable) =>
    isWiki ? pack : watchPack(pack, () => countFetch(app, subject.row.id))
  transfer.holdDuring(process.exit)
  reportFailure(app, process)
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
    .send(answers ? counted(process.stdout) : Buffer.alloc(0))
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
 * @throws GitHttpError for a request that git could not parse, GitError for an exceeded limit
 */
async function requireSuccess({ exit }: GitProcess): Promise<void> {
  const ended = await exit
  if (ended.code === 0) return
  const error = exitError('git upload-pack', ended)
  const isLimit = error.code === 'memory_limit' || error.code === 'timeout'
  if (!isLimit && (ended.code === fatal || ended.reason === 'closed')) {
    throw new GitHttpError(400, 'This is not a valid fetch: git could not parse the request.')
  }
  throw error
}

function reportFailure(app: App, process: GitProcess): void {
  void process.exit.then(({ code, reason, stderr }) => {
    if (code === 0 || reason === 'closed' || reason === 'aborted') return
    app.log.warn({ code, reason, stderr }, 'git upload-pack ended with an error')
  })
}
