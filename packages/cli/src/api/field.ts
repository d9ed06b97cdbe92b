import {
  type EndpointSpec,
  type FieldMeta,
  fieldMeta,
  type PathParameter,
  parameterNoun,
  pathParameters,
} from '@stithy/core'

/** The type of a parameter on the command line. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'word'
  | 'list'
  | 'map'
  | 'file'
  | 'json'

/** One parameter of an endpoint on the command line. */
export interface Field {
  /** The name in the SDK's input: that on the wire, or for a path parameter its camel-case name. */
  name: string
  /** Whether it is part of the path, and so distinguishes endpoints with the same name. */
  inPath: boolean
  /** Whether another parameter has the name of what this path parameter identifies: `project`. */
  isAmbiguous?: boolean
  kind: FieldKind
  required: boolean
  /** The allowed values of an enumeration, or of a list's elements; empty if unrestricted. */
  words: readonly string[]
  /** The type of a list's elements. */
  item: Exclude<FieldKind, 'list'>
  /** Whether a list may be given as one text with commas. */
  takesCommas: boolean
  hint: string
}

/** The part of a schema that is used; zod's own types provide no more for an unknown one. */
interface Schema {
  def: {
    type: string
    innerType?: Schema
    element?: Schema
    valueType?: Schema
    entries?: Record<string, string | number>
    values?: readonly unknown[]
    defaultValue?: unknown
  }
  isOptional: () => boolean
  meta: () => { description?: string } | undefined
}

type Wire = FieldMeta['wire']

/** All parameters of an endpoint: path parameters first, pagination last. */
export function fieldsOf(endpoint: EndpointSpec): Field[] {
  const rest = { ...endpoint.query?.shape, ...endpoint.body?.shape }
  return [
    ...pathParameters(endpoint.path).map((parameter) => ({
      ...pathField(endpoint, parameter),
      isAmbiguous: Object.hasOwn(rest, parameterNoun(parameter.input)),
    })),
    ...Object.entries(rest).map(([name, schema]) => fieldOf(name, asSchema(schema))),
    ...(endpoint.paginated ? pageFields : []),
  ]
}

const plain = { inPath: false, words: [], item: 'text', takesCommas: false } as const

const pageFields: readonly Field[] = [
  {
    ...plain,
    name: 'page',
    kind: 'integer',
    required: false,
    hint: 'number of the page (default: 1)',
  },
  {
    ...plain,
    name: 'per_page',
    kind: 'integer',
    required: false,
    hint: 'items on a page, 100 at the most (default: 20)',
  },
]

/** What an id parameter also accepts. */
const idHints: Readonly<Record<string, string>> = {
  projectId: 'ID or full path of the project',
  groupId: 'ID or full path of the group',
  namespaceId: 'ID or full path of the namespace',
  userId: 'ID or username of the user',
  labelId: 'ID or title of the label',
}

function pathField(endpoint: EndpointSpec, { wire, input: name }: PathParameter): Field {
  const schema = endpoint.params?.shape[wire]
  if (schema !== undefined) {
    return { ...fieldOf(name, asSchema(schema)), inPath: true, required: true }
  }
  const hint = idHints[name] ?? 'text'
  return { ...plain, name, inPath: true, kind: 'text', required: true, hint }
}

/** Zod types the fields of an unknown object only as schemas. */
function asSchema(schema: unknown): Schema {
  return schema as Schema
}

function fieldOf(name: string, schema: Schema): Field {
  const { description, fallback } = outside(schema)
  const wire = wireOf(schema)
  const field = { name, required: !schema.isOptional(), ...shapeOf(wire) }
  // A list field may be sent as one text with commas; a plain array schema accepts only arrays.
  const takesCommas = field.kind === 'list' && fieldMeta(schema) !== undefined
  const hints = [wire.description ?? description, hintOf(field, wire)]
  const shown = fallback === undefined ? '' : ` (default: ${JSON.stringify(fallback)})`
  return { ...field, takesCommas, hint: hints.filter(Boolean).join('; ') + shown }
}

/** The description and default of the wrappers around a schema. */
function outside(schema: Schema): { description?: string; fallback?: unknown } {
  let description: string | undefined
  for (let current: Schema | undefined = schema; current; current = current.def.innerType) {
    description ??= current.meta()?.description
    if (current.def.type === 'default') return { description, fallback: current.def.defaultValue }
  }
  return { description }
}

/** The JSON schema of a field's wire form: its own, or that of a plain zod schema. */
function wireOf(schema: Schema): Wire {
  const meta = fieldMeta(schema)
  if (meta !== undefined) return meta.wire
  const { type, innerType, element, valueType, entries, values } = schema.def
  if (innerType !== undefined) return wireOf(innerType)
  if (type === 'array' && element !== undefined) return { type, items: wireOf(element) }
  if (type === 'enum') return { type: 'string', enum: Object.values(entries ?? {}) }
  if (type === 'literal') return { type: typeof values?.[0], enum: values ?? [] }
  if (type === 'record' && valueType !== undefined) {
    return { type: 'object', additionalProperties: wireOf(valueType) }
  }
  return ['string', 'number', 'boolean'].includes(type) ? { type } : {}
}

type Shape = Pick<Field, 'inPath' | 'kind' | 'words' | 'item' | 'takesCommas'>

function shapeOf(wire: Wire): Shape {
  const type = typeOf(wire)
  if (type === 'array') {
    const { kind, words } = shapeOf((wire.items ?? {}) as Wire)
    return kind === 'list'
      ? { ...plain, kind: 'json' }
      : { ...plain, kind: 'list', item: kind, words }
  }
  if (type === 'object') return { ...plain, kind: isTextMap(wire) ? 'map' : 'json' }
  if (wire.format === 'binary') return { ...plain, kind: 'file' }
  if (wire.enum !== undefined) return { ...plain, kind: 'word', words: wire.enum.map(String) }
  if (wire.anyOf !== undefined || type === 'string') return { ...plain, kind: 'text' }
  if (type === 'integer' || type === 'number' || type === 'boolean') return { ...plain, kind: type }
  return { ...plain, kind: 'json' }
}

/** The first type that isn't null. */
function typeOf({ type }: Wire): string | undefined {
  return Array.isArray(type) ? type.find((each) => each !== 'null') : type
}

function isTextMap({ additionalProperties }: Wire): boolean {
  const type = (additionalProperties as Wire | undefined)?.type
  return type === 'string'
}

function hintOf({ kind, item, words }: Shape, wire: Wire): string {
  if (words.length > 0) return `${kind === 'list' ? 'any of' : 'one of'}: ${words.join(', ')}`
  if (kind === 'list')
    return item === 'text' ? 'may be repeated' : `${nouns[item]}; may be repeated`
  if (wire.format === 'date') return 'day as YYYY-MM-DD'
  if (wire.format === 'date-time') return 'timestamp in ISO 8601'
  const { minimum, maximum } = wire
  if (minimum !== undefined && maximum !== undefined)
    return `${nouns[kind]}, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${nouns[kind]}, ${minimum} or more`
  return nouns[kind]
}

const nouns: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  word: 'word',
  list: 'list',
  map: 'key=value; may be repeated',
  file: 'file to send',
  json: 'JSON',
}
