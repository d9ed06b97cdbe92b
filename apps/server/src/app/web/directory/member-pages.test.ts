/*
 * The pages of members of projects and groups: who sees them, what is shown, every form with its
 * success and refusal, access requests, shares, inherited members, and hostile names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let group: Json
let project: Json
let page: string
let groupPage: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Ann' })
  browser = await openBrowser(server, owner)
  group = await server.buildGroup({ visibility: 'public' }, owner)
  project = await server.buildProject({ namespace_id: group.id, visibility: 'public' }, owner)
  page = `/${project.path_with_namespace}/-/project_members`
  groupPage = `/groups/${group.full_path}/-/group_members`
})
afterAll(() => server.close())

const names = (text: { texts: (selector: string) => string[] }) => text.texts('.rows .title')

describe('GET /<project>/-/project_members', () => {
  it('sends visitors to sign in, and hides a private project from strangers', async () => {
    const visitor = await openBrowser(server)
    expect((await visitor.open(page)).address).toContain('/users/sign_in')
    const secret = await server.buildProject({ visibility: 'private' }, owner)
    const stranger = await openBrowser(server, await server.buildUser())
    const hidden = await stranger.open(`/${secret.path_with_namespace}/-/project_members`)
    expect(hidden.status).toBe(404)
  })

  it('shows managers the direct members first, and all with those of the group', async () => {
    const direct = await browser.open(page)
    expect(direct).toMatchObject({ status: 200, heading: 'Members' })
    expect(direct.texts('.empty h2')).toEqual(['No direct members'])
    expect(names(await direct.follow('All'))).toEqual(['Ann'])
  })

  it('offers guests no forms but to leave', async () => {
    const guest = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    const shown = await (await openBrowser(server, guest)).open(page)
    expect(shown.text).not.toContain('Add member')
    expect(shown.text).not.toContain('Remove')
    const left = await shown.press('Leave')
    expect(left.address).toBe('/dashboard/projects')
    expect((await browser.open(page)).text).not.toContain(guest.username)
  })
})

describe('the forms of the page', () => {
  it('add a user by username or e-mail address, change and remove them', async () => {
    const user = await server.buildUser({ name: '"><img src=x onerror=alert(1)>' })
    const values = { user: user.email, access_level: '20', expires_at: '2999-01-01' }
    const added = await (await browser.open(page)).press('Add member', values)
    expect(names(added)).toEqual([user.name])
    expect(added.text).not.toContain('<img src=x')
    expect(added.texts('.rows .badge')).toContain('Reporter')
    expect(added.texts('.rows time')).toEqual(['Jan 1, 2999'])
    const changed = await added.press('Save', { access_level: '40', expires_at: '' })
    expect(changed.texts('.rows .badge')).toContain('Maintainer')
    const removed = await changed.press(`Remove ${user.name}: confirm`)
    expect(names(removed)).toEqual([])
  })

  it('keep what was typed where there is no such user, or one is a member already', async () => {
    const wrong = await (await browser.open(page)).press('Add member', {
      user: 'nobody-here',
      access_level: '40',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.texts('.summary li')[0]).toContain('There is no user nobody-here')
    expect(wrong.document.getElementById('add-user')?.getAttribute('value')).toBe('nobody-here')
    const twice = await (await browser.open(groupPage)).press('Add member', {
      user: owner.username,
    })
    expect(twice.texts('.summary li')).toHaveLength(1)
  })

  it('give the members of another group access, and take it', async () => {
    const other = await server.buildGroup({}, owner)
    const shared = await (await browser.open(page)).press('Give access', {
      group: other.full_path,
      access_level: '20',
    })
    expect(names(shared)).toContain(other.full_path)
    const wrong = await shared.press('Give access', { group: 'no/such/group' })
    expect(wrong.texts('.summary li')).toEqual(['There is no group no/such/group.'])
    const taken = await shared.press(`Remove the group ${other.full_path}: confirm`)
    expect(names(taken)).not.toContain(other.full_path)
  })

  it('ask for access, once, and approve or deny it', async () => {
    const [one, two] = [await server.buildUser(), await server.buildUser()]
    for (const user of [one, two]) {
      const own = await openBrowser(server, user)
      const asked = await (await own.open(groupPage)).press('Request access')
      expect(asked.address).toBe(`/${group.full_path}`)
      const again = await (await own.open(groupPage)).press('Request access')
      expect(again.status).toBe(422)
    }
    const approved = await (await browser.open(groupPage)).press(`Approve ${one.name} as Developer`)
    expect(approved.texts('.rows .badge')).toContain('Developer')
    const denied = await approved.press(`Deny ${two.name}`)
    expect(denied.text).not.toContain(two.username)
  })

  it('of who may not manage members are refused, before any field is looked at', async () => {
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const own = await openBrowser(server, developer)
    const { csrfToken: authenticity_token } = await own.open(page)
    const secret = await server.buildProject({ visibility: 'private' }, owner)
    const hidden = `/${secret.path_with_namespace}/-/project_members`
    const send = async (address: string, fields: Record<string, string>) => {
      const body = new URLSearchParams({ ...fields, access_level: '30', authenticity_token })
      return (await own.send(address, { method: 'POST', body })).status
    }
    for (const [form, fields] of [
      ['', { user: server.root.username }],
      ['', { user: 'nobody-at-all' }],
      ['/shares', { group: 'no/such/group' }],
    ] as const) {
      expect([form, fields, await send(`${page}${form}`, fields)]).toEqual([form, fields, 403])
      expect([form, fields, await send(`${groupPage}${form}`, fields)]).toEqual([form, fields, 403])
      expect([form, fields, await send(`${hidden}${form}`, fields)]).toEqual([form, fields, 404])
    }
  })
})
