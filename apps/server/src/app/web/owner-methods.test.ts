/*
 * Methods that the pages of projects, groups and users don't have, which have no route of their own.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let member: WebBrowser
let visitor: WebBrowser
/** Addresses of what everybody sees, and of what its owner sees. */
const shown: string[] = []
const hidden: string[] = []

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  member = await openBrowser(server, owner)
  visitor = await openBrowser(server)
  for (const [visibility, list] of [
    ['public', shown],
    ['private', hidden],
  ] as const) {
    const group = await server.buildGroup({ visibility }, owner)
    const project = await server.buildProject({ visibility, namespace_id: group.id }, owner)
    list.push(
      `/${group.full_path}`,
      `/groups/${group.full_path}`,
      `/${project.path_with_namespace}`,
    )
  }
})
afterAll(() => server.close())

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

async function send(browser: WebBrowser, method: string, address: string) {
  const { status, headers } = await browser.send(address, { method })
  return [method, address, status, headers.get('allow')]
}

describe.each(methods)('%s of the page of a project or group', (method) => {
  it('is answered with 405 and the methods that there are', async () => {
    for (const address of shown) {
      for (const browser of [visitor, member]) {
        expect(await send(browser, method, address)).toEqual([method, address, 405, 'GET, HEAD'])
      }
    }
    for (const address of hidden) {
      expect(await send(member, method, address)).toEqual([method, address, 405, 'GET, HEAD'])
    }
  })

  it('is 404 for those who may not see it, and where there is none', async () => {
    for (const address of [...hidden, '/nobody', '/nobody/nothing', '/groups/nobody']) {
      expect(await send(visitor, method, address)).toEqual([method, address, 404, null])
    }
    for (const address of ['/nobody', `${shown[0]}/nothing`, '/api/v4/nothing', '/api/nothing']) {
      expect(await send(member, method, address)).toEqual([method, address, 404, null])
    }
  })
})
