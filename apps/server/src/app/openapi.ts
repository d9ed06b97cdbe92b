import {
  type Auth,
  contracts,
  type EndpointSpec,
  type FieldMeta,
  resourceTitle,
} from '@stithy/core'
import { z } from 'zod'
import { version } from '../platform/version.ts'
import { operationIds } from './openapi-operation-ids.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the whole API, derived from the contracts. */
export function openApiDocument(externalUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [endpoint, operationId] of operationIds(contracts)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(operationId, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Stithy REST API', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${externalUrl}/api/v4` }],
    paths,
    components: { securitySchemes, responses: { Error: errorResponse } },
  }
}

const securitySchemes: Json = {
  privateToken: { type: 'apiKey', in: 'header', name: 'Private-Token' },
  bearer: { type: 'http', scheme: 'bearer' },
  privateTokenParameter: { type: 'apiKey', in: 'query', name: 'private_token' },
  session: { type: 'apiKey', in: 'cookie', name: '_service_session' },
}

const errorResponse: Json = {
  description: 'Why the call was refused',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          message: { description: 'A text, or texts by field' },
          error: { type: 'string' },
          error_description: { type: 'string' },
          scope: { type: 'string' },
        },
      },
    },
  },
}

function operation(operationId: string, endpoint: EndpointSpec): Json {
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint.query),
    ...(endpoint.paginated ? pageParameters : []),
  ]
  return {
    operationId,
    summary: endpoint.docs.summary,
    ...(endpoint.docs.description ? { description: endpoint.docs.description } : {}),
    tags: [resourceTitle(endpoint.name)],
    ...(endpoint.legacy ? { deprecated: true } : {}),
    security: security(endpoint.auth),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: responses(endpoint),
  }
}

function security(auth: Auth): Json[] {
  const named = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))
  if (auth === 'public') return []
  const open = auth === 'optional' || auth.anonymous === true
  return open ? [...named, {}] : named
}

function pathParameters(endpoint: EndpointSpec): Json[] {
  const shapes = endpoint.params === undefined ? {} : properties(endpoint.params).properties
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: shapes[name] ?? { type: 'string' },
  }))
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (query === undefined) return []
  const { properties: shapes, required } = properties(query)
  return Object.entries(shapes).map(([name, schema]) => {
    const isArray = (schema as Json).type === 'array'
    return {
      name: isArray ? `${name}[]` : name,
      in: 'query',
      required: required.includes(name),
      schema,
      ...((schema as Json).type === 'object' ? { style: 'deepObject' } : {}),
    }
  })
}

const pageParameters: Json[] = [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  {
    name: 'per_page',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
]

function requestBody(body: z.ZodObject): Json {
  const schema = jsonSchema(body, 'input')
  const required = Array.isArray(schema.required) && schema.required.length > 0
  return {
    required,
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema },
      'multipart/form-data': { schema },
    },
  }
}

function responses(endpoint: EndpointSpec): Json {
  const answers: Json = {}
  for (const [status, body] of Object.entries(endpoint.response)) {
    answers[status] = body === null ? { description: 'No content' } : success(endpoint, body)
  }
  for (const status of ['400', '401', '403', '404']) {
    answers[status] ??= { $ref: '#/components/responses/Error' }
  }
  return answers
}

function success(endpoint: EndpointSpec, body: z.ZodType): Json {
  if (endpoint.kind === 'raw') {
    return { description: 'The bytes', content: { 'application/octet-stream': {} } }
  }
  return {
    description: 'Success',
    content: { 'application/json': { schema: jsonSchema(body, 'output') } },
  }
}

function properties(schema: z.ZodObject): { properties: Json; required: string[] } {
  const { properties: shapes = {}, required = [] } = jsonSchema(schema, 'input')
  return { properties: shapes as Json, required: required as string[] }
}

/** zod's own JSON schema, with the wire form of our fields where zod cannot express it. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      const meta = (zodSchema as unknown as z.ZodType).meta() as Partial<FieldMeta> | undefined
      if (meta?.wire === undefined) return
      for (const key of Object.keys(target)) delete (target as Json)[key]
      Object.assign(target, meta.wire)
    },
  })
  return rest as Json
}
