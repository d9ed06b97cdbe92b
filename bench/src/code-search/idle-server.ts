import { createServer } from 'node:http'

/** Answers every request and does nothing else: what it waits for, it waits for the machine. */
const server = createServer((_request, response) => {
  response.end('ok')
})

process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
