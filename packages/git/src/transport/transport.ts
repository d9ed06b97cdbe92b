import type { GitProcess } from '../broker/git-process.ts'
import type { Git, Repository } from '../git.ts'
import { flushPacket, packet } from '../parsing/pkt-line.ts'
import { zeroOid } from '../refs/refs.ts'
import { type ForwardOnly, hookSettings } from './push-hook.ts'

/** The two services of git's smart protocol. */
export type TransportService = 'upload-pack' | 'receive-pack'

/** Options of a service. */
export interface TransportOptions {
  /** The protocol requested by the client, as in the `Git-Protocol` header: `version=2`. */
  protocol?: string
  /** Kills git when it is aborted. */
  signal?: AbortSignal
  /** Milliseconds after which git is killed; absent: never. */
  timeoutMs?: number
  /** Added to git's environment. */
  env?: Record<string, string>
}

const acceptedProtocol = /^[a-z0-9=:.-]{1,200}$/i

function start(
  git: Git,
  repository: Repository,
  service: TransportService,
  flags: string[],
  options: TransportOptions & { input: boolean; graceful?: boolean; before?: string[] },
): Promise<GitProcess> {
  const { protocol, before = [], ...rest } = options
  // upload-pack's `--strict` prevents it from trying `path.git` and the like.
  const strict = service === 'upload-pack' ? ['--strict'] : []
  const env: Record<string, string> = { ...options.env }
  if (protocol && acceptedProtocol.test(protocol)) env.GIT_PROTOCOL = protocol
  const args = [...before, service, ...strict, '--stateless-rpc', ...flags, repository.path]
  return git.parts.spawner.start({ ...rest, args, env })
}

/**
 * The advertisement of a service for `GET info/refs`: the refs, or the capabilities of protocol 2.
 * The stream starts with the `# service=` line that HTTP requires for protocols 0 and 1.
 */
export async function advertiseRefs(
  git: Git,
  repository: Repository,
  service: TransportService,
  options: TransportOptions = {},
): Promise<GitProcess> {
  const isVersion2 = service === 'upload-pack' && /(^|:)version=2($|:)/.test(options.protocol ?? '')
  const flags = ['--http-backend-info-refs']
  const process = await start(git, repository, service, flags, { ...options, input: false })
  if (isVersion2) return process
  process.stdout.unshift(Buffer.concat([packet(`# service=git-${service}\n`), flushPacket]))
  return process
}

/** The capabilities that receive-pack advertises if there are no refs. */
const receiveCapabilities =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1'

/**
 * The advertisement of `advertiseRefs` for pushes to an empty repository, for one that doesn't
 * exist yet.
 */
export function advertiseEmpty(git: Git): Buffer {
  const capabilities = `${receiveCapabilities} agent=git/${git.version}`
  return Buffer.concat([
    packet('# service=git-receive-pack\n'),
    flushPacket,
    packet(`${zeroOid} capabilities^{}\0${capabilities}\n`),
    flushPacket,
  ])
}

/**
 * Serves a fetch: pipe the request's body to `stdin`, which must be ended, and the response from
 * `stdout`. Nothing is held in memory; destroying `stdout` ends git. Waits while the maximum number
 * of fetches is being served.
 */
export async function uploadPack(
  git: Git,
  repository: Repository,
  options: TransportOptions = {},
): Promise<GitProcess> {
  const release = await git.parts.fetches.take()
  try {
    const process = await start(git, repository, 'upload-pack', [], { ...options, input: true })
    void process.exit.then(release)
    return process
  } catch (error) {
    release()
    throw error
  }
}

/** Options of a push. */
export interface ReceiveOptions extends TransportOptions {
  /** Refs that may not lose history. */
  forwardOnly?: ForwardOnly | undefined
  /** Maximum bytes of a pack; 0 or absent: unlimited. */
  maxInputBytes?: number
}

/**
 * Serves a push, in the same way. Its objects stay in quarantine until all have arrived and are
 * checked: an interrupted stream leaves the repository unchanged, so destroy `stdin` (or `kill`)
 * when the sender disconnects. Once all have arrived, git completes the push with or without a
 * reader. If one of the refs in `forwardOnly` would lose history, the hook refuses the whole push.
 */
export async function receivePack(
  git: Git,
  repository: Repository,
  options: ReceiveOptions = {},
): Promise<GitProcess> {
  const { forwardOnly, maxInputBytes = 0, ...rest } = options
  const hook = forwardOnly && hookSettings(await git.parts.hooks.prepare(), forwardOnly)
  return start(git, repository, 'receive-pack', [], {
    ...rest,
    env: { ...rest.env, ...hook?.env },
    before: ['-c', `receive.maxInputSize=${Math.floor(maxInputBytes)}`, ...(hook?.flags ?? [])],
    input: true,
    graceful: true,
  })
}
