/*
 * A project in which everything has a name that is hard to show, to link or to lay out: every link of its pages
 * works, no name becomes markup, and none makes a page wider than a telephone.
 */
import { gzipSync } from 'node:zlib'
import { parse } from 'node-html-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { openBrowser, type WebBrowser } from '../src/testing/clients/web-browser.ts'
import { buildOddProject, type OddProject } from '../src/testing/odd-project.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

/** Pages of a kind that are opened, such as files, or lists with a filter. */
const perKind = 13
/** Bytes of a compressed page. */
const maxSize = 60_000
/** A walk opens some hundreds of pages, one after the other: the usual limit is for a few. */
const walkTimeout = 600_000

let server: TestServer
let odd: OddProject
let project: string
let own: Walk

beforeAll(async () => {
  server = await buildTestServer()
  odd = await buildOddProject(server)
  project = `/${odd.project.path_with_namespace}`
  await server.runJobs()
  own = await walk(await openBrowser(server, odd.owner))
}, walkTimeout)
afterAll(() => server.close())

/** `-/blob?plain`: what pages with such an address have in common. */
function kindOf({ pathname, searchParams }: URL): string {
  const [owner = '', page = ''] = pathname.split('/-/')
  const names = [...searchParams.keys()].sort().join()
  return `${owner === project ? 'project' : 'group'}/${page.split('/')[0]}?${names}`
}

interface Walk {
  /** An address of each kind. */
  kinds: Map<string, string[]>
  problems: string[]
}

/** Opens a page, and follows the links to pages of the project and its group. */
async function walk(browser: WebBrowser): Promise<Walk> {
  const base = new URL(project, await server.url())
  const kinds = new Map<string, string[]>()
  const problems: string[] = []
  const queue = [{ address: base, from: '' }]
  const seen = new Set([base.href])
  for (const { address, from } of queue) {
    const response = await browser.send(address.href)
    const { problem, links } = await readPage(response)
    if (problem !== undefined) problems.push(`${problem} ${address.href} from ${from}`)
    for (const link of links) {
      const to = URL.parse(link, address)
      if (to === null) problems.push(`${link} from ${address.href}`)
      if (to === null || to.host !== base.host || !to.pathname.includes(odd.group.path)) continue
      to.hash = ''
      const known = kinds.get(kindOf(to)) ?? []
      if (seen.has(to.href) || known.length >= perKind) continue
      kinds.set(kindOf(to), [...known, to.href])
      seen.add(to.href)
      queue.push({ address: to, from: address.href })
    }
  }
  return { kinds, problems }
}

async function readPage(
  response: Response,
): Promise<{ problem: string | undefined; links: string[] }> {
  const { status, headers } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  if (status >= 400) return { problem: String(status), links: [] }
  const location = headers.get('location')
  if (location !== null) return { problem: undefined, links: [location] }
  if (headers.get('content-type')?.startsWith('text/html') !== true) {
    return { problem: undefined, links: [] }
  }
  const text = bytes.toString()
  const isMarkup = ['<img/src', '<img src=x', '<b>'].some((each) => text.includes(each))
  const isLarge = gzipSync(bytes).length > maxSize
  const links = parse(text)
    .querySelectorAll('a[href]')
    .map((link) => link.getAttribute('href') ?? '')
  return { problem: isMarkup ? 'markup' : isLarge ? 'large' : undefined, links }
}

describe('the pages of a project with odd names', { timeout: walkTimeout }, () => {
  it('have links that work for a visitor, and no name becomes markup', async () => {
    const { kinds, problems } = await walk(await openBrowser(server))
    expect(problems).toEqual([])
    expect(kinds.size).toBeGreaterThan(30)
  })

  it('have links that work for their owner, and no name becomes markup', () => {
    const { kinds, problems } = own
    expect(problems).toEqual([])
    expect(kinds.size).toBeGreaterThan(80)
  })

  it.skipIf(!hasChromium)('are as wide as a telephone, whatever they show', async () => {
    const { context, close } = await startChromium()
    try {
      const page = await context.newPage()
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(`${await server.url()}/users/sign_in`)
      await page.getByLabel(/username/i).fill(odd.owner.username)
      await page.getByLabel(/^password/i).fill(odd.owner.password)
      await page.getByRole('button', { name: /sign in/i }).click()
      const wide: string[] = []
      for (const address of [...own.kinds.values()].flatMap((each) => each.slice(0, 2))) {
        if (/\/(?:raw|archive|uploads)\//.test(address)) continue
        await page.goto(address)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        if (width !== 360) wide.push(`${width} ${address}`)
      }
      expect(wide).toEqual([])
    } finally {
      await close()
    }
  })
})
