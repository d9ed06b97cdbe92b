import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * Git's own HTTP server, `git http-backend`, with a minimal wrapper: one process per request, whose
 * input and output are the bodies. Serves the folder `BENCH_REPOSITORIES` to everyone, pushes
 * included.
 */
const server = createServer((request, response) => {
  if (request.url === '/-/liveness') response.end('ok')
  else serve(request, response)
})

function serve(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const { headers } = request
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    GIT_PROJECT_ROOT: process.env.BENCH_REPOSITORIES ?? '',
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    REMOTE_USER: 'bench',
    REQUEST_METHOD: request.method ?? '',
    PATH_INFO: decodeURIComponent(path),
    QUERY_STRING: query,
    CONTENT_TYPE: headers['content-type'] ?? '',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
  }
  if (headers['content-length'] !== undefined) env.CONTENT_LENGTH = headers['content-length']
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  answer(child.stdout, response)
}

/** The output starts with header lines of its own, up to an empty line. */
function answer(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    output.off('data', read)
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
    output.pipe(response)
  }
  output.on('data', read)
}

process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
