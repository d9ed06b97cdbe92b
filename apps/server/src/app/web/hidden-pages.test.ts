/*
 * Pages of a project or group that their viewer may not see: they are as if it were not there, whichever
 * call of theirs answers first.
 */
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../../../../packages/web/src/app/routes.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/** In which order the calls that a page makes at once answer: as they were made, or the other way around. */
const orders = ['first', 'last'] as const
const answering = vi.hoisted((): { order: 'first' | 'last' } => ({ order: 'first' }))

vi.mock('../../platform/http/in-process-call.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../platform/http/in-process-call.ts')>()
  let running = 0
  let begun = 0
  let answered: { at: number; pass: () => void }[] = []
  const release = async () => {
    const batch = answered.toSorted((one, other) => one.at - other.at)
    answered = []
    for (const { pass } of answering.order === 'first' ? batch : batch.toReversed()) {
      pass()
      await setImmediate()
    }
  }
  const callInProcess: typeof original.callInProcess = async (...call) => {
    begun += 1
    running += 1
    const at = begun
    const answer = await original.callInProcess(...call)
    // Others that the page makes at once may not have begun yet.
    for (let turns = 0; turns < 3; turns++) await setImmediate()
    const turn = Promise.withResolvers<void>()
    answered.push({ at, pass: turn.resolve })
    running -= 1
    if (running === 0) void release()
    await turn.promise
    return answer
  }
  return { ...original, callInProcess }
})

let server: TestServer
let stranger: WebBrowser
let visitor: WebBrowser
let paths: Record<string, string>

beforeAll(async () => {
  server = await buildTestServer()
  stranger = await openBrowser(server, await server.buildUser())
  visitor = await openBrowser(server)
  const group = await server.buildGroup({ visibility: 'private' })
  const project = await server.buildProject({ visibility: 'private', namespace_id: group.id })
  paths = { group: group.full_path, project: project.path_with_namespace }
})
afterAll(() => server.close())

const pages = routes
  .filter(({ method, scope }) => method === 'GET' && ['project', 'group'].includes(scope))
  .map(({ scope, pattern }) => ({ scope, pattern, name: `${pattern || 'home'} of a ${scope}` }))

/** The address of a page, with values for its parameters. */
function addressOf(path: string, scope: string, pattern: string): string {
  const own = scope === 'group' ? `/groups/${path}` : `/${path}`
  if (pattern === '') return own
  const filled = pattern
    .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'sha' ? '0'.repeat(40) : '1'))
    .replace(/\*\w+$/, 'main/README.md')
  return `${own}/-/${filled}`
}

/** What a browser gets in the end, with the path of what was not there instead of another one. */
async function open(browser: WebBrowser, address: string, path: string, shown = path) {
  const { status, heading, address: end } = await browser.open(address)
  const pathname = decodeURIComponent(end).replaceAll(path, shown)
  return { status, heading, end: pathname.replace(/^http:\/\/[^/]+/, '') }
}

describe('hidden pages', () => {
  it('are all', () => {
    expect(pages.length).toBeGreaterThan(100)
  })

  it.each(pages)('are not found by somebody else: $name', async ({ scope, pattern }) => {
    const path = paths[scope] ?? ''
    for (const order of orders) {
      answering.order = order
      const found = await open(stranger, addressOf(path, scope, pattern), path)
      expect([order, found.status, found.heading]).toEqual([order, 404, 'Page not found'])
    }
  })

  it.each(pages)('are to visitors as if they were not there: $name', async ({ scope, pattern }) => {
    const path = paths[scope] ?? ''
    const missing = `x${path.slice(1)}`
    const found: Awaited<ReturnType<typeof open>>[] = []
    for (const order of orders) {
      answering.order = order
      found.push(await open(visitor, addressOf(path, scope, pattern), path))
      found.push(await open(visitor, addressOf(missing, scope, pattern), missing, path))
    }
    expect(found).toEqual(found.map(() => found[0]))
  })
})
