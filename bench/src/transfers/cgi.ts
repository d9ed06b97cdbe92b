import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A program of the Common Gateway Interface (RFC 3875), and its environment. */
interface CgiProgram {
  command: string
  args?: readonly string[]
  env: Readonly<Record<string, string>>
}

/** Answers a request with one process, whose input and output are the bodies. */
export function runCgi(
  { command, args = [], env: own }: CgiProgram,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const { headers } = request
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    REQUEST_METHOD: request.method ?? '',
    PATH_INFO: decodeURIComponent(path),
    QUERY_STRING: query,
    CONTENT_TYPE: headers['content-type'] ?? '',
    ...own,
  }
  if (headers['content-length'] !== undefined) env.CONTENT_LENGTH = headers['content-length']
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  answer(child.stdout, response)
}

/** The output starts with header lines of its own, up to an empty line. */
function answer(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const { end, length } = endOfHead(head)
    if (end < 0) return
    output.off('data', read)
    for (const line of head.toString('latin1', 0, end).split(/\r?\n/)) {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + length))
    output.pipe(response)
  }
  output.on('data', read)
}

/** Some programs end lines with a line feed alone. */
function endOfHead(head: Buffer): { end: number; length: number } {
  const end = head.indexOf('\r\n\r\n')
  return end < 0 ? { end: head.indexOf('\n\n'), length: 2 } : { end, length: 4 }
}
