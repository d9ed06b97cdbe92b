import {
  constraintSchema,
  constraintSentence,
  type EndpointSpec,
  hasContent,
  maxPathParameterLength,
  needsParameters,
  parameterText,
  resourceTitle,
} from '@stithy/core'
import { type Json, objectMembers } from './openapi-schemas.ts'

/**
 * The parameters of an endpoint in the path, in the query and of pagination.
 * @param key the path in the document, which may have other names for its parameters
 */
export function requestParameters(endpoint: EndpointSpec, path: string, key: string): Json[] {
  return [
    ...pathParameters(endpoint, path, key),
    ...queryParameters(endpoint),
    ...(endpoint.paginated ? [common('Page'), common('PerPage')] : []),
    ...(endpoint.errors?.includes('precondition_failed') ? [common('IfUnmodifiedSince')] : []),
    ...(hasContent(endpoint) ? ['IfMatch', 'Range', 'IfRange'].map(common) : []),
  ]
}

function common(name: string): Json {
  return { $ref: `#/components/parameters/${name}` }
}

/** The parameters that many endpoints have in common. */
export const commonParameters: Json = {
  Page: {
    name: 'page',
    in: 'query',
    description: parameterText('', 'page'),
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
  },
  PerPage: {
    name: 'per_page',
    in: 'query',
    description: parameterText('', 'per_page'),
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'Delete only what has not been changed since this date, in the format of HTTP.',
    schema: { type: 'string', maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Send only bytes that have one of these entity tags.',
    schema: { type: 'string' },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description:
      'Send one range of the bytes, such as `bytes=0-99`; of several, all bytes are sent.',
    schema: { type: 'string' },
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description: 'Send all bytes if they do not have this entity tag, and the range if they do.',
    schema: { type: 'string' },
  },
}

function pathParameters(endpoint: EndpointSpec, path: string, key: string): Json[] {
  const shapes = endpoint.params === undefined ? {} : objectMembers(endpoint.params).properties
  const shown = Array.from(key.matchAll(/\{(\w+)\}/g), ([, name]) => name)
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ''], at) => ({
    name: shown[at],
    in: 'path',
    required: true,
    description: name === 'id' ? idText(path) : parameterText(resourceTitle(endpoint.name), name),
    schema: shapes[name] ?? { type: 'string', minLength: 1, maxLength: maxPathParameterLength },
  }))
}

/** What `:id` is the id of. */
function idText(path: string): string {
  if (path.startsWith('/projects/')) return 'ID or full path of the project, URL-encoded.'
  if (path.startsWith('/groups/')) return 'ID or full path of the group, URL-encoded.'
  if (path.startsWith('/namespaces/')) return 'ID or full path of the namespace, URL-encoded.'
  return 'ID of the user.'
}

function queryParameters(endpoint: EndpointSpec): Json[] {
  const { name: endpointName } = endpoint
  const { properties, required } = queryMembers(endpoint)
  return Object.entries(properties).map(([name, schema]) => ({
    name: schema.type === 'array' ? `${name}[]` : name,
    in: 'query',
    required: required.includes(name),
    description: parameterText(resourceTitle(endpointName), name),
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject' } : {}),
  }))
}

/** The query, with what comes beside a file that is sent as JSON; in a form it is in the body. */
function queryMembers({ query, body, jsonFile }: EndpointSpec) {
  if (query !== undefined) return objectMembers(query)
  if (body === undefined || jsonFile === undefined) return { properties: {}, required: [] }
  const { [jsonFile.field]: _, ...properties } = objectMembers(body).properties
  return { properties, required: [] }
}

/** The schema of the body of an endpoint's requests; undefined without one. */
export function bodySchema({ name: endpointName, body, constraints = [] }: EndpointSpec) {
  if (body === undefined) return undefined
  const { properties, required } = objectMembers(body)
  for (const [name, property] of Object.entries(properties)) {
    property.description ??= parameterText(resourceTitle(endpointName), name)
  }
  const rules = constraints.map(constraintSchema)
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(rules.length > 0 ? { allOf: rules } : {}),
  }
}

/**
 * The body of a request, in each of the encodings that clients may choose.
 * @param schema the reference to the schema of the body
 */
export function requestBody(endpoint: EndpointSpec, schema: Json): Json {
  const { body, constraints = [], jsonFile } = endpoint
  if (body === undefined) return {}
  if (jsonFile !== undefined) return fileBody(schema)
  const { properties, required } = objectMembers(body)
  const files = Object.keys(properties).filter((name) => properties[name]?.format === 'binary')
  const hasFile = files.length > 0
  // No other encoding has files.
  const needsFile = files.some((name) => required.includes(name))
  const mediaTypes = needsFile
    ? ['multipart/form-data']
    : ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json']
  const needed = required.length > 0 || constraints.some(needsParameters)
  return {
    requestBody: {
      required: needed,
      content: Object.fromEntries(
        (hasFile ? mediaTypes : mediaTypes.toReversed()).map((type) => [type, { schema }]),
      ),
    },
  }
}

/** A file of a form, or JSON with its content. */
function fileBody(schema: Json): Json {
  const content = {
    'multipart/form-data': { schema },
    'application/json': { schema: { description: 'The content of the file.' } },
  }
  return { requestBody: { required: true, content } }
}

/** The sentences on what several parameters must be together. */
export function constraintText({ constraints = [] }: EndpointSpec): string {
  return constraints.map(constraintSentence).join(' ')
}
