import { type ClientRow, findApplication } from '@stithy/store'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { hashSecret, secretsMatch } from '../authentication/secret.ts'
import { invalidClient, invalidRequest } from './oauth-error.ts'
import type { Parameters } from './request-parameters.ts'

/** An application with the hash of its secret. */
export type Client = ClientRow

interface ClientCredentials {
  id: string
  secret: string | undefined
}

/**
 * Finds the client of a request and checks its secret, which confidential clients must send (RFC
 * 6749, section 2.3); undefined for a request that names no client.
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export async function authenticateClient(
  app: App,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Client | undefined> {
  const credentials = readCredentials(request, parameters)
  if (credentials === undefined) return undefined
  const client = await findClient(app, credentials.id)
  if (client === undefined) throw invalidClient()
  const { secret } = credentials
  if (secret === undefined) {
    if (client.confidential === 1) throw invalidClient()
  } else if (!secretsMatch(hashSecret(secret), client.secretHash)) throw invalidClient()
  return client
}

/** Like `authenticateClient`, for requests that must name a client. */
export async function requireClient(
  app: App,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Client> {
  const client = await authenticateClient(app, request, parameters)
  if (client === undefined) throw invalidClient()
  return client
}

/** Finds an application by its `client_id`, which can be any text. */
export async function findClient(app: App, id: string): Promise<Client | undefined> {
  return /^[\w-]{1,255}$/.test(id) ? findApplication(app.db, id) : undefined
}

function readCredentials(
  { headers }: FastifyRequest,
  parameters: Parameters,
): ClientCredentials | undefined {
  const basic = readBasic(headers.authorization)
  const [id, secret] = [parameters('client_id'), parameters('client_secret')]
  if (basic === undefined) {
    if (id === undefined && secret !== undefined) throw invalidClient()
    return id === undefined ? undefined : { id, secret }
  }
  if (secret !== undefined || (id !== undefined && id !== basic.id)) {
    throw invalidRequest('The client must be authenticated in one way only.')
  }
  return basic
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function readBasic(header: string | undefined): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw invalidClient()
  const secret = formDecoded(text.slice(colon + 1))
  return { id: formDecoded(text.slice(0, colon)), secret: secret === '' ? undefined : secret }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidClient()
  }
}
