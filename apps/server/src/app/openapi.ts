import { setImmediate } from 'node:timers/promises'
import { type Auth, contracts, type EndpointSpec, resourceTexts, resourceTitle } from '@stithy/core'
import { version } from '../platform/version.ts'
import { operationIds } from './openapi-operation-ids.ts'
import {
  bodySchema,
  commonParameters,
  constraintText,
  requestBody,
  requestParameters,
} from './openapi-requests.ts'
import { errorResponses, errorSchema, responses } from './openapi-responses.ts'
import { type Json, referredShapes } from './openapi-schemas.ts'

/**
 * The OpenAPI 3.1 document of the whole API, derived from the contracts. It takes a fifth of a
 * second, in steps between which other requests are served.
 */
export async function openApiDocument(externalUrl: string): Promise<Json> {
  const ids = operationIds(contracts)
  const endpoints = [...ids.keys()]
  const all = await paths(ids)
  const bodies = await bodySchemas(ids)
  await setImmediate()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stithy REST API',
      summary: 'Source-code hosting and collaboration',
      description:
        'Every call may send a token, and every text may have at most the length that is stated. ' +
        'Lengths are in characters.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${externalUrl}/api/v4`, description: 'This server' }],
    tags: tags(endpoints),
    security: named,
    paths: all,
    components: {
      securitySchemes,
      parameters: commonParameters,
      responses: errorResponses(endpoints),
      schemas: { Error: errorSchema(), ...referredShapes(all), ...bodies },
    },
  }
}

/** The schemas of all bodies, by `bodyName`. */
async function bodySchemas(ids: ReadonlyMap<EndpointSpec, string>): Promise<Json> {
  const found: Json = {}
  for await (const [endpoint, id] of inSteps(ids)) {
    const schema = bodySchema(endpoint)
    if (schema !== undefined) found[bodyName(id)] = schema
  }
  return found
}

const stepLength = 20

/** The endpoints with a pause after each few. */
async function* inSteps<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const item of items) {
    if (count % stepLength === 0) await setImmediate()
    count += 1
    yield item
  }
}

function bodyName(operationId: string): string {
  return `${operationId}.body`
}

function tags(endpoints: readonly EndpointSpec[]): Json[] {
  const titles = new Set(endpoints.map(({ name }) => resourceTitle(name)))
  return [...titles].toSorted().map((name) => ({ name, description: resourceTexts[name] }))
}

/** Each path with its operations; an alternative path is a path of its own. */
async function paths(ids: ReadonlyMap<EndpointSpec, string>): Promise<Record<string, Json>> {
  const all: Record<string, Json> = {}
  const keys = new Map<string, string>()
  for await (const [endpoint, id] of inSteps(ids)) {
    const { method, path, aliases = [] } = endpoint
    for (const [index, each] of [path, ...aliases].entries()) {
      // Paths that differ in the names of parameters alone are one, and have one set of names.
      const shape = each.replace(/:\w+/g, ':')
      const key = keys.get(shape) ?? each.replace(/:(\w+)/g, '{$1}')
      keys.set(shape, key)
      const suffix = index === 0 ? '' : index === 1 ? '.alias' : `.alias${index}`
      all[key] = {
        ...all[key],
        [method.toLowerCase()]: operation(endpoint, { path: each, key, id, suffix }),
      }
    }
  }
  return all
}

const securitySchemes: Json = {
  privateToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Private-Token',
    description: 'A personal access token or an impersonation token.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same tokens.' },
  privateTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'private_token',
    description: 'The same tokens; URLs are logged, so headers are better.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '_service_session',
    description: 'The session of a browser that is signed in.',
  },
}

const named: Json[] = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

interface OperationAt {
  path: string
  /** The path in the document. */
  key: string
  /** The id of the endpoint. */
  id: string
  /** What follows the id for an alternative path. */
  suffix: string
}

function operation(endpoint: EndpointSpec, { path, key, id, suffix }: OperationAt): Json {
  const body = { $ref: `#/components/schemas/${bodyName(id)}` }
  const parameters = requestParameters(endpoint, path, key)
  return {
    operationId: id + suffix,
    summary: endpoint.docs.summary,
    description: description(endpoint),
    tags: [resourceTitle(endpoint.name)],
    ...(endpoint.legacy ? { deprecated: true } : {}),
    ...security(endpoint.auth),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(endpoint, body),
    responses: responses(endpoint),
  }
}

/** What the endpoint does beyond its summary, what its parameters must be, and who may call it. */
function description(endpoint: EndpointSpec): string {
  const { docs, auth, tier } = endpoint
  const texts = [
    docs.description ?? '',
    constraintText(endpoint),
    accessText(auth),
    tier === undefined ? '' : `Part of the ${tier} tier: lower tiers return 403.`,
  ]
  return texts.filter((text) => text !== '').join(' ')
}

function accessText(auth: Auth): string {
  if (auth === 'public') return 'Needs no token.'
  if (auth === 'optional') return 'Works without a token; who sends one may see more.'
  const accepted = new Set(['api', ...[auth.scope ?? []].flat()])
  const scopes = [...accepted].map((scope) => `\`${scope}\``).join(' or ')
  return auth.anonymous === true
    ? `Works without a token where the subject is public; a token needs the scope ${scopes}.`
    : `Needs a token with the scope ${scopes}.`
}

function security(auth: Auth): Json {
  if (auth === 'public') return { security: [] }
  const open = auth === 'optional' || auth.anonymous === true
  return open ? { security: [...named, {}] } : {}
}
