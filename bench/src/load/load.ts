import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { loadScript } from '../paths.ts'
import { canPin, loadCore } from '../pinned.ts'
import type { LoadRequest, LoadResult } from './main.ts'

/** Results of one load run on one server. */
export interface Load {
  /** Completed requests. */
  requests: number
  /** Requests per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface LoadOptions {
  /** Concurrent connections; each has one request in flight. */
  connections?: number
  /** Sent as JSON by POST. */
  body?: object
}

/** Loads one URL from a separate process. Throws if any request fails. */
export async function load(
  url: string,
  headers: Record<string, string>,
  seconds: number,
  { connections = 8, body }: LoadOptions = {},
): Promise<Load> {
  const request: LoadRequest = { url, headers, seconds, connections }
  if (body !== undefined) request.body = JSON.stringify(body)
  const command = [process.execPath, loadScript, JSON.stringify(request)]
  if (canPin) command.unshift('taskset', '-c', String(loadCore))
  const [program = process.execPath, ...args] = command
  const { stdout } = await promisify(execFile)(program, args)
  const result = JSON.parse(stdout) as LoadResult
  if (result.failures > 0) throw new Error(`${result.failures} requests to ${url} failed`)
  const { requests, p50, p99 } = result
  return { requests, rate: requests / result.seconds, p50, p99 }
}
