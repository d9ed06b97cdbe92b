import { PassThrough, Readable } from 'node:stream'
import { GitError, type ReceiveRequest, readReceiveRequest, reportStatus } from '@stithy/git'
import type { FastifyReply } from 'fastify'
import type { App } from '../../platform/app.ts'
import { checkPush, type PushCheck } from '../pushes/push-check.service.ts'
import { findRefConflicts } from '../pushes/ref-conflicts.ts'
import { checkWikiPush } from '../wikis/wiki-push-check.ts'
import { ensureWikiRepository } from '../wikis/wiki-repository.ts'
import { hasBytes } from './first-bytes.ts'
import { existingRepository, type GitAccess } from './git-access.ts'
import { GitHttpError, uncached } from './git-http-error.ts'
import { projectCreatedMessage, projectMovedMessage } from './push-messages.ts'
import { refusalResult } from './push-refusal.ts'
import { authorizePush, createByPush, type FreePath } from './push-to-create.ts'
import { discard, discardPack, receivePush, toUpdate } from './receive-push.ts'
import { bodyError, bodyOf } from './request-body.ts'
import type { GitExchange } from './transfers.ts'

/** Each ref of a push is checked, recorded and shown on its own. */
const maxUpdates = 5000
const maxOptions = 100
const maxOptionBytes = 64 * 1024

/**
 * Handles `POST git-receive-pack`: takes a push as a stream, and reports the result once it is
 * recorded.
 */
export async function servePush(
  app: App,
  { requester, request, reply, transfers }: GitExchange,
  path: string,
): Promise<FastifyReply> {
  const admitted = await authorizePush(app, requester, path)
  const transfer = await transfers.begin(request, reply, requester.caller)
  const body = bodyOf(request.raw)
  const answer = await acceptPush(app, { admitted, body, isDuplex: false })
  reply.headers(uncached).header('content-type', 'application/x-git-receive-pack-result')
  // Git first probes whether it may push at all, before it sends much.
  if (answer === undefined) return reply.send(Buffer.alloc(0))
  transfer.holdDuring(answer.received)
  if (await hasBytes(answer.stream)) return reply.send(answer.stream)
  await answer.received
  return reply.send(Buffer.alloc(0))
}

/** A push that arrives. */
export interface ArrivingPush {
  admitted: GitAccess | FreePath
  /** What the client sends after the advertisement. */
  body: Readable
  /** Whether the body goes on until the client has the answer, as over SSH. */
  isDuplex: boolean
}

/** The answer to a push. */
export interface PushAnswer {
  stream: Readable
  /** Settles once the push is recorded or refused. */
  received: Promise<void>
}

/**
 * Takes a push, and answers it once it is recorded; undefined if the client changes no refs.
 * @throws GitHttpError
 */
export async function acceptPush(
  app: App,
  { admitted, body, isDuplex }: ArrivingPush,
): Promise<PushAnswer | undefined> {
  const head = await readHead(body)
  if (head.commands.length === 0) {
    // To its end, so that the connection can be used for the push itself.
    if (!isDuplex) await discard(body)
    return undefined
  }
  const excess = findExcess(head)
  const refuse = async (access: GitAccess | undefined, report: Buffer): Promise<PushAnswer> => {
    if (!isDuplex) await discard(body)
    else if (access !== undefined && (await existingRepository(access)) !== undefined)
      await discardPack(app, access.repository, { head, body })
    return { stream: Readable.from([report]), received: Promise.resolve() }
  }
  if (excess !== undefined) {
    return refuse('repository' in admitted ? admitted : undefined, refuseAll(head, excess))
  }
  const isNew = !('repository' in admitted)
  const access = isNew ? await createByPush(app, admitted) : admitted
  if (access.isWiki) await ensureWikiRepository(app, access.subject.row)
  const { refusals, forwardOnly } = await check(app, access, head)
  const messages = isNew
    ? [projectCreatedMessage(app, access.subject.row, isDuplex)]
    : movedMessages(app, access, isDuplex)
  if (refusals.length > 0) {
    return refuse(access, reportStatus(head, refusalResult(head, refusals, messages)))
  }
  const answer = new PassThrough()
  const push = { access, head, body, isDuplex, forwardOnly, messages }
  const received = receivePush(app, push, answer)
  received.catch((error: unknown) => {
    app.log.warn({ err: error, projectId: access.subject.row.id }, 'a push was aborted')
    answer.destroy(error as Error)
  })
  return { stream: answer, received }
}

function movedMessages(
  app: App,
  { movedFrom: from, subject, isWiki }: GitAccess,
  overSsh: boolean,
): string[] {
  if (from === undefined) return []
  return [projectMovedMessage(app, { from, fullPath: subject.row.fullPath, isWiki }, overSsh)]
}

async function readHead(body: Readable): Promise<ReceiveRequest> {
  try {
    return await readReceiveRequest(body)
  } catch (error) {
    if (!(error instanceof GitError)) throw bodyError(error)
    const status = error.code === 'output_limit' ? 413 : 400
    throw new GitHttpError(status, `This is not a valid push: ${error.message}.`)
  }
}

/** Everything that can be decided before the objects have arrived. */
async function check(app: App, access: GitAccess, head: ReceiveRequest): Promise<PushCheck> {
  const { subject, caller, deployKey, isWiki, location } = access
  const updates = head.commands.map(toUpdate)
  const push = { subject, caller, updates, deployKey }
  const { refusals, forwardOnly } = isWiki
    ? await checkWikiPush(access.repository, updates)
    : await checkPush(app, push)
  const conflicts = await findRefConflicts(app, location, updates)
  return { refusals: [...refusals, ...conflicts], forwardOnly }
}

/** The reason against a push of more than the server looks at. */
function findExcess({ commands, pushOptions = [] }: ReceiveRequest): string | undefined {
  if (commands.length > maxUpdates) {
    return `A push can change at most ${maxUpdates} refs. Push some of them first.`
  }
  const bytes = pushOptions.reduce((sum, option) => sum + Buffer.byteLength(option), 0)
  if (pushOptions.length > maxOptions || bytes > maxOptionBytes) {
    return `A push can have at most ${maxOptions} options of ${maxOptionBytes} bytes.`
  }
  return undefined
}

/** A report without a line for each ref. */
function refuseAll({ capabilities }: ReceiveRequest, reason: string): Buffer {
  return reportStatus({ commands: [], capabilities }, { unpackError: reason, messages: [reason] })
}
