import type { GitProcess } from '../broker/git-process.ts'
import type { Git, Repository } from '../git.ts'
import { flushPacket, packet } from '../parsing/pkt-line.ts'
import { zeroOid } from '../refs/refs.ts'
import { type ForwardOnly, hookSettings } from './push-hook.ts'

/** The two services of git's smart protocol. */
export type TransportService = 'upload-pack' | 'receive-pack'

/** How a service is run. */
export interface TransportOptions {
  /** What the client asked for, as in the `Git-Protocol` header: `version=2`. */
  protocol?: string
  /** Ends git when it is aborted. */
  signal?: AbortSignal
  /** Milliseconds after which git is ended; absent: never. */
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
  options: TransportOptions & { input: boolean; gentle?: boolean; before?: string[] },
): Promise<GitProcess> {
  const { protocol, before = [], ...rest } = options
  // upload-pack's `--strict` keeps it from looking for `path.git` and the like.
  const strict = service === 'upload-pack' ? ['--strict'] : []
  const env: Record<string, string> = { ...options.env }
  if (protocol && acceptedProtocol.test(protocol)) env.GIT_PROTOCOL = protocol
  const args = [...before, service, ...strict, '--stateless-rpc', ...flags, repository.path]
  return git.parts.starter.start({ ...rest, args, env })
}

/**
 * What a service offers, for `GET info/refs`: the refs, or the capabilities of protocol 2. The
 * stream starts with the `# service=` line that HTTP wants before protocols 0 and 1.
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

/** What receive-pack can do, as it says where there are no refs to say it beside. */
const receiveCapabilities =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1'

/** What `advertiseRefs` gives for pushes to an empty repository, for one that does not exist yet. */
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
 * Serves a fetch: the request's body goes to `stdin`, which must be ended, the answer comes from
 * `stdout`. Nothing is held in memory; destroying `stdout` ends git. Where very many are served it waits
 * for its turn.
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

/** How a push is taken. */
export interface ReceiveOptions extends TransportOptions {
  /** Refs that may not lose history. */
  forwardOnly?: ForwardOnly | undefined
  /** Bytes of a pack beyond which the push is refused; 0 or absent: any. */
  maxInputBytes?: number
}

/**
 * Takes a push, in the same way. Its objects stay in quarantine until all is there and checked: a
 * stream that breaks off leaves the repository as it was, so destroy `stdin` (or `kill`) when the
 * sender is gone. Once all has arrived git goes through with it, reader or no reader. Where one of
 * the refs in `forwardOnly` would lose history, the whole push is refused from within.
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
    gentle: true,
  })
}
