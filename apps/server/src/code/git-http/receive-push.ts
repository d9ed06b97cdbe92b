import type { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type RefUpdate, refReasons } from '@stithy/core'
import {
  GitError,
  hasSideBand,
  keepAlivePacket,
  type PushResult,
  progress,
  type Quarantine,
  type ReceiveCommand,
  type ReceiveRequest,
  type Repository,
  removeRepository,
  reportStatus,
  updateRefs,
  withQuarantine,
  zeroOid,
} from '@stithy/git'
import { findRepository } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { maxInputBytes } from '../../platform/settings/code-settings.ts'
import { waitForBranches } from '../pushes/branch-hold.ts'
import type { RefRefusal } from '../pushes/push-check.service.ts'
import { journalPush } from '../pushes/push-journal.ts'
import { finishPush } from './finish-push.ts'
import type { GitAccess } from './git-access.ts'
import { pushMessages } from './push-messages.ts'
import { refusalResult } from './push-refusal.ts'
import { bodyError } from './request-body.ts'

/** A push that may be received. */
export interface Reception {
  access: GitAccess
  head: ReceiveRequest
  /** The rest of the request: a pack, if objects were announced. */
  body: Readable
  /** Whether the body goes on until the client has the answer. */
  isDuplex: boolean
  /** Refs that must be fast-forwarded, which is known once the new commits have arrived. */
  forwardOnly: readonly string[]
  /** Messages for the client once the push is recorded. */
  messages: readonly string[]
}

/** Between two signs of life for the client while git works on what it has sent. */
const keepAliveMs = 5000

/**
 * Receives a push and writes the response as it goes. Once everything has arrived, the push counts
 * even if the client disconnects; if it disconnects before that, the repository does not change.
 * @throws GitHttpError for a body that can't be read
 */
export async function receivePush(app: App, push: Reception, answer: PassThrough): Promise<void> {
  const { access, head, body, isDuplex } = push
  const sideBand = hasSideBand(head.capabilities)
  const stayAlive = () => {
    if (isDuplex || body.readableEnded) answer.write(keepAlivePacket)
  }
  const timer = sideBand ? setInterval(stayAlive, keepAliveMs) : undefined
  const onOutput = (text: Buffer) => {
    if (sideBand) answer.write(progress(text))
  }
  try {
    const result = await withQuarantine(app.git, access.repository, async (quarantine) => {
      const failure = await takeObjects(app, push, quarantine, onOutput)
      return failure ?? (await moveRefs(app, push, quarantine))
    })
    answer.end(reportStatus(head, result))
  } finally {
    clearInterval(timer)
  }
}

/** Stores and checks the objects of a push; returns the result if it is refused. */
async function takeObjects(
  app: App,
  { head, body, isDuplex, forwardOnly }: Reception,
  quarantine: Quarantine,
  onOutput: (text: Buffer) => void,
): Promise<PushResult | undefined> {
  const oids = head.commands.map(({ newOid }) => newOid).filter((oid) => oid !== zeroOid)
  if (oids.length === 0) {
    if (!isDuplex) await discard(body)
    return undefined
  }
  const maxBytes = maxInputBytes(app)
  const showsProgress = !head.capabilities.includes('quiet')
  try {
    await quarantine.receive(body, { maxBytes, onOutput, showsProgress, isDuplex })
    const [isComplete, refusals] = await Promise.all([
      quarantine.isComplete(oids),
      findLostHistory(head.commands, forwardOnly, quarantine),
    ])
    if (!isComplete) return allRefused(head, 'missing necessary objects')
    return refusals.length > 0 ? refusalResult(head, refusals) : undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw bodyError(error)
    app.log.warn({ err: error }, 'the objects of a push were refused')
    const reason = limitReasons[error.code]
    const messages = reason === undefined ? [] : [reason]
    const failure = allRefused(head, 'unpacker error')
    return { ...failure, unpackError: 'index-pack abnormal exit', messages }
  }
}

const limitReasons: Partial<Record<string, string>> = {
  memory_limit: 'The push needs more memory than the server allows.',
  timeout: 'The push needs more time of the processor than the server allows.',
}

/** The client reads no response before it has sent everything. */
export async function discard(body: Readable): Promise<void> {
  body.resume()
  await finished(body, { writable: false }).catch(() => {})
}

/**
 * Reads the pack of a refused push whose end only git can find, since the client reads nothing
 * before it has sent everything.
 */
export async function discardPack(
  app: App,
  repository: Repository,
  { head, body }: { head: ReceiveRequest; body: Readable },
): Promise<void> {
  if (head.commands.every(({ newOid }) => newOid === zeroOid)) return
  const maxBytes = maxInputBytes(app)
  await withQuarantine(app.git, repository, (quarantine) =>
    quarantine.receive(body, { maxBytes, isDuplex: true }),
  ).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw bodyError(error)
  })
}

function allRefused({ commands }: ReceiveRequest, reason: string): PushResult {
  return { reasons: Object.fromEntries(commands.map(({ ref }) => [ref, reason])) }
}

async function findLostHistory(
  commands: readonly ReceiveCommand[],
  forwardOnly: readonly string[],
  quarantine: Quarantine,
): Promise<RefRefusal[]> {
  const refusals: RefRefusal[] = []
  const names = new Set(forwardOnly)
  for (const { ref, oldOid, newOid } of commands) {
    if (!names.has(ref) || oldOid === zeroOid || newOid === zeroOid) continue
    if (await quarantine.isAncestor(oldOid, newOid)) continue
    refusals.push({ ref, reason: refReasons.forceBranch, cause: 'rights' })
  }
  return refusals
}

/** Moves the refs of a push, all or none, and records it. */
async function moveRefs(
  app: App,
  { access, head, messages }: Reception,
  quarantine: Quarantine,
): Promise<PushResult> {
  const { subject, caller, repository, isWiki } = access
  const commands = head.commands.filter(({ oldOid, newOid }) => oldOid !== newOid)
  await quarantine.accept()
  const push = {
    projectId: subject.row.id,
    userId: caller.user?.id ?? 0,
    updates: commands.map(toUpdate),
    options: head.pushOptions ?? [],
    isWiki,
  }
  if (!isWiki) await waitForBranches(push.projectId, commands)
  const pendingPush = await journalPush(app, push)
  try {
    await updateRefs(app.git, repository, commands)
  } catch (error) {
    // Otherwise git was killed, perhaps after it had moved them: the job stays, and compares them.
    if (isRefused(error)) await pendingPush.discard()
    else app.log.error({ err: error, ...push }, 'the refs of a push may not have moved')
    pendingPush.release()
    await removeIfDeleted(app, push.projectId, repository)
    return allRefused(head, 'failed to update ref')
  }
  await finishPush(app, push, pendingPush)
  if (isWiki) return { messages }
  const { updates, options } = push
  const more = await pushMessages(app, { project: subject, caller, updates, options })
  return { messages: [...messages, ...more] }
}

/** Git makes the folder of a ref again when the project was deleted meanwhile. */
async function removeIfDeleted(app: App, projectId: number, repository: Repository): Promise<void> {
  const project = await findRepository(app.db, projectId)
  if (project === undefined) await removeRepository(app.git, repository)
}

function isRefused(error: unknown): boolean {
  return error instanceof GitError && (error.code === 'conflict' || error.code === 'invalid')
}

/** A command in the terms of the rules for refs. */
export function toUpdate({ ref, oldOid, newOid }: ReceiveCommand): RefUpdate {
  const present = (oid: string) => (oid === zeroOid ? null : oid)
  return { ref, before: present(oldOid), after: present(newOid) }
}
