import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { type ContentRequest, contentHeaderNames, createClient, type Fetch } from '@stithy/client'
import { DomainError } from '@stithy/core'
import { createPermits, csrfName, findAsset, iconPath } from '@stithy/web'
import type { Web, WebRequest, WebResponse } from '@stithy/web/pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { frameOf, frameStyleSource } from '../../directory/appearance/page-frame.ts'
import { isCsrfToken, maskCsrfToken } from '../../directory/authentication/csrf-token.ts'
import type { Session } from '../../directory/authentication/session.ts'
import { followRedirects } from '../../directory/redirects/moved-path.service.ts'
import { currentSession, stepBefore } from '../../directory/sign-in/browser.ts'
import { formText } from '../../directory/sign-in/form.ts'
import { signInPath } from '../../directory/sign-in/form-cookie.ts'
import { refuseForm } from '../../directory/sign-in/refused-form.ts'
import { withReturn } from '../../directory/sign-in/return-path.ts'
import { visitorHome } from '../../directory/sign-in/visitor-home.ts'
import type { App } from '../../platform/app.ts'
import { prefersHtml } from '../../platform/http/accept.ts'
import { permissionCheckHeaders } from '../../platform/http/internal-call.ts'
import type { Params } from '../../platform/http/nested-params.ts'
import { rawParams } from '../../platform/http/raw-params.ts'
import { receivedFilesFolder } from '../../platform/http/received-files.ts'
import { bodyOf } from '../../platform/http/sent-body.ts'
import { apiFetch, pagesOrigin } from './api-fetch.ts'
import { compressed } from './compression.ts'
import { loadWeb } from './load-web.ts'

/** Calls the API for the request of a page. */
const fetches = new AsyncLocalStorage<Fetch>()

const callApi: Fetch = (url, init) => {
  const call = fetches.getStore()
  if (call === undefined) throw new Error('A page called the API after its request')
  return call(url, init)
}

const calls = { baseUrl: pagesOrigin, retries: 0, timeout: 0 }

/** One for all requests: to make a client takes as long as a call. */
const client = createClient({ ...calls, fetch: callApi })

const permits = createPermits({
  ...calls,
  fetch: (url, init) =>
    callApi(url, { ...init, headers: { ...(init.headers as object), ...permissionCheckHeaders } }),
})

/**
 * Registers the web pages, as the last of all routes. Register it after the sessions, with parsers of
 * forms.
 */
export function registerWebPages(server: FastifyInstance, app: App): void {
  server.get('/-/assets/:name', async (request, reply) => {
    const asset = await findAsset(request.url)
    if (asset === undefined) return reply.callNotFound()
    reply.headers(assetHeaders(asset.type))
    return reply.send(await compressed(request, reply, asset.body))
  })
  server.get('/favicon.ico', async (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .redirect(frameOf(reply).favicon ?? iconPath, 302),
  )
  const handler = (request: FastifyRequest, reply: FastifyReply) => serve(app, request, reply)
  // Before the body is read.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (wantsPage(request)) return undefined
    // What the API lacks is no page, and no reason to load them.
    const isKnown =
      !request.url.startsWith('/api/') && (await loadWeb()).knows(request.method, request.url)
    return isKnown ? undefined : notFound(reply)
  }
  server.get('/*', { onRequest }, handler)
  const refuseOther = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await isOwnerShown(app, request, reply)) {
      throw new DomainError('method_not_allowed', { methods: ['GET', 'HEAD'] })
    }
    return onRequest(request, reply)
  }
  server.post('/*', { onRequest: refuseOther }, handler)
  const method = ['PUT', 'PATCH', 'DELETE', 'OPTIONS']
  server.route({ method, url: '/*', onRequest: refuseOther, handler })
}

/** Whether an address is the own page of a project, a group or a user, which no route tells, for whoever asks. */
async function isOwnerShown(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const web = await loadWeb()
  if (!web.mayBeOwner(request.url)) return false
  const visit = { request, reply, session: usableSession(currentSession(request)) }
  const { status } = await answerPage(app, visit, { method: 'GET' })
  return status === 200
}

function assetHeaders(type: string): Record<string, string> {
  return { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
}

/** Whether a request for what can't be read gets a page; programs get the error of the API. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && prefersHtml(headers.accept)
}

interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  /** Undefined for visitors. */
  session: Session | undefined
}

/** The session, unless its user has to do something else first, such as to change a password. */
function usableSession(session: Session | undefined): Session | undefined {
  return session !== undefined && stepBefore(session) === undefined ? session : undefined
}

/** Has the pages answer a request, for whoever has a session. */
function answerPage(app: App, visit: Visit, own: Partial<WebRequest>): Promise<WebResponse> {
  return callingAs(visit, (web) => web.handle({ ...webRequest(app, visit), ...own }))
}

/** Lets the pages call the API for a request. */
async function callingAs<T>(
  { request, session }: Visit,
  work: (web: Web) => Promise<T>,
): Promise<T> {
  const web = await loadWeb()
  return fetches.run(apiFetch(request.server, request, session), () => work(web))
}

function webRequest(app: App, { request, reply, session }: Visit): WebRequest {
  return {
    method: request.method,
    address: request.url,
    client,
    permits,
    content: contentRequest(request),
    wantsPage: wantsPage(request),
    now: app.now(),
    frame: frameOf(reply),
    ...(session === undefined ? {} : { csrfToken: maskCsrfToken(session.csrfToken) }),
  }
}

/** Answers with the page of an error of the API. */
export async function sendFailurePage(
  app: App,
  { request, reply, session }: Visit,
  failure: Response,
): Promise<FastifyReply> {
  const visit = { request, reply, session: usableSession(session) }
  const page = await callingAs(visit, (web) => web.showFailure(webRequest(app, visit), failure))
  return send(request, reply, page)
}

async function serve(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = currentSession(request)
  const isForm = request.method === 'POST'
  if (session === undefined && isStart(request)) return reply.redirect(visitorHome(app), 302)
  const target = isForm ? '/' : request.url
  const step = session === undefined ? undefined : stepBefore(session)
  if (step !== undefined) return reply.redirect(withReturn(step, target), 303)
  // Files are taken from users alone.
  const isRead = isForm && (session !== undefined || !request.isMultipart())
  const fields = isRead ? await readFields(app, request, reply) : undefined
  if (isForm && !(session !== undefined && isOwnForm(session, fields))) {
    return refuseForm(request, reply, { session, fields })
  }
  const own = fields === undefined ? {} : { fields }
  const visit = { request, reply, session }
  const response = await answerPage(app, visit, own)
  if (!isForm && !isShown(response)) {
    const moved = await findMoved(app, visit)
    if (moved !== undefined) return reply.redirect(moved, 302)
  }
  // Almost any path is the address of a project or group, whether there is one or not.
  if (response.status === 404 && !isForm && !wantsPage(request)) return notFound(reply)
  return send(request, reply, response)
}

/** Addresses of groups may have their path behind this. */
const groupsPrefix = '/groups/'

/** The address of a page of what was moved or renamed, for those who may see the page of that. */
async function findMoved(app: App, visit: Visit): Promise<string | undefined> {
  const { url } = visit.request
  const prefix = url.startsWith(groupsPrefix) ? groupsPrefix : '/'
  const end = url.indexOf('?')
  const path = url.slice(prefix.length, end < 0 ? undefined : end)
  const moved = await followRedirects(app.db, path)
  if (moved === undefined) return undefined
  const [owner = ''] = moved.split('/-/')
  const response = await answerPage(app, visit, { method: 'GET', address: `/${owner}` })
  if (response.body instanceof ReadableStream) await response.body.cancel()
  return isShown(response) ? `${prefix}${moved}${end < 0 ? '' : url.slice(end)}` : undefined
}

/** Whether a page is there for its reader; visitors are asked to sign in for what may be. */
function isShown({ status, headers }: WebResponse): boolean {
  return status < 400 && !headers.location?.startsWith(signInPath)
}

/** What the client asks for of the bytes of a file. */
function contentRequest({ method, headers }: FastifyRequest): ContentRequest {
  const asked = contentHeaderNames.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { isHead: method === 'HEAD', headers: Object.fromEntries(asked) }
}

function isStart({ method, url }: FastifyRequest): boolean {
  return method === 'GET' && (url === '/' || url.startsWith('/?'))
}

/** Returned by a hook, the reply tells Fastify to wait for it, and to go no further. */
function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}

function readFields(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Params> {
  return rawParams(request, {
    jsonFile: undefined,
    reply,
    folder: receivedFilesFolder(app.config),
  })
}

function isOwnForm({ csrfToken }: Session, fields: Params | undefined): boolean {
  return isCsrfToken(formText(fields, csrfName), csrfToken)
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: WebResponse,
): Promise<FastifyReply> {
  reply.code(status)
  // What is passed on from the API has a policy of its own.
  if (typeof body === 'string') {
    reply.header('content-security-policy', contentSecurityPolicy(frameOf(reply).style))
  }
  reply.headers(headers)
  if (body === null) return reply.send(bodyOf(request))
  return reply.send(
    typeof body === 'string'
      ? await compressed(request, reply, body)
      : Readable.fromWeb(body as never),
  )
}

/** @param style the text of the page's own style */
function contentSecurityPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'self'${frameStyleSource(style)}`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
