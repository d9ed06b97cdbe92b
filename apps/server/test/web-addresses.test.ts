/*
 * Every page and every action of a form, at addresses that nobody would link to: whatever an address says, the
 * server answers with a page of its own, and lives on.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../packages/web/src/app/routes.ts'
import { openBrowser, type WebBrowser } from '../src/testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

/** What stands for each variable segment of an address, percent-encoded. */
const segments: readonly [name: string, segment: string][] = [
  ['a word', 'x'],
  ['zero', '0'],
  ['a number of thirty digits', '9'.repeat(30)],
  ['markup', encodeURIComponent('<img/src=x onerror=alert(1)>"\'')],
  ['a NUL byte', 'a%00b'],
  ['a lone surrogate', '%ed%a0%80'],
  ['a way up', '..%2f..%2fx'],
  ['2,000 letters', 'y'.repeat(2_000)],
]

const oddQuery = [
  'page=-1',
  'per_page=x',
  'state=%3Cimg/src%3Dx%3E',
  'view=x',
  'search=%00',
  'sort=%ed%a0%80',
  'scope=a&scope=b',
  'filter=~%22%22%22',
  'labels%5B%5D=',
  'since=x',
  'path=..',
  'from=..&to=..',
].join('&')

type Place = 'a missing project' | 'their own project'

describe('pages at odd addresses', () => {
  let server: TestServer
  let visitor: WebBrowser
  let member: WebBrowser
  let administrator: WebBrowser
  let owned: Record<Place, { project: string; group: string; user: string }>
  const unhandled: unknown[] = []
  const remember = (reason: unknown) => unhandled.push(reason)

  beforeAll(async () => {
    server = await buildTestServer()
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const project = await server.buildProject({ namespace_id: group.id }, owner)
    visitor = await openBrowser(server)
    member = await openBrowser(server, owner)
    administrator = await openBrowser(server, server.root)
    owned = {
      'a missing project': { project: 'no/body', group: 'nobody', user: 'nobody' },
      'their own project': {
        project: project.path_with_namespace,
        group: group.full_path,
        user: owner.username,
      },
    }
  })
  afterAll(() => server.close())
  beforeEach(() => {
    unhandled.length = 0
    process.on('unhandledRejection', remember)
  })
  afterEach(() => {
    process.off('unhandledRejection', remember)
    expect(unhandled).toEqual([])
  })

  function addresses(method: string, place: Place, segment: string): string[] {
    const { project, group, user } = owned[place]
    const starts = { instance: '', project: `/${project}/-`, group: `/groups/${group}/-`, user: '' }
    const own = routes.filter((route) => route.method === method)
    const found = own.map(({ scope, pattern }) => {
      const rest = pattern.replaceAll(/[:*]\w+/g, segment)
      const start = scope === 'user' && rest !== '' ? `/users/${user}` : starts[scope]
      return `${start}/${rest}`
    })
    return [...new Set(found)]
  }

  async function problems(
    browser: WebBrowser,
    list: readonly string[],
    init?: RequestInit,
  ): Promise<string[]> {
    const found: string[] = []
    for (const address of list) {
      const response = await browser.send(address, init)
      const text = await response.text()
      const { location } = Object.fromEntries(response.headers)
      const isOutside = location !== undefined && !/^\/(?![/\\])/.test(location)
      if (response.status >= 500) found.push(`${response.status} ${address.slice(0, 200)}`)
      if (text.includes('<img/src')) found.push(`markup at ${address.slice(0, 200)}`)
      if (isOutside) found.push(`${location} from ${address.slice(0, 200)}`)
    }
    return found
  }

  for (const [name, segment] of segments) {
    it(`GET with ${name} in place of every variable, by a visitor`, async () => {
      expect(await problems(visitor, addresses('GET', 'a missing project', segment))).toEqual([])
    })

    it(`GET with ${name} in place of every variable, by a member`, async () => {
      expect(await problems(member, addresses('GET', 'their own project', segment))).toEqual([])
    })
  }

  it('GET with odd queries, by an administrator', async () => {
    const list = addresses('GET', 'their own project', '1').map((each) => `${each}?${oddQuery}`)
    expect(await problems(administrator, list)).toEqual([])
  })

  it('POST of forms without fields, by a member', async () => {
    const { csrfToken } = await member.open('/projects')
    for (const segment of ['x', '999999']) {
      const list = addresses('POST', 'their own project', segment)
      // The account and the project of the test must outlive it.
      const kept = list.filter((each) => !/\/(destroy|delete|remove|sign_out)/.test(each))
      const body = () => new URLSearchParams({ authenticity_token: csrfToken })
      const found: string[] = []
      for (const address of kept) {
        found.push(...(await problems(member, [address], { method: 'POST', body: body() })))
      }
      expect(found).toEqual([])
    }
  })
})
