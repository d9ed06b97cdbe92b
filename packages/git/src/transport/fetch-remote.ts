import { type Git, type Repository, runIn } from '../git.ts'

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
]
const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
/** Name of the environment variable with the header, which other users' `ps` would show as an argument. */
const authorizationVariable = 'STITHY_AUTHORIZATION'
const hourMs = 3_600_000

/**
 * Fetches all branches and tags of another server's repository. Git connects to the given address,
 * and follows no redirect. Nothing is written unless all of it has arrived and is valid.
 * @throws GitError `timeout`, `memory_limit`, `output_limit`, `aborted`, `failed`
 */
export async function fetchRemote(
  git: Git,
  repository: Repository,
  { url, address, authorization }: Remote,
  { maxPackBytes, ...options }: FetchRemoteOptions = {},
): Promise<void> {
  const { hostname, port, protocol } = new URL(url)
  const shownPort = port || (protocol === 'https:' ? '443' : '80')
  const shownAddress = address.includes(':') ? `[${address}]` : address
  const settings = [
    'http.followRedirects=false',
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=60',
    `http.curloptResolve=${hostname.replace(/^\[|\]$/g, '')}:${shownPort}:${shownAddress}`,
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
