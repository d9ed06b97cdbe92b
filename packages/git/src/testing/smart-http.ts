// biome-ignore lint/style/noRestrictedImports: a real client speaks HTTP to these tests
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { gitEnvironment } from '../environment.ts'
import type { Git, Repository } from '../git.ts'
import {
  type ReceiveRequest,
  readReceiveRequest,
  readUpdatedRefs,
  reportStatusRefusal,
} from '../transport/receive-commands.ts'
import {
  advertiseRefs,
  receivePack,
  type TransportService,
  uploadPack,
} from '../transport/transport.ts'
import { runProcess } from './processes/run-process.ts'

/** A minimal smart HTTP server. */
export interface SmartServer {
  url: string
  /** The received pushes, with the refs that they actually changed. */
  pushes: { request: ReceiveRequest; updated: string[]; code: number | null }[]
  /** Refuses a push with reasons by ref; nothing is refused by default. */
  refuse: ((request: ReceiveRequest) => Record<string, string> | undefined) | undefined
  close(): Promise<void>
}

async function push(
  git: Git,
  repository: Repository,
  server: SmartServer,
  body: Readable,
  response: ServerResponse,
) {
  const request = await readReceiveRequest(body)
  const reasons = server.refuse?.(request)
  if (reasons) {
    body.resume()
    const { commands, capabilities } = request
    response.end(reportStatusRefusal(commands, capabilities, reasons, ['Ask your maintainer.']))
    return
  }
  const process = await receivePack(git, repository)
  await Promise.all([
    pipeline(body, process.stdin),
    pipeline(process.stdout, response, { end: false }),
  ])
  const { code } = await process.exit
  const updated = await readUpdatedRefs(git, repository, request.commands)
  server.pushes.push({ request, updated: updated.map(({ ref }) => ref), code })
  // The response ends last: a test may look for its push as soon as the client has exited.
  response.end()
}

async function serve(
  git: Git,
  repository: Repository,
  server: SmartServer,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = new URL(request.url ?? '', 'http://localhost')
  const protocol = request.headers['git-protocol']
  const options = typeof protocol === 'string' ? { protocol } : {}
  const name = url.searchParams.get('service') ?? url.pathname.split('/').at(-1) ?? ''
  const service = name.replace('git-', '') as TransportService
  if (request.method === 'GET') {
    response.setHeader('content-type', `application/x-git-${service}-advertisement`)
    const process = await advertiseRefs(git, repository, service, options)
    await pipeline(process.stdout, response)
    return
  }
  response.setHeader('content-type', `application/x-git-${service}-result`)
  const zipped = request.headers['content-encoding'] === 'gzip'
  const body: Readable = zipped ? request.pipe(createGunzip()) : request
  if (service === 'receive-pack') return push(git, repository, server, body, response)
  const process = await uploadPack(git, repository, options)
  await Promise.all([pipeline(body, process.stdin), pipeline(process.stdout, response)])
}

/** Serves one repository on a free port. */
export async function startSmartServer(git: Git, repository: Repository): Promise<SmartServer> {
  const listener = createServer((request, response) => {
    serve(git, repository, server, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const server: SmartServer = {
    url: `http://127.0.0.1:${port}/repository.git`,
    pushes: [],
    refuse: undefined,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
  return server
}

/** Runs a git client without blocking the server that it talks to; returns its code and output. */
export async function runClient(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const environment = { ...gitEnvironment(process.env), ...env }
  const { code, stdout, stderr } = await runProcess({ file: 'git', args, env: environment })
  return { code, output: `${stdout}${stderr}` }
}
