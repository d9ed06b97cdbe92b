import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { runCgi } from '../transfers/cgi.ts'
import { cgitProgram, cgitStyle } from './cgit.ts'

/** The pages of cgit, one process for each, with the configuration in the file `BENCH_CGIT_CONFIG`. */
const style = readFileSync(cgitStyle)

const server = createServer((request, response) => {
  if (request.url === '/-/liveness') {
    response.end('ok')
  } else if (request.url === '/cgit.css') {
    response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=3600' })
    response.end(style)
  } else {
    const env = {
      CGIT_CONFIG: process.env.BENCH_CGIT_CONFIG ?? '',
      SCRIPT_NAME: '',
      HTTP_HOST: request.headers.host ?? '',
      SERVER_NAME: '127.0.0.1',
      SERVER_PORT: process.env.BENCH_PORT ?? '',
    }
    runCgi({ command: cgitProgram, env }, request, response)
  }
})

process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
