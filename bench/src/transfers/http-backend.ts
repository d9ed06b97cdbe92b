import { createServer } from 'node:http'
import { runCgi } from './cgi.ts'

/** Git's own HTTP server, `git http-backend`. Serves the folder `BENCH_REPOSITORIES` to everyone, pushes included. */
const server = createServer((request, response) => {
  if (request.url === '/-/liveness') {
    response.end('ok')
    return
  }
  const { headers } = request
  const env = {
    GIT_PROJECT_ROOT: process.env.BENCH_REPOSITORIES ?? '',
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    REMOTE_USER: 'bench',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
  }
  runCgi({ command: 'git', args: ['http-backend'], env }, request, response)
})

process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
