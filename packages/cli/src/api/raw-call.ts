import { createTransport } from '@stithy/client'
import type { Command } from 'commander'
import { findConnection } from '../account/connection.ts'
import { usageError } from '../cli-error.ts'
import type { CliIo } from '../cli-io.ts'
import { writeRaw } from './write-raw.ts'

interface RawOptions {
  method?: string
  field?: readonly string[]
  output?: string
  url?: string
  token?: string
}

/** `stithy api <path>`: sends a raw request, and writes the response unchanged. */
export function addRawCall(api: Command, io: CliIo): void {
  api
    .description('Send a request to a path of the REST API, and write the answer as it comes')
    .usage('<path> [options]')
    .argument('<path>', 'path with its query: /projects?membership=true')
    .option(
      '-X, --method <method>',
      'GET, POST, PUT, PATCH or DELETE (default: GET; POST with fields)',
    )
    .option('-f, --field <key=value>', 'parameter to send; may be repeated', append)
    .option('--output <file>', 'write the answer to a file')
    .option('--url <address>', 'address of the server')
    .option('--token <token>', 'token to call it with; others may see it in a list of processes')
    .allowExcessArguments(false)
    .action((path: string, options: RawOptions) => callRaw(path, options, io))
}

function append(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

async function callRaw(path: string, options: RawOptions, io: CliIo): Promise<void> {
  const fields = (options.field ?? []).map(readField)
  const method = (options.method ?? (fields.length === 0 ? 'GET' : 'POST')).toUpperCase()
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)) {
    throw usageError('--method must be one of GET, POST, PUT, PATCH, DELETE')
  }
  const connection = await findConnection(io, options.url, options.token)
  const transport = createTransport({ ...connection, userAgent: `stithy/${io.version}` })
  const { signal, release } = io.interruptible()
  try {
    const request = requestOf(method, path, fields)
    const { response } = await transport.send(request, { signal, timeout: 0 })
    await writeRaw(response, options.output, io.stdout, signal)
  } finally {
    release()
  }
}

function readField(text: string): [string, string] {
  const split = text.indexOf('=')
  if (split < 1) throw usageError('--field must be key=value')
  return [text.slice(0, split), text.slice(split + 1)]
}

function requestOf(method: string, address: string, fields: [string, string][]) {
  const [path = '', query = ''] = address.replace(/^\/api\/v4(?=\/)/, '').split(/\?(.*)/s)
  const request = { method, path, query, raw: true }
  if (fields.length === 0) return request
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    const body = new FormData()
    for (const [name, value] of fields) body.append(name, value)
    return { ...request, body }
  }
  const pairs = fields.map((pair) => pair.map(encodeURIComponent).join('='))
  return { ...request, query: [query, ...pairs].filter(Boolean).join('&') }
}
