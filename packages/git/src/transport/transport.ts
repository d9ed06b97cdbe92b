import { Readable } from 'node:stream'
import type { GitProcess } from '../broker/git-process.ts'
import type { Git, Repository } from '../git.ts'
import { flushPacket, packet } from '../parsing/pkt-line.ts'
import { type RefSnapshot, readRefs } from '../refs/ref-snapshot.ts'
import { zeroOid } from '../refs/refs.ts'

/** The two services of git's smart protocol. */
export type TransportService = 'upload-pack' | 'receive-pack'

/** Options of a fetch. */
export interface TransportOptions {
  /** The protocol requested by the client, as in the `Git-Protocol` header: `version=2`. */
  protocol?: string
  /** Kills git when it is aborted. */
  signal?: AbortSignal
  /** Milliseconds after which git is killed; absent: never. */
  timeoutMs?: number
}

const acceptedProtocol = /^[a-z0-9=:.-]{1,200}$/i

/** How a fetch is served: `--stateless-rpc` for HTTP, where each request is answered on its own. */
function start(
  git: Git,
  repository: Repository,
  flags: string[],
  options: TransportOptions & { input: boolean },
): Promise<GitProcess> {
  const { protocol, ...rest } = options
  const isAccepted = protocol !== undefined && acceptedProtocol.test(protocol)
  const env: Record<string, string> = isAccepted ? { GIT_PROTOCOL: protocol } : {}
  // `--strict` prevents it from trying `path.git` and the like.
  const args = ['upload-pack', '--strict', ...flags, repository.path]
  return git.parts.spawner.start({ ...rest, args, env, limits: git.parts.limits.transfer })
}

/** The line that HTTP requires before an advertisement of protocols 0 and 1. */
function serviceLine(service: TransportService): Buffer {
  return Buffer.concat([packet(`# service=git-${service}\n`), flushPacket])
}

/**
 * The advertisement for `GET info/refs` of a fetch: the refs, or the capabilities of protocol 2.
 */
export async function advertiseFetch(
  git: Git,
  repository: Repository,
  options: TransportOptions = {},
): Promise<GitProcess> {
  const isVersion2 = /(^|:)version=2($|:)/.test(options.protocol ?? '')
  const flags = ['--stateless-rpc', '--http-backend-info-refs']
  const process = await start(git, repository, flags, { ...options, input: false })
  if (!isVersion2) process.stdout.unshift(serviceLine('upload-pack'))
  return process
}

const pushCapabilities =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1'

/** Refs per chunk: lines of a thousand refs take about a millisecond. */
const refsPerChunk = 1000

/**
 * The advertisement for `GET info/refs` of a push: all branches and tags, in protocol 0, which is
 * the only one of pushes. Absent `repository`: that of an empty one.
 */
export async function advertisePush(
  git: Git,
  repository?: Repository,
  { overHttp = true }: { overHttp?: boolean } = {},
): Promise<Readable> {
  const refs = repository && (await readRefs(git, repository))
  return Readable.from(pushAdvertisement(git, refs, overHttp), { objectMode: false })
}

function* pushAdvertisement(
  git: Git,
  refs: RefSnapshot | undefined,
  overHttp: boolean,
): Generator<Buffer, void> {
  const list = [
    ...[...(refs?.heads.values() ?? [])].map(({ name, oid }) => `${oid} refs/heads/${name}`),
    ...[...(refs?.tags.values() ?? [])].map(({ name, oid }) => `${oid} refs/tags/${name}`),
  ]
  const [first = `${zeroOid} capabilities^{}`, ...others] = list
  if (overHttp) yield serviceLine('receive-pack')
  yield packet(`${first}\0${pushCapabilities} agent=git/${git.version}\n`)
  for (let at = 0; at < others.length; at += refsPerChunk) {
    const lines = others.slice(at, at + refsPerChunk)
    yield Buffer.concat(lines.map((line) => packet(`${line}\n`)))
  }
  yield flushPacket
}

/**
 * Serves a fetch: pipe the request's body to `stdin`, which must be ended, and the response from
 * `stdout`. Nothing is held in memory; destroying `stdout` ends git.
 */
export function uploadPack(
  git: Git,
  repository: Repository,
  options: TransportOptions = {},
): Promise<GitProcess> {
  return start(git, repository, ['--stateless-rpc'], { ...options, input: true })
}

/**
 * Serves a fetch as one conversation, as over SSH: `stdout` starts with the advertisement, and git
 * ends by itself.
 */
export function uploadPackSession(
  git: Git,
  repository: Repository,
  options: TransportOptions = {},
): Promise<GitProcess> {
  return start(git, repository, [], { ...options, input: true })
}
