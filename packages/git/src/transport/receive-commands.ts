import type { Readable } from 'node:stream'
import { GitError } from '../git-error.ts'
import { flushPacket, packet, readPacket, sideBand } from '../parsing/pkt-line.ts'

/** The command of a push for one ref. */
export interface ReceiveCommand {
  /** In full: `refs/heads/main`. */
  ref: string
  /** The value that the pusher expects; `zeroOid` for a new ref. */
  oldOid: string
  /** `zeroOid` to delete it. */
  newOid: string
}

/** The head of a push. No commands at all means that a client only probes whether it may push. */
export interface ReceiveRequest {
  commands: ReceiveCommand[]
  capabilities: string[]
  /** Only if the client announced them. */
  pushOptions?: string[]
}

const maxHeadBytes = 16 * 1024 * 1024
const command = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)\n?$/

function addCommand(request: ReceiveRequest, line: string): void {
  if (line.startsWith('shallow ')) return
  const [text = '', capabilities] = line.split('\0')
  if (capabilities) request.capabilities = capabilities.trim().split(' ').filter(Boolean)
  const [, oldOid, newOid, ref] = command.exec(text) ?? []
  if (!oldOid || !newOid || !ref) throw new GitError('invalid', 'not a push command')
  request.commands.push({ ref, oldOid, newOid })
}

/** Parses the head of a push from chunks of any size, each byte once. */
interface HeadReader {
  /** Undefined while the head is incomplete. */
  push(chunk: Buffer): ReceiveRequest | undefined
  /** The bytes after the head, or those of an incomplete packet. */
  readonly rest: Buffer
}

function createHeadReader(): HeadReader {
  let rest: Buffer = Buffer.alloc(0)
  const request: ReceiveRequest = { commands: [], capabilities: [] }
  const addLine = (line: string) => {
    if (request.pushOptions) request.pushOptions.push(line.replace(/\n$/, ''))
    else addCommand(request, line)
  }
  /** Whether the head ends with this section: the options follow the commands. */
  const endSection = (): boolean => {
    if (request.pushOptions || !request.capabilities.includes('push-options')) return true
    request.pushOptions = []
    return false
  }
  return {
    get rest() {
      return rest
    },
    push(chunk) {
      const bytes = Buffer.concat([rest, chunk])
      let isComplete = false
      let at = 0
      for (let read = readPacket(bytes, at); read; read = readPacket(bytes, at)) {
        at = read.next
        if (read.data) addLine(read.data.toString('utf8'))
        else isComplete = endSection()
        if (isComplete) break
      }
      rest = bytes.subarray(at)
      return isComplete ? request : undefined
    },
  }
}

/**
 * Reads the head of a push from its body stream; afterwards the stream is at the start of the pack,
 * if there is one.
 * @throws GitError `invalid` for a body that is not a push, `output_limit` for a head over its
 * limits, `aborted` if it ends too early.
 */
export function readReceiveRequest(body: Readable): Promise<ReceiveRequest> {
  const reader = createHeadReader()
  let size = 0
  const { promise, resolve, reject } = Promise.withResolvers<ReceiveRequest>()
  const release = () => body.off('readable', read).off('end', cut).off('close', cut)
  const fail = (error: unknown) => {
    release()
    reject(error)
  }
  const cut = () => fail(new GitError('aborted', 'the push ended before its head was complete'))
  const take = (): ReceiveRequest | undefined => {
    for (let chunk = body.read(); chunk !== null; chunk = body.read()) {
      size += chunk.length
      const request = reader.push(chunk)
      if (request) return request
      if (size > maxHeadBytes) throw new GitError('output_limit', 'a push of too many refs')
    }
    return undefined
  }
  const read = () => {
    try {
      const request = take()
      if (!request) return
      // Synchronously: a stream that was read to its end would otherwise emit `end` in the next
      // tick.
      if (reader.rest.length > 0) body.unshift(reader.rest)
      release().off('error', fail)
      resolve(request)
    } catch (error) {
      fail(error)
    }
  }
  body.on('readable', read).on('end', cut).on('close', cut).on('error', fail)
  return promise
}

/** A message that the pusher sees as `remote:` lines, for a response in side bands. */
export function progressMessage(text: string): Buffer {
  return progress(Buffer.from(`${text}\n`))
}

/** Git's own progress, which the pusher sees in the same way. */
export function progress(text: Buffer): Buffer {
  return sideBand(2, text)
}

/** An empty packet, which keeps the connection open while git works. */
export const keepAlivePacket = packet(Buffer.from([1]))

/** Whether a client reads its response from packets with side bands. */
export function hasSideBand(capabilities: readonly string[]): boolean {
  return capabilities.includes('side-band-64k') || capabilities.includes('side-band')
}

/** The result of a push. */
export interface PushResult {
  /** Why the objects were not stored; absent: they were. */
  unpackError?: string
  /** Why refs did not change, by full name; absent for a push that changed all of them. */
  reasons?: Record<string, string>
  /** `remote:` lines for the pusher, for clients that support side bands. */
  messages?: readonly string[]
}

/**
 * A complete response of receive-pack. A push changes all of its refs or none: if one has a reason,
 * those without get a hint that another one was refused.
 */
export function reportStatus(
  { commands, capabilities }: Pick<ReceiveRequest, 'commands' | 'capabilities'>,
  { unpackError, reasons, messages = [] }: PushResult,
): Buffer {
  const wantsReport = capabilities.some((name) => name.startsWith('report-status'))
  const lines = commands.map(({ ref }) => {
    if (reasons === undefined) return packet(`ok ${ref}\n`)
    const reason = Object.hasOwn(reasons, ref) ? reasons[ref] : undefined
    return packet(`ng ${ref} ${oneLine(reason ?? 'another ref of this push was refused')}\n`)
  })
  const unpacked = packet(`unpack ${oneLine(unpackError ?? 'ok')}\n`)
  const report = wantsReport ? Buffer.concat([unpacked, ...lines, flushPacket]) : Buffer.alloc(0)
  if (!hasSideBand(capabilities)) return report
  return Buffer.concat([...messages.map(progressMessage), sideBand(1, report), flushPacket])
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ').trim()
}
