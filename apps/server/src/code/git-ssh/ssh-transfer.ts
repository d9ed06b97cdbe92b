import { PassThrough, type Readable } from 'node:stream'
import { DomainError } from '@stithy/core'
import { advertisePush, GitError, uploadPackSession } from '@stithy/git'
import type { ServerChannel } from 'ssh2'
import { recordActivity } from '../../directory/users/activity.service.ts'
import type { App } from '../../platform/app.ts'
import { authorizeGit, existingRepository, type GitRequester } from '../git-http/git-access.ts'
import { GitHttpError } from '../git-http/git-http-error.ts'
import { authorizePush } from '../git-http/push-to-create.ts'
import { acceptPush } from '../git-http/serve-push.ts'
import { gitTransferSlots } from '../git-http/transfers.ts'

/** A fetch or push over SSH. */
export interface SshTransfer {
  app: App
  requester: GitRequester
  /** Identifies the client to the slots. */
  client: string
  path: string
  /** The protocol that the client asks for, as in `GIT_PROTOCOL`. */
  protocol: string | undefined
  channel: ServerChannel
}

/** Serves `git clone` and `git fetch`; returns git's exit code. */
export async function serveFetch(transfer: SshTransfer): Promise<number> {
  const { app, requester, path, channel, protocol } = transfer
  const access = await authorizeGit(app, requester, path, 'upload-pack')
  const { caller } = access
  const repository = await existingRepository(access)
  if (repository === undefined) {
    // No refs: the wiki that nobody has written to can be cloned all the same.
    channel.write('0000')
    await untilRead(channel, app.config.gitInactivityTimeoutMs)
    return 0
  }
  return withSlot(transfer, async (signal) => {
    if (caller.user !== null) await recordActivity(app, caller.user.id)
    const process = await uploadPackSession(app.git, repository, {
      signal,
      ...(protocol === undefined ? {} : { protocol }),
    })
    const stop = watchActivity(
      channel,
      [channel, process.stdout],
      app.config.gitInactivityTimeoutMs,
    )
    channel.pipe(process.stdin)
    process.stdin.on('error', () => {})
    process.stdout.pipe(channel, { end: false })
    process.stdout.on('error', () => {})
    try {
      const { code, reason, stderr } = await process.exit
      if (code === 0) return 0
      if (reason !== 'closed' && reason !== 'aborted') {
        app.log.warn({ code, reason, stderr }, 'git upload-pack ended with an error')
      }
      channel.stderr.write('The fetch was aborted.\n')
      return 1
    } finally {
      stop()
    }
  })
}

/** Serves `git push`; returns the exit code, which is 0 for a push whose refs were refused. */
export async function servePush(transfer: SshTransfer): Promise<number> {
  const { app, requester, path, channel } = transfer
  const admitted = await authorizePush(app, requester, path)
  return withSlot(transfer, async () => {
    const repository = await existingRepository(admitted)
    const advertisement = await advertisePush(app.git, repository, { overHttp: false })
    await writeAll(advertisement, channel)
    const body = channel.pipe(new PassThrough())
    // While git works on what has arrived nothing is sent: for no longer than it may work.
    const limitMs = app.config.gitTransferLimits.cpuSeconds * 1000
    const stop = watchActivity(channel, [channel], limitMs)
    try {
      const answer = await acceptPush(app, { admitted, body, isDuplex: true })
      if (answer !== undefined) await writeAll(answer.stream, channel)
      await answer?.received
      return 0
    } finally {
      stop()
      channel.unpipe(body)
      body.destroy()
    }
  })
}

/** Waits for the client's own end: git fails if the connection is closed before it has said so. */
async function untilRead(channel: ServerChannel, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  for (const event of ['data', 'end', 'close']) channel.once(event, () => resolve())
  await promise
  clearTimeout(timer)
}

/** What git shows of an error. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof GitHttpError) return error.message
  if (error instanceof DomainError && error.code === 'too_many_requests') {
    return 'The server is busy. Try again later.'
  }
  if (error instanceof DomainError) return error.detail.message
  if (error instanceof GitError && error.code === 'aborted') return 'The connection was cut.'
  return undefined
}

/** Waits for a slot, and holds it while `work` runs. The signal ends with the channel. */
async function withSlot(
  { app, client, channel }: SshTransfer,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const closed = new AbortController()
  channel.once('close', () => closed.abort())
  if (channel.destroyed) closed.abort()
  const release = await gitTransferSlots(app).take(client, closed.signal)
  try {
    return await work(closed.signal)
  } finally {
    release()
  }
}

/** Writes a stream at the client's pace. @throws the stream's error, or one for a closed channel */
async function writeAll(stream: Readable, channel: ServerChannel): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cut = () => reject(new GitError('aborted', 'the client disconnected'))
  stream.once('end', resolve).once('error', reject)
  channel.once('close', cut)
  stream.pipe(channel, { end: false })
  try {
    await promise
  } finally {
    channel.off('close', cut)
  }
}

/**
 * Cuts a client when none of the streams, which are piped elsewhere, moves anything for `limitMs`;
 * returns what ends the watch.
 */
function watchActivity(
  channel: ServerChannel,
  streams: readonly Readable[],
  limitMs: number,
): () => void {
  const timer = setTimeout(() => channel.destroy(), limitMs)
  const touch = () => timer.refresh()
  for (const stream of streams) stream.on('data', touch)
  return () => {
    clearTimeout(timer)
    for (const stream of streams) stream.off('data', touch)
  }
}
