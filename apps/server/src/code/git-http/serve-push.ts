import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type RefUpdate, refReasons } from '@stithy/core'
import {
  GitError,
  type GitProcess,
  type ReceiveCommand,
  type ReceiveOptions,
  type ReceiveRequest,
  readReceiveRequest,
  receivePack,
  reportStatusRefusal,
  zeroOid,
} from '@stithy/git'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { checkPush, type RefRefusal } from '../pushes/push-check.service.ts'
import { journalPush } from '../pushes/push-journal.ts'
import { findRefConflicts } from '../pushes/ref-conflicts.ts'
import { finishPush } from './finish-push.ts'
import { hasBytes } from './first-bytes.ts'
import type { GitAccess, GitRequester } from './git-access.ts'
import { GitHttpError, uncached } from './git-http-error.ts'
import { messagePackets, projectCreatedMessage } from './push-messages.ts'
import { authorizePush, createByPush } from './push-to-create.ts'
import { createReceiveResponse } from './receive-response.ts'
import { bodyError, bodyOf, pipeBody } from './request-body.ts'

/**
 * Handles `POST git-receive-pack`: takes a push as a stream, and reports the result once it is
 * recorded.
 */
export async function servePush(
  app: App,
  requester: GitRequester,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const admitted = await authorizePush(app, requester, path)
  const body = bodyOf(request.raw)
  const head = await readHead(body)
  reply.headers(uncached).header('content-type', 'application/x-git-receive-pack-result')
  // Git first probes whether it may push at all, before it sends much.
  if (head.commands.length === 0) return reply.send(Buffer.alloc(0))
  const isNew = !('repository' in admitted)
  const access = isNew ? await createByPush(app, admitted) : admitted
  const updates = head.commands.map(toUpdate)
  const { subject, caller } = access
  const { refusals: checkedUpdates, forwardOnly } = await checkPush(app, {
    subject,
    caller,
    updates,
  })
  const refusals = [...checkedUpdates, ...(await findRefConflicts(app, subject.row, updates))]
  const messages = isNew ? [projectCreatedMessage(app, subject.row)] : []
  if (refusals.length > 0) return reply.send(await refuse(body, head, refusals, messages))
  const answer = new PassThrough()
  const received = receive(app, access, { body, head, answer, messages, forwardOnly })
  received.catch((error: unknown) => {
    app.log.warn({ err: error, projectId: access.subject.row.id }, 'a push was aborted')
    answer.destroy(error as Error)
  })
  if (await hasBytes(answer)) return reply.send(answer)
  await received
  return reply.send(Buffer.alloc(0))
}

async function readHead(body: Readable): Promise<ReceiveRequest> {
  try {
    return await readReceiveRequest(body, { atomic: true })
  } catch (error) {
    if (!(error instanceof GitError)) throw bodyError(error)
    throw new GitHttpError(400, `This is not a valid push: ${error.message}.`)
  }
}

function toUpdate({ ref, oldOid, newOid }: ReceiveCommand): RefUpdate {
  const present = (oid: string) => (oid === zeroOid ? null : oid)
  return { ref, before: present(oldOid), after: present(newOid) }
}

/** The client reads no response before it has sent everything, so the body is discarded first. */
async function refuse(
  body: Readable,
  { commands, capabilities }: ReceiveRequest,
  refusals: readonly RefRefusal[],
  messages: readonly string[],
): Promise<Buffer> {
  body.resume()
  await finished(body, { writable: false }).catch(() => {})
  const hasSideBand = capabilities.some((name) => name.startsWith('side-band'))
  // Clients know this wording from hooks; a client without side bands gets the reason instead.
  const declined = Object.fromEntries(commands.map(({ ref }) => [ref, 'pre-receive hook declined']))
  const reasons = Object.fromEntries(refusals.map(({ ref, reason }) => [ref, reason]))
  const reasonByRef = hasSideBand ? declined : { ...declined, ...reasons }
  return reportStatusRefusal(commands, capabilities, reasonByRef, [
    ...messages,
    ...explain(refusals),
  ])
}

/** Lists each reason once, after the refs that it applies to if there are several reasons. */
function explain(refusals: readonly RefRefusal[]): string[] {
  const byReason = Map.groupBy(refusals, ({ reason }) => reason)
  if (byReason.size === 1) return [...byReason.keys()]
  return [...byReason].map(([reason, refused]) => {
    const names = refused.slice(0, maxListedRefs).map(({ ref }) => ref)
    const more = refused.length > maxListedRefs ? ` and ${refused.length - maxListedRefs} more` : ''
    return `${names.join(', ')}${more}: ${reason}`
  })
}

const maxListedRefs = 5

interface Reception {
  body: Readable
  head: ReceiveRequest
  answer: PassThrough
  /** Messages for the client once the push is recorded. */
  messages: readonly string[]
  /** Refs that must be fast-forwarded, which git can check once it has the new commits. */
  forwardOnly: readonly string[]
}

/**
 * Runs receive-pack. Its output is read to the end even if the client disconnects: once git has
 * everything, the push counts. If the client disconnects before that, the repository does not
 * change.
 */
async function receive(
  app: App,
  { subject, caller, repository }: GitAccess,
  { body, head, answer, messages, forwardOnly }: Reception,
): Promise<void> {
  const userId = caller.user?.id ?? 0
  const updates = head.commands.map(toUpdate)
  const sideBand = head.capabilities.some((name) => name.startsWith('side-band'))
  const output = createReceiveResponse({ sideBand })
  const { commands, pushOptions: options = [] } = head
  const push = { projectId: subject.row.id, userId, repository, commands, updates, options }
  const pendingPush = await journalPush(app, push)
  let process: GitProcess | undefined
  let findBodyError: ReturnType<typeof pipeBody> | undefined
  try {
    process = await receivePack(app.git, repository, limitsOf(app, forwardOnly))
    findBodyError = pipeBody(body, process)
    for await (const chunk of process.stdout) await pass(answer, output.push(chunk))
  } catch (error) {
    throw (await findBodyError?.()) ?? error
  } finally {
    // A killed git may take a moment to exit; only then do the refs no longer move.
    await process?.exit
    await finishPush(app, push, pendingPush, output.movedRefs())
  }
  const hasMoved = (output.movedRefs()?.size ?? 0) > 0
  answer.end(Buffer.concat([sideBand && hasMoved ? messagePackets(messages) : none, output.held()]))
}

function limitsOf(app: App, refs: readonly string[]): ReceiveOptions {
  const maxInputBytes = app.config.receiveMaxInputSize * 1024 * 1024
  if (refs.length === 0) return { maxInputBytes }
  return { maxInputBytes, forwardOnly: { refs, reason: refReasons.forceBranch } }
}

const none = Buffer.alloc(0)

async function pass(answer: PassThrough, chunk: Buffer): Promise<void> {
  if (chunk.length === 0 || answer.destroyed || answer.write(chunk)) return
  const disconnect = new AbortController()
  const { signal } = disconnect
  await Promise.race([once(answer, 'drain', { signal }), once(answer, 'close', { signal })]).catch(
    () => {},
  )
  disconnect.abort()
}
