import { type Document, matches, type Query, sorted } from './engine-query.ts'

/** A request, without what HTTP adds. */
export interface EngineCall {
  method: string
  path: string
  query: Record<string, string>
  text: string
}

export interface EngineReply {
  status: number
  body: unknown
}

interface Definition {
  mappings: { _source: { excludes: string[] }; properties: Record<string, object> }
  aliases: Record<string, object>
}

interface Stored {
  /** Null for a tombstone. */
  content: Document | null
  version: number
  seqNo: number
}

interface Index {
  definition: Definition
  documents: Map<string, Stored>
  /** What searches see. */
  visible: Map<string, Document>
  seqNo: number
}

class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string) {
    super(type)
    this.status = status
    this.type = type
  }
}

const conflict = 'version_conflict_engine_exception'
const known = new Set([
  'require_alias',
  'filter_path',
  'if_seq_no',
  'if_primary_term',
  'allow_partial_search_results',
])

/** Indices in memory; a function that answers calls. */
export function createIndices(): (call: EngineCall) => EngineReply {
  const indices = new Map<string, Index>()
  return (call) => {
    try {
      const body = process(indices, call)
      return { status: 200, body: filtered(body, call.query.filter_path) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, type } = error
      if (type === 'not_found') return { status, body: { found: false } }
      return { status, body: { error: { type, reason: `${type}: ${call.text}` }, status } }
    }
  }
}

function process(indices: Map<string, Index>, call: EngineCall): object {
  const { method, path, query, text } = call
  for (const name of Object.keys(query)) {
    if (!known.has(name)) throw new Refusal(400, 'illegal_argument_exception')
  }
  const [, name = '', action, id = ''] = path.split('/')
  if (action === undefined && method === 'PUT') return create(indices, name, JSON.parse(text))
  if (action === undefined && method === 'DELETE') {
    if (!indices.delete(name)) throw new Refusal(404, 'index_not_found_exception')
    return { acknowledged: true }
  }
  const index = [...indices.values()].find(({ definition }) => name in definition.aliases)
  const isBulk = action === '_bulk'
  if (index === undefined) {
    if (!isBulk) throw new Refusal(404, 'index_not_found_exception')
    return { errors: true, items: [failedItem(new Refusal(404, 'index_not_found_exception'))] }
  }
  if ((method === 'PUT' || isBulk) && query.require_alias !== 'true') {
    throw new Refusal(400, 'the index might be created without a definition')
  }
  if (isBulk && method === 'POST') return bulk(index, text)
  if (action === '_refresh' && method === 'POST') return refresh(index)
  if (action === '_search' && method === 'POST') return search(index, JSON.parse(text))
  if (action === '_create' && method === 'PUT') return createDocument(index, id, JSON.parse(text))
  if (action === '_doc') return document(index, id, call)
  throw new Refusal(400, 'invalid_index_name_exception')
}

function create(indices: Map<string, Index>, name: string, definition: Definition): object {
  if (indices.has(name)) throw new Refusal(400, 'resource_already_exists_exception')
  indices.set(name, { definition, documents: new Map(), visible: new Map(), seqNo: 0 })
  return { acknowledged: true }
}

function document(index: Index, id: string, { method, query, text }: EngineCall): object {
  const current = index.documents.get(id)
  const content = current?.content ?? null
  if (method === 'GET') {
    if (content === null) throw new Refusal(404, 'not_found')
    return { found: true, ...positionOf(current), _source: sourceOf(index, content) }
  }
  const isExpected = content !== null && Number(query.if_seq_no) === current?.seqNo
  if (!isExpected || query.if_primary_term !== '1') throw new Refusal(409, conflict)
  const version = (current?.version ?? 0) + 1
  if (method === 'DELETE') return store(index, id, { content: null, version })
  return store(index, id, { content: checked(index, JSON.parse(text)), version })
}

function createDocument(index: Index, id: string, content: Document): object {
  const current = index.documents.get(id)
  if (current && current.content !== null) throw new Refusal(409, conflict)
  const version = (current?.version ?? 0) + 1
  return store(index, id, { content: checked(index, content), version })
}

function store(index: Index, id: string, written: Omit<Stored, 'seqNo'>): object {
  const stored = { ...written, seqNo: index.seqNo }
  index.seqNo += 1
  index.documents.set(id, stored)
  return { result: 'done', ...positionOf(stored) }
}

function positionOf(stored: Stored | undefined) {
  return { _seq_no: stored?.seqNo, _primary_term: 1 }
}

/** The mapping is strict. */
function checked(index: Index, content: Document): Document {
  for (const name of Object.keys(content)) {
    if (!(name in index.definition.mappings.properties)) {
      throw new Refusal(400, 'strict_dynamic_mapping_exception')
    }
  }
  return content
}

/** What of a document can be read again. */
function sourceOf({ definition }: Index, content: Document): Document {
  const { excludes } = definition.mappings._source
  return Object.fromEntries(Object.entries(content).filter(([name]) => !excludes.includes(name)))
}

function bulk(index: Index, text: string): object {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Refusal(400, 'illegal_argument_exception')
  const items: object[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [[action, target] = []] = Object.entries<Record<string, unknown>>(
      JSON.parse(lines[at] ?? ''),
    )
    const { _id, version, version_type, ...rest } = target ?? {}
    const isVersioned = typeof version === 'number' && version_type === 'external_gte'
    if (!isVersioned || Object.keys(rest).length > 0) {
      throw new Refusal(400, 'illegal_argument_exception')
    }
    const content = action === 'delete' ? null : (JSON.parse(lines[++at] ?? '') as Document)
    items.push(writeItem(index, String(_id), { content, version }))
  }
  return { errors: items.some((item) => 'error' in Object.values(item)[0]), items }
}

function writeItem(
  index: Index,
  id: string,
  { content, version }: { content: Document | null; version: number },
): object {
  try {
    const current = index.documents.get(id)
    if (current !== undefined && version < current.version) throw new Refusal(409, conflict)
    if (content !== null) checked(index, content)
    store(index, id, { content, version })
    const isMissing = content === null && (current?.content ?? null) === null
    return { [content === null ? 'delete' : 'index']: { status: isMissing ? 404 : 200 } }
  } catch (error) {
    if (error instanceof Refusal) return failedItem(error)
    throw error
  }
}

function failedItem({ status, type }: Refusal): object {
  return { index: { status, error: { type, reason: type } } }
}

function refresh(index: Index): object {
  index.visible = new Map(
    [...index.documents].flatMap(([id, { content }]) => (content === null ? [] : [[id, content]])),
  )
  return { _shards: { total: 1, successful: 1, failed: 0 } }
}

interface Search extends Query {
  size: number
  _source: false | string[]
  track_total_hits?: false
}

function search(index: Index, body: Search): object {
  const { size, _source: wanted, query, sort, search_after, track_total_hits: _, ...rest } = body
  if (Object.keys(rest).length > 0) throw new Refusal(400, 'parsing_exception')
  const { properties } = index.definition.mappings
  const found = [...index.visible].filter(([, content]) => matches(properties, query, content))
  const hits = sorted(found, { sort, search_after }).slice(0, size)
  return {
    timed_out: false,
    hits: {
      hits: hits.map(({ id, content, position }) => ({
        _id: id,
        ...(wanted === false
          ? {}
          : { _source: pick(sourceOf(index, content), (name) => wanted.includes(name)) }),
        ...(sort === undefined ? {} : { sort: position }),
      })),
    },
  }
}

function pick(content: Document, isWanted: (name: string) => boolean): Document {
  return Object.fromEntries(Object.entries(content).filter(([name]) => isWanted(name)))
}

/** `filter_path`: the paths that are answered, where `*` is any name; empty objects are left out. */
function filtered(body: unknown, filterPath: string | undefined): unknown {
  if (filterPath === undefined) return body
  return (
    only(
      body,
      filterPath.split(',').map((path) => path.split('.')),
    ) ?? {}
  )
}

function only(value: unknown, paths: readonly string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => only(item, paths)).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const below = paths.filter(([first]) => first === name || first === '*')
    const kept =
      below.length === 0
        ? undefined
        : only(
            inner,
            below.map(([, ...rest]) => rest),
          )
    return kept === undefined ? [] : [[name, kept]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
