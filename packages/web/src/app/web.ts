import { type Client, type ContentRequest, readFailure, StithyError } from '@stithy/client'
import { Form } from '../platform/forms/form.ts'
import { isUnsendable } from '../platform/forms/unsendable.ts'
import { type Frame, renderDocument } from '../platform/layout/document.ts'
import { errorPage } from '../platform/pages/error-page.ts'
import { isMissing } from '../platform/pages/if-permitted.ts'
import { loadAll } from '../platform/pages/load-all.ts'
import type { PageCall, Viewer } from '../platform/pages/page-call.ts'
import type { Permits } from '../platform/pages/permits.ts'
import { missing } from '../platform/pages/refusal.ts'
import { type ForwardReply, type Reply, redirect } from '../platform/pages/reply.ts'
import { signInAddress } from '../platform/pages/sign-in-address.ts'
import type { Route } from '../platform/routing/route.ts'
import { createRouter, type RouteMatch } from '../platform/routing/router.ts'
import { scriptAsset } from './assets.ts'
import { iconPath } from './icon.ts'
import { routes as allRoutes } from './routes.ts'
import { stylesheetPath } from './stylesheet.ts'

/** A request of a browser. */
export interface WebRequest {
  method: string
  /** Percent-encoded path and query. */
  address: string
  /** Fields of a submitted form. */
  fields?: Readonly<Record<string, unknown>>
  /** Calls the API as whoever looks at the page. */
  client: Client
  /** Asks the API, as the same, whether it would let them make a call. */
  permits: Permits
  /** That of the session; absent for visitors. */
  csrfToken?: string
  frame?: Frame
  content?: ContentRequest
  /** Whether errors of raw bytes are shown as pages: programs get those of the API. */
  wantsPage?: boolean
  now: number
}

export interface WebResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | ReadableStream<Uint8Array> | null
}

export interface Web {
  /** Whether an address is one of a page or of the action of a form. */
  knows: (method: string, address: string) => boolean
  /**
   * The methods of an address, as in the header `Allow`. Any path may be that of a project, a group or
   * a user: their own pages have none, since only a call tells whether they exist.
   */
  methods: (address: string) => string[]
  /** Whether an address may be the own page of a project, a group or a user, and no other page. */
  mayBeOwner: (address: string) => boolean
  /** Answers a request; whatever goes wrong becomes a page. */
  handle: (request: WebRequest) => Promise<WebResponse>
  /** The page of an error of the API that something else than a page was answered with. */
  showFailure: (request: WebRequest, failure: Response) => Promise<WebResponse>
}

/** The pages, as functions of an API client and an address. */
export function createWeb(routes: readonly Route[] = allRoutes): Web {
  const router = createRouter(routes)
  const match = (method: string, address: string) =>
    router.match(method === 'HEAD' ? 'GET' : method, pathOf(address))
  return {
    knows: (method, address) => match(method, address).length > 0,
    methods: (address) =>
      ['GET', 'HEAD', 'POST'].filter((method) =>
        match(method, address).some(({ route }) => !isOwnerPage(route)),
      ),
    mayBeOwner(address) {
      const matches = match('GET', address)
      return matches.length > 0 && matches.every(({ route }) => isOwnerPage(route))
    },
    async handle(request) {
      const call = pageCall(request)
      const reply = await answer(call, match(request.method, request.address))
      try {
        if (reply.kind === 'forward' && reply.response.status >= 400 && request.wantsPage) {
          return await presentFailure(reply.response, call, request.frame)
        }
        return await present(reply, call, request.frame)
      } catch (error) {
        return present(replyTo(error, call), call, request.frame)
      }
    },
    showFailure: (request, failure) => presentFailure(failure, pageCall(request), request.frame),
  }
}

function isOwnerPage({ scope, pattern }: Route): boolean {
  return scope !== 'instance' && pattern === ''
}

function pathOf(address: string): string {
  const end = address.indexOf('?')
  return end < 0 ? address : address.slice(0, end)
}

function pageCall(request: WebRequest): PageCall {
  const { address, client, permits, fields, csrfToken = '', content = {}, now } = request
  let viewer: Promise<Viewer | null> | undefined
  return {
    client,
    permits,
    params: {},
    query: new URLSearchParams(address.slice(pathOf(address).length)),
    form: new Form(fields),
    address,
    csrfToken,
    content,
    now,
    viewer() {
      viewer ??= csrfToken === '' ? Promise.resolve(null) : client.users.current()
      return viewer
    },
  }
}

/** An address may mean several things: the first that exists is shown. */
async function answer(call: PageCall, matches: readonly RouteMatch[]): Promise<Reply> {
  let failure: unknown
  for (const { route, params } of matches) {
    const own = { ...call, params }
    try {
      return await route.handle(own)
    } catch (error) {
      if (!isMissing(error) && !isUnsendable(error)) return replyTo(error, own)
      failure ??= error
    }
  }
  return replyTo(failure ?? missing(), call)
}

/** Visitors are asked to sign in for what needs a user, and come back afterwards. */
function replyTo(error: unknown, call: PageCall): Reply {
  const needsUser = error instanceof StithyError && [401, 403].includes(error.status ?? 0)
  if (needsUser && call.csrfToken === '') return redirect(signInAddress(call))
  return errorPage(error, call)
}

async function present(reply: Reply, call: PageCall, frame: Frame = {}): Promise<WebResponse> {
  if (reply.kind === 'redirect') {
    return { status: 303, headers: { location: reply.location }, body: null }
  }
  if (reply.kind === 'forward') return forwarded(reply)
  const [viewer, { path: scriptPath }] = await loadAll([
    call.viewer().catch(() => null),
    scriptAsset(),
  ])
  const body = renderDocument({ reply, call, viewer, frame, stylesheetPath, iconPath, scriptPath })
  const headers = reply.isSecret ? { ...pageHeaders, 'cache-control': 'no-store' } : pageHeaders
  return { status: reply.status ?? 200, headers, body }
}

/** The page of an error that the API has answered, such as to conditions or the range of a read. */
async function presentFailure(
  response: Response,
  call: PageCall,
  frame: Frame | undefined,
): Promise<WebResponse> {
  const error = await readFailure(response, { method: 'GET', path: '' }, [])
  const shown = await present(replyTo(error, call), call, frame)
  const kept = ['content-range', 'retry-after'].flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { ...shown, headers: { ...shown.headers, ...Object.fromEntries(kept) } }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  // No shared cache stores it, and browsers revalidate it; `no-store` would disable the back/forward cache.
  'cache-control': 'private, no-cache',
}

/** Headers of the API that describe the body. */
const forwardedHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
] as const

/** Nothing that users have uploaded runs as a page of this origin. */
function forwarded({ response, shownAs }: ForwardReply): WebResponse {
  const { status, headers, body } = response
  const own = forwardedHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const safe = {
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'private, no-cache',
  }
  const shown =
    shownAs === undefined || !response.ok
      ? {}
      : { 'content-type': shownAs, 'content-disposition': 'inline' }
  return { status, headers: { ...Object.fromEntries(own), ...shown, ...safe }, body }
}
