// biome-ignore lint/style/noRestrictedImports: a real client speaks HTTP to these tests
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { gitEnvironment } from '../environment.ts'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { updateRefs, zeroOid } from '../refs/refs.ts'
import { withQuarantine } from '../transport/quarantine.ts'
import {
  type ReceiveRequest,
  readReceiveRequest,
  reportStatus,
} from '../transport/receive-commands.ts'
import {
  advertiseFetch,
  advertisePush,
  type TransportService,
  uploadPack,
} from '../transport/transport.ts'
import { runProcess } from './processes/run-process.ts'

/** A minimal smart HTTP server. */
export interface SmartServer {
  url: string
  /** The pushes that were not refused by `refuse`. */
  pushes: ReceiveRequest[]
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
    response.end(reportStatus(request, { reasons, messages: ['Ask your maintainer.'] }))
    return
  }
  const answer = await receive(git, repository, request, body)
  // The response ends last: a test may look for its push as soon as the client has exited.
  server.pushes.push(request)
  response.end(answer)
}

async function receive(
  git: Git,
  repository: Repository,
  request: ReceiveRequest,
  body: Readable,
): Promise<Buffer> {
  const text: Buffer[] = []
  try {
    await withQuarantine(git, repository, async (quarantine) => {
      const oids = request.commands.map(({ newOid }) => newOid).filter((oid) => oid !== zeroOid)
      const onOutput = (part: Buffer) => text.push(part)
      if (oids.length > 0) await quarantine.receive(body, { onOutput })
      if (!(await quarantine.isComplete(oids))) throw new GitError('invalid', 'objects are missing')
      await quarantine.accept()
      await updateRefs(git, repository, request.commands)
    })
  } catch (error) {
    const messages = [Buffer.concat(text).toString(), String(error)]
    return reportStatus(request, { unpackError: 'failed', reasons: {}, messages })
  }
  return reportStatus(request, {})
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
    if (service === 'receive-pack') return pipeline(await advertisePush(git, repository), response)
    return pipeline((await advertiseFetch(git, repository, options)).stdout, response)
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
