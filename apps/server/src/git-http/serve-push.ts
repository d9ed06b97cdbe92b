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
import type { App } from '../app.ts'
import { findLateRefusals } from '../pushes/late-refusals.ts'
import { checkPush, type RefRefusal } from '../pushes/push-check.service.ts'
import { notePush } from '../pushes/push-journal.ts'
import { hasBytes } from './first-bytes.ts'
import type { Admission } from './git-access.ts'
import { GitRefusalError, uncached } from './git-refusal.ts'
import { projectCreatedMessage, sayToClient } from './push-messages.ts'
import { admitPush, createByPush } from './push-to-create.ts'
import { createReceiveAnswer } from './receive-answer.ts'
import { bodyOf, brokenBody, feed } from './request-body.ts'
import { settlePush } from './settle-push.ts'

/** Answers `POST git-receive-pack`: takes a push in as a stream, and tells of it when it is recorded. */
export async function servePush(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const door = await admitPush(app, request, path)
  const body = bodyOf(request.raw)
  const head = await readHead(body)
  reply.headers(uncached).header('content-type', 'application/x-git-receive-pack-result')
  // Git asks first whether it may push at all, before it sends much.
  if (head.commands.length === 0) return reply.send(Buffer.alloc(0))
  const isNew = !('repository' in door)
  const admission = isNew ? await createByPush(app, door) : door
  const updates = head.commands.map(toUpdate)
  const { subject, caller } = admission
  const { refusals: judged, forwardOnly } = await checkPush(app, { subject, caller, updates })
  const refusals = [...judged, ...(await findLateRefusals(app, subject.row, updates))]
  const messages = isNew ? [projectCreatedMessage(app, subject.row)] : []
  if (refusals.length > 0) return reply.send(await refuse(body, head, refusals, messages))
  const answer = new PassThrough()
  const received = receive(app, admission, { body, head, answer, messages, forwardOnly })
  received.catch((error: unknown) => {
    app.log.warn({ err: error, projectId: admission.subject.row.id }, 'a push broke off')
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
    if (!(error instanceof GitError)) throw brokenBody(error)
    throw new GitRefusalError(400, `This is no push: ${error.message}.`)
  }
}

function toUpdate({ ref, oldOid, newOid }: ReceiveCommand): RefUpdate {
  const present = (oid: string) => (oid === zeroOid ? null : oid)
  return { ref, before: present(oldOid), after: present(newOid) }
}

/** The client reads no answer before it has sent everything, so that is thrown away first. */
async function refuse(
  body: Readable,
  { commands, capabilities }: ReceiveRequest,
  refusals: readonly RefRefusal[],
  said: readonly string[],
): Promise<Buffer> {
  body.resume()
  await finished(body, { writable: false }).catch(() => {})
  const canTell = capabilities.some((name) => name.startsWith('side-band'))
  // Clients know the wording from hooks; who cannot be told more gets the reason in its place.
  const declined = Object.fromEntries(commands.map(({ ref }) => [ref, 'pre-receive hook declined']))
  const reasons = Object.fromEntries(refusals.map(({ ref, reason }) => [ref, reason]))
  const told = canTell ? declined : { ...declined, ...reasons }
  return reportStatusRefusal(commands, capabilities, told, [...said, ...explain(refusals)])
}

/** Each reason once, behind the refs that it is about where there are several reasons. */
function explain(refusals: readonly RefRefusal[]): string[] {
  const byReason = Map.groupBy(refusals, ({ reason }) => reason)
  if (byReason.size === 1) return [...byReason.keys()]
  return [...byReason].map(([reason, refused]) => {
    const names = refused.slice(0, maxNamed).map(({ ref }) => ref)
    const more = refused.length > maxNamed ? ` and ${refused.length - maxNamed} more` : ''
    return `${names.join(', ')}${more}: ${reason}`
  })
}

const maxNamed = 5

interface Reception {
  body: Readable
  head: ReceiveRequest
  answer: PassThrough
  /** What the pusher is told once the push counts. */
  messages: readonly string[]
  /** Refs that must not lose commits, which git can tell once it has the new ones. */
  forwardOnly: readonly string[]
}

/**
 * Runs receive-pack. Its answer is read to the end whether or not the client still listens: once git has
 * everything, the push counts. A client that goes before that leaves the repository as it was.
 */
async function receive(
  app: App,
  { subject, caller, repository }: Admission,
  { body, head, answer, messages, forwardOnly }: Reception,
): Promise<void> {
  const userId = caller.user?.id ?? 0
  const updates = head.commands.map(toUpdate)
  const sideBand = head.capabilities.some((name) => name.startsWith('side-band'))
  const said = createReceiveAnswer({ sideBand })
  const { commands, pushOptions: options = [] } = head
  const push = { projectId: subject.row.id, userId, repository, commands, updates, options }
  const ticket = await notePush(app, push)
  let process: GitProcess | undefined
  let findFault: ReturnType<typeof feed> | undefined
  try {
    process = await receivePack(app.git, repository, limitsOf(app, forwardOnly))
    findFault = feed(body, process)
    for await (const chunk of process.stdout) await pass(answer, said.push(chunk))
  } catch (error) {
    throw (await findFault?.()) ?? error
  } finally {
    // A git that was told to end may need a moment; only then do the refs stand still.
    await process?.exit
    await settlePush(app, push, ticket, said.movedRefs())
  }
  const isTaken = (said.movedRefs()?.size ?? 0) > 0
  answer.end(Buffer.concat([sideBand && isTaken ? sayToClient(messages) : none, said.held()]))
}

function limitsOf(app: App, refs: readonly string[]): ReceiveOptions {
  const maxInputBytes = app.config.receiveMaxInputSize * 1024 * 1024
  if (refs.length === 0) return { maxInputBytes }
  return { maxInputBytes, forwardOnly: { refs, reason: refReasons.forceBranch } }
}

const none = Buffer.alloc(0)

async function pass(answer: PassThrough, chunk: Buffer): Promise<void> {
  if (chunk.length === 0 || answer.destroyed || answer.write(chunk)) return
  const gone = new AbortController()
  const { signal } = gone
  await Promise.race([once(answer, 'drain', { signal }), once(answer, 'close', { signal })]).catch(
    () => {},
  )
  gone.abort()
}
