import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'

/** A repository of another server. */
export interface Remote {
  /** An http or https URL, without credentials. */
  url: string
  /** The IP address that the host of the URL is connected to. */
  address: string
  /** The value of the `authorization` header. */
  authorization?: string | undefined
}

export interface FetchRemoteOptions {
  signal?: AbortSignal
  /** Milliseconds; default one hour. */
  timeoutMs?: number
  /** Bytes of the largest file that git may write, which is the pack; absent: any. */
  maxPackBytes?: number
}

const flags = [
  '--quiet',
  '--force',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  // The whole history, like no depth at all. But git asks a server without the smart protocol (of
  // "dumb" files) for no depth, and of those it neither checks the objects nor limits their sum.
  '--depth=2147483647',
]
const namespaces = ['refs/heads/', 'refs/tags/']
/** Names that neither the API nor a push accepts for a branch or tag. */
const refusedNames = ['-*', '@', 'HEAD', 'refs/heads/*', 'refs/remotes/*']
const refs = namespaces.flatMap((prefix) => [
  `+${prefix}*:${prefix}*`,
  ...refusedNames.map((name) => `^${prefix}${name}`),
])
/** Name of the environment variable with the header, which other users' `ps` would show as an argument. */
const authorizationVariable = 'STITHY_AUTHORIZATION'
const hourMs = 3_600_000

/**
 * Fetches all branches and tags of another server's repository. Git connects to the given address,
 * and follows no redirect. Nothing is written unless all of it has arrived and is valid.
 * @throws GitError `invalid`, `timeout`, `memory_limit`, `output_limit`, `aborted`, `failed`
 */
export async function fetchRemote(
  git: Git,
  repository: Repository,
  { url, address, authorization }: Remote,
  { maxPackBytes, ...options }: FetchRemoteOptions = {},
): Promise<void> {
  const settings = [
    'http.followRedirects=false',
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=60',
    ...pinning(url, address),
    'fetch.fsckObjects=true',
    // Old repositories have commits with impossible time zones, which harm nobody.
    'fetch.fsck.badTimezone=ignore',
  ]
  const args = [
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(authorization === undefined
      ? []
      : [`--config-env=http.extraHeader=${authorizationVariable}`]),
    ...['fetch', ...flags, '--', url, ...refs],
  ]
  const { transfer } = git.parts.limits
  await runIn(git, repository, args, {
    timeoutMs: hourMs,
    ...options,
    maxOutputBytes: 1024 * 1024,
    queued: false,
    limits: maxPackBytes === undefined ? transfer : { ...transfer, fileBytes: maxPackBytes },
    env: {
      GIT_ALLOW_PROTOCOL: 'http:https',
      ...(authorization === undefined
        ? {}
        : { [authorizationVariable]: `Authorization: ${authorization}` }),
    },
  })
  git.parts.objects.forget(repository.path)
}

/**
 * The settings by which git connects to an address whatever the host of the URL resolves to by then
 * (`CURLOPT_RESOLVE`); none for a URL with the address itself.
 * @throws GitError `invalid` for a name that curl would read as something else
 */
export function pinning(url: string, address: string): string[] {
  const { hostname, port, protocol } = new URL(url)
  if (hostname.startsWith('[')) return []
  // `-host` takes a pin back, and `+host` is the pin of another name.
  if (!/^[a-z0-9_]/.test(hostname)) throw new GitError('invalid', 'not a host name')
  const shownPort = port || (protocol === 'https:' ? '443' : '80')
  const shownAddress = address.includes(':') ? `[${address}]` : address
  return [`http.curloptResolve=${hostname}:${shownPort}:${shownAddress}`]
}
