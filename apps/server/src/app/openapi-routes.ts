import { hash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import type { App } from '../platform/app.ts'
import { sendJsonText } from '../platform/http/json.ts'
import { openApiDocument } from './openapi.ts'

/** `/api/v4/openapi.json` and the reference page at `/-/api`, both public. */
export function registerOpenApi(server: FastifyInstance, app: App): void {
  let text: Promise<string> | undefined
  server.get('/api/v4/openapi.json', async (_request, reply) => {
    text ??= openApiDocument(app.config.externalUrl).then((document) => JSON.stringify(document))
    return sendJsonText(reply, await text)
  })
  let reference: Promise<FastifyInstance> | undefined
  for (const path of ['/-/api', '/-/api/*']) {
    server.get(path, async (request, reply) => {
      reference ??= loadReference()
      const answer = await (await reference).inject({ method: 'GET', url: request.url })
      const isPage = String(answer.headers['content-type']).startsWith('text/html')
      const { 'content-length': _, ...headers } = answer.headers
      const policy = contentSecurityPolicy(isPage ? answer.payload : '')
      return reply
        .code(answer.statusCode)
        .headers({ ...headers, 'content-security-policy': policy })
        .send(isPage ? withHeading(answer.payload) : answer.rawPayload)
    })
  }
}

/** The page has four megabytes of script, so it is loaded on first use. */
async function loadReference(): Promise<FastifyInstance> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(plugin, {
    routePrefix: '/-/api',
    configuration: {
      url: '/api/v4/openapi.json',
      title,
      // Everything that would lead to the services of the page's vendor.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      withDefaultFonts: false,
      telemetry: false,
      customCss: 'a[href^="https://www.scalar.com"] { display: none }',
    },
  })
  return pages
}

/** The page with its language and a heading, which its maker leaves out; the heading is for screen readers. */
function withHeading(page: string): string {
  return page
    .replace('<html>', '<html lang="en">')
    .replace('<body>', `<body><header style="${hidden}"><h1>${title}</h1></header>`)
}

const title = 'Stithy REST API'

const hidden =
  'position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap'

/** Nothing from or to other servers. Only the scripts of the page itself run; it sets styles. */
function contentSecurityPolicy(page: string): string {
  const hashes = [...inlineScripts(page)].map((script) => `'sha256-${sha256(script)}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function* inlineScripts(page: string): Generator<string> {
  for (let at = page.indexOf(opening); at !== -1; at = page.indexOf(opening, at)) {
    const end = page.indexOf('</script>', at)
    if (end === -1) return
    yield page.slice(at + opening.length, end)
    at = end
  }
}

const opening = '<script type="text/javascript">'

function sha256(text: string): string {
  return hash('sha256', text, 'base64')
}
