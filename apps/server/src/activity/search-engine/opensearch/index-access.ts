import { z } from 'zod'
import { SearchEngineError } from '../search-engine.ts'
import { type EngineClient, type EngineRequest, errorType, parseAnswer } from './http-client.ts'
import { definitionVersion, indexDefinition } from './index-definition.ts'

/** The index of an instance at an engine. */
export interface EngineIndex {
  client: EngineClient
  /** Its alias: writes to an index that was deleted would create one without a definition. */
  name: string
  /** Milliseconds of a look-up, a search and a write. */
  timeouts: { state: number; search: number; write: number }
  signal: AbortSignal
}

type IndexRequest = Omit<EngineRequest, 'signal' | 'timeoutMs'>

const requireAlias = { require_alias: 'true' }
const missingIndex = 'index_not_found_exception'
const anything = z.unknown()

/** A request to the index; undefined if there is no index, or not the document. */
export async function readIndex<T>(
  index: EngineIndex,
  request: IndexRequest,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const { client, name, timeouts, signal } = index
  const path = `/${name}${request.path}`
  const timeoutMs = request.method === 'GET' ? timeouts.state : timeouts.search
  const answer = await client.send({ ...request, path, timeoutMs, signal })
  if (answer.status === 404) {
    const { found } = (answer.body ?? {}) as { found?: unknown }
    if (found === false || errorType(answer) === missingIndex) return undefined
  }
  return parseAnswer(schema, answer)
}

/** A write to the index. Undefined if the document has changed since it was read. */
export async function writeDocument<T>(
  { client, name, timeouts, signal }: EngineIndex,
  request: IndexRequest,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const path = `/${name}${request.path}`
  const query = request.method === 'PUT' ? { ...request.query, ...requireAlias } : request.query
  const timeoutMs = timeouts.write
  const answer = await client.send({
    ...request,
    path,
    ...(query && { query }),
    timeoutMs,
    signal,
  })
  if (answer.status === 409) return undefined
  return parseAnswer(schema, answer)
}

const BulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(
    z.record(
      z.string(),
      z.object({ status: z.number(), error: z.object({ type: z.string() }).optional() }),
    ),
  ),
})

/** Writes entries. False if one of them was written with a later version. */
export async function writeEntries(
  { client, name, timeouts, signal }: EngineIndex,
  body: string,
): Promise<boolean> {
  const query = { ...requireAlias, filter_path: 'errors,items.*.status,items.*.error.type' }
  const path = `/${name}/_bulk`
  const timeoutMs = timeouts.write
  const answer = await client.send({ method: 'POST', path, query, body, timeoutMs, signal })
  const { errors, items } = parseAnswer(BulkAnswer, answer)
  if (!errors) return true
  // What is to be deleted may be missing: that has no error.
  const failed = items.flatMap((item) => Object.values(item)).filter(({ error }) => error)
  const other = failed.find(({ status }) => status !== 409)
  if (other !== undefined) {
    const type = errorType({ body: other }) ?? 'unknown'
    throw new SearchEngineError(`The search engine refused an entry: ${other.status} (${type})`)
  }
  return false
}

const RefreshAnswer = z.object({ _shards: z.object({ failed: z.literal(0) }) })

/** Makes what was written visible to searches. */
export async function refreshIndex({ client, name, timeouts, signal }: EngineIndex): Promise<void> {
  const path = `/${name}/_refresh`
  const request = { method: 'POST', path, timeoutMs: timeouts.write, signal } as const
  parseAnswer(RefreshAnswer, await client.send(request))
}

/** Creates the index, unless it is there. */
export async function ensureIndex({ client, name, timeouts, signal }: EngineIndex): Promise<void> {
  const answer = await client.send({
    method: 'PUT',
    path: `/${name}-v${definitionVersion}`,
    body: { ...indexDefinition, aliases: { [name]: {} } },
    timeoutMs: timeouts.write,
    signal,
  })
  if (answer.status === 400 && errorType(answer) === 'resource_already_exists_exception') return
  parseAnswer(anything, answer)
}
