import { DomainError, forbidden, isCleanText } from '@stithy/core'
import { findScimGroup, type ScimGroupRow } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import { keepRequestContext } from '../../platform/http/request-context.ts'
import { bearerToken } from '../authentication/authenticate-request.ts'
import { hashSecret } from '../authentication/secret.ts'
import { maxValueLength, readAttributes, type ScimAttributes } from './scim-attributes.ts'
import { noSuchUser } from './scim-error.ts'
import { readPatch } from './scim-patch.ts'
import { sendScim, sendScimError } from './scim-replies.ts'
import { presentScimList, presentScimUser, scimUserUrl } from './scim-user.presenter.ts'
import {
  changeScimUser,
  createScimUser,
  removeScimUser,
  requireScimUser,
} from './scim-user.service.ts'
import { listUsers } from './scim-user-list.service.ts'
import { serviceProviderConfig } from './service-provider-config.ts'

/** The largest body that these endpoints read, in bytes. */
const bodyLimit = 256 * 1024

/** No token is longer. */
const maxTokenLength = 100

const base = '/api/scim/v2/groups/:group_path'

/** The group whose token a request has; set before the body is read. */
const groups = new WeakMap<FastifyRequest, ScimGroupRow>()

/**
 * Registers what identity providers call to manage the users of a group (RFC 7644). Register it in
 * a scope with parsers of bodies.
 */
export function registerScim(scope: FastifyInstance, app: App, guard: AnonymousGuard): void {
  scope.setErrorHandler((error, request, reply) => sendScimError(error, request, reply))
  scope.addHook('onRequest', async (request, reply) => {
    groups.set(request, await authenticate(app, guard, request, reply))
  })
  keepRequestContext(scope, () => null)
  // The token is the caller, so nobody is counted as anonymous who has one.
  const options = { bodyLimit, config: { identifiesCaller: true } } as const
  scope.get(`${base}/ServiceProviderConfig`, options, async (request, reply) =>
    sendScim(reply, serviceProviderConfig(app.config, groupOf(request))),
  )
  scope.get(`${base}/Users`, options, async (request, reply) => {
    const group = groupOf(request)
    const list = await listUsers(app, group, request.query as object)
    return sendScim(reply, presentScimList(app.config, group, list))
  })
  scope.get(`${base}/Users/:id`, options, async (request, reply) => {
    const group = groupOf(request)
    const row = await requireScimUser(app.db, group, idOf(request))
    return sendScim(reply, presentScimUser(app.config, group, row))
  })
  scope.post(`${base}/Users`, options, async (request, reply) => {
    const group = groupOf(request)
    const row = await createScimUser(app, group, readResource(request.body))
    reply.code(201).header('location', scimUserUrl(app.config, group, row))
    return sendScim(reply, presentScimUser(app.config, group, row))
  })
  registerChanges(scope, app, options)
}

type RouteOptions = Pick<Parameters<FastifyInstance['route']>[0], 'bodyLimit' | 'config'>

function registerChanges(scope: FastifyInstance, app: App, options: RouteOptions): void {
  scope.patch(`${base}/Users/:id`, options, async (request, reply) => {
    await changeScimUser(app, groupOf(request), idOf(request), readPatch(request.body))
    return reply.code(204).send()
  })
  scope.put(`${base}/Users/:id`, options, async (request, reply) => {
    const group = groupOf(request)
    const before = await requireScimUser(app.db, group, idOf(request))
    const row = await changeScimUser(app, group, before.externUid, readResource(request.body))
    const shown = presentScimUser(app.config, group, row ?? before)
    return sendScim(reply, row === undefined ? { ...shown, active: false } : shown)
  })
  scope.delete(`${base}/Users/:id`, options, async (request, reply) => {
    await removeScimUser(app, groupOf(request), idOf(request))
    return reply.code(204).send()
  })
}

/** A resource names its user by `externalId`; an `id` in it is ignored (RFC 7644, section 3.3). */
function readResource(body: unknown): ScimAttributes {
  const attributes: ScimAttributes = {}
  const isMap = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { id: _, ...values } = isMap ? (body as Record<string, unknown>) : {}
  readAttributes(attributes, isMap ? values : body)
  return attributes
}

/**
 * The group of the token, which must be the one in the path.
 * @throws DomainError `unauthorized`, `too_many_requests`, and `forbidden` in lower tiers
 */
async function authenticate(
  app: App,
  guard: AnonymousGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ScimGroupRow> {
  const token = bearerToken(request.headers.authorization)
  const isPossible = token !== undefined && token.length <= maxTokenLength
  const group = isPossible ? await findScimGroup(app.db, hashSecret(token)) : undefined
  const { group_path: path = '' } = request.params as { group_path?: string }
  if (group === undefined || group.fullPath.toLowerCase() !== path.toLowerCase()) {
    guard(request, reply)
    throw new DomainError('unauthorized')
  }
  if (!tierAllows(app.config.tier, 'premium')) throw forbidden('SCIM needs a higher tier')
  return group
}

function groupOf(request: FastifyRequest): ScimGroupRow {
  const group = groups.get(request)
  if (group === undefined) throw new TypeError('A request was not authenticated')
  return group
}

/** @throws ScimError 404 for what can be no id */
function idOf(request: FastifyRequest): string {
  const { id = '' } = request.params as { id?: string }
  if (id.length > maxValueLength || !isCleanText(id)) throw noSuchUser()
  return id
}
