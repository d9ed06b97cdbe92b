import type { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { flushPacket, packet, readPacket, sideBand } from '../parsing/pkt-line.ts'
import { zeroOid } from '../refs/refs.ts'

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

function parseCommands(lines: string[]): ReceiveRequest {
  const request: ReceiveRequest = { commands: [], capabilities: [] }
  for (const line of lines) {
    if (line.startsWith('shallow ')) continue
    const [text = '', capabilities] = line.split('\0')
    if (capabilities) request.capabilities = capabilities.trim().split(' ').filter(Boolean)
    const [, oldOid, newOid, ref] = command.exec(text) ?? []
    if (!oldOid || !newOid || !ref) throw new GitError('invalid', 'not a push command')
    request.commands.push({ ref, oldOid, newOid })
  }
  return request
}

/** Parses the head of a push from chunks of any size, each byte once. */
interface HeadReader {
  /** Undefined while the head is incomplete. */
  push(chunk: Buffer): ReceiveRequest | undefined
}

function createHeadReader(): HeadReader {
  let rest = Buffer.alloc(0)
  let lines: string[] = []
  let request: ReceiveRequest | undefined
  const endSection = (): ReceiveRequest | undefined => {
    const section = lines
    lines = []
    if (request) return { ...request, pushOptions: section.map((line) => line.replace(/\n$/, '')) }
    request = parseCommands(section)
    return request.capabilities.includes('push-options') ? undefined : request
  }
  return {
    push(chunk) {
      const bytes = Buffer.concat([rest, chunk])
      let at = 0
      for (let read = readPacket(bytes, at); read; read = readPacket(bytes, at)) {
        at = read.next
        if (read.data) lines.push(read.data.toString('utf8'))
        const complete = read.data ? undefined : endSection()
        if (complete) return complete
      }
      rest = bytes.subarray(at)
      return undefined
    },
  }
}

/**
 * Parses the head of a receive-pack request; undefined if it is incomplete.
 * @throws GitError `invalid` if it is not a push.
 */
export function parseReceiveRequest(bytes: Buffer): ReceiveRequest | undefined {
  return createHeadReader().push(bytes)
}

/**
 * Moves the available chunks of the stream into `taken`; returns the request once its head is
 * complete.
 */
function readHead(body: Readable, reader: HeadReader, taken: { chunks: Buffer[]; size: number }) {
  let request: ReceiveRequest | undefined
  for (let chunk = body.read(); chunk !== null; chunk = body.read()) {
    taken.chunks.push(chunk)
    taken.size += chunk.length
    request = reader.push(chunk)
    if (request) break
    if (taken.size > maxHeadBytes) throw new GitError('output_limit', 'a push of too many refs')
  }
  return request
}

/** The same push made atomic, whether or not its client requested that. */
function asAtomic(bytes: Buffer, { capabilities, commands }: ReceiveRequest): Buffer {
  if (commands.length < 2 || capabilities.includes('atomic')) return bytes
  for (
    let at = 0, read = readPacket(bytes, at);
    read;
    at = read.next, read = readPacket(bytes, at)
  ) {
    // The first command carries the capabilities, after a NUL.
    if (!read.data?.includes(0)) continue
    const line = read.data.toString('latin1').replace(/ ?\n?$/, ' atomic\n')
    const rewritten = packet(Buffer.from(line, 'latin1'))
    return Buffer.concat([bytes.subarray(0, at), rewritten, bytes.subarray(read.next)])
  }
  return bytes
}

/**
 * Reads the head of a push from its body stream and puts every byte back: afterwards the stream is
 * at its start and can be passed to `receivePack`. With `atomic`, git changes all refs of the push
 * or none.
 * @throws GitError `invalid` for a body that is not a push, `output_limit` for a head over 16 MiB,
 * `aborted` if it ends too early.
 */
export function readReceiveRequest(
  body: Readable,
  { atomic = false }: { atomic?: boolean } = {},
): Promise<ReceiveRequest> {
  const taken = { chunks: [], size: 0 }
  const reader = createHeadReader()
  const { promise, resolve, reject } = Promise.withResolvers<ReceiveRequest>()
  const release = () => body.off('readable', read).off('end', cut).off('close', cut)
  const fail = (error: unknown) => {
    release()
    reject(error)
  }
  const cut = () => fail(new GitError('aborted', 'the push ended before its head was complete'))
  const read = () => {
    try {
      const request = readHead(body, reader, taken)
      if (!request) return
      // Synchronously: a stream that was read to its end would otherwise emit `end` in the next
      // tick.
      const bytes = Buffer.concat(taken.chunks)
      body.unshift(atomic ? asAtomic(bytes, request) : bytes)
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
  return sideBand(2, Buffer.from(`${text}\n`))
}

function sideBandWanted(capabilities: string[]): boolean {
  return capabilities.includes('side-band-64k') || capabilities.includes('side-band')
}

/**
 * A complete response of receive-pack that refuses a push: every ref with its reason, or with a hint
 * that another one was refused. `messages` reach the pusher as `remote:` lines if the client
 * supports side bands.
 */
export function reportStatusRefusal(
  commands: ReceiveCommand[],
  capabilities: string[],
  reasonByRef: Record<string, string>,
  messages: string[] = [],
): Buffer {
  const wantsReport = capabilities.some((name) => name.startsWith('report-status'))
  const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, ' ').trim()
  const lines = commands.map(({ ref }) => {
    const reason = Object.hasOwn(reasonByRef, ref) ? reasonByRef[ref] : undefined
    return packet(`ng ${ref} ${oneLine(reason ?? 'another ref of this push was refused')}\n`)
  })
  const report = wantsReport
    ? Buffer.concat([packet('unpack ok\n'), ...lines, flushPacket])
    : undefined
  if (!sideBandWanted(capabilities)) return report ?? Buffer.alloc(0)
  const progress = messages.map(progressMessage)
  return Buffer.concat([...progress, sideBand(1, report ?? Buffer.alloc(0)), flushPacket])
}

/**
 * Finds the commands of a push that took effect, by the current refs: call it after receive-pack
 * has ended.
 */
export async function readUpdatedRefs(
  git: Git,
  repository: Repository,
  commands: ReceiveCommand[],
): Promise<ReceiveCommand[]> {
  const now = await Promise.all(
    commands.map(({ ref }) => git.parts.objects.ask(repository.path, 'info', ref)),
  )
  return commands.filter(({ newOid, oldOid }, index) => {
    if (newOid === oldOid) return false
    return (now[index]?.oid ?? zeroOid) === newOid
  })
}
