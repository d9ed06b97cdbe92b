/*
 * Pages of forms that depend on more than a role: features, forks, and what users may do anywhere.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionCheckHeaders } from '../../platform/http/internal-call.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let visitor: WebBrowser
let signedIn: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  visitor = await openBrowser(server)
  signedIn = await openBrowser(server, await server.buildUser())
})
afterAll(() => server.close())

describe('pages of forms of what is switched off', () => {
  it('say so to maintainers as well', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const browser = await openBrowser(server, maintainer)
    const at = `/${project.path_with_namespace}/-`
    const off = Object.fromEntries(
      ['issues', 'wiki', 'snippets', 'merge_requests', 'repository'].map((feature) => [
        `${feature}_access_level`,
        'disabled',
      ]),
    )
    const { token } = server.root
    await server.inject('PUT', `/projects/${project.id}`, { token, body: off })
    for (const page of [
      ...['issues/new', 'wikis/new', 'snippets/new', 'labels/new', 'milestones/new'],
      ...['branches/new', 'tags/new', 'releases/new', 'merge_requests/new', 'new/main'],
      'forks/new',
    ]) {
      const { status, texts } = await browser.open(`${at}/${page}`)
      expect([page, status]).toEqual([page, 403])
      expect(texts('main p')[0]).toContain('switched off')
    }
  })
})

describe('GET /<project>/-/merge_requests/new', () => {
  it('opens for a reader with a fork, whose branches can be merged', async () => {
    const { project } = await buildMergeFixture(server, { visibility: 'public' })
    const user = await server.buildUser()
    const browser = await openBrowser(server, user)
    const address = `/${project.path_with_namespace}/-/merge_requests/new`
    expect((await browser.open(address)).status).toBe(403)
    const forked = await server.inject('POST', `/projects/${project.id}/fork`, {
      token: user.token,
    })
    expect(forked.status).toBe(201)
    await server.runJobs()
    const page = await browser.open(address)
    expect([page.status, page.heading]).toEqual([200, 'New merge request'])
    // Only the fork can be the source; its second step opens, not that of the project.
    expect(page.texts('#source_project_id option')).toEqual([forked.body.path_with_namespace])
    const step = (id: number) =>
      browser.open(
        `${address}?merge_request[source_project_id]=${id}&merge_request[source_branch]=topic`,
      )
    expect((await step(project.id)).status).toBe(403)
    const described = await step(forked.body.id)
    expect(described.texts('main button')).toContain('Create merge request')
    expect((await step((await server.buildProject()).id)).status).toBe(404)
  })

  it('is refused to a guest of a fork, who may open none from it', async () => {
    const { project } = await buildMergeFixture(server, { visibility: 'public' })
    const { token } = await server.buildUser()
    const forked = await server.inject('POST', `/projects/${project.id}/fork`, { token })
    expect(forked.status).toBe(201)
    const guest = await server.buildUser()
    await server.addMember(`projects/${forked.body.id}`, guest.id, 10)
    const browser = await openBrowser(server, guest)
    const address = `/${project.path_with_namespace}/-/merge_requests/new`
    expect((await browser.open(address)).status).toBe(403)
  })

  it('of a fork offers no target whose merge requests are switched off', async () => {
    const { project } = await buildMergeFixture(server, { visibility: 'public' })
    const user = await server.buildUser()
    const browser = await openBrowser(server, user)
    const forked = await server.inject('POST', `/projects/${project.id}/fork`, {
      token: user.token,
    })
    const own = forked.body.path_with_namespace
    await server.runJobs()
    const targets = async () =>
      (await browser.open(`/${own}/-/merge_requests/new`)).texts('#target_project_id option')
    expect(await targets()).toEqual([project.path_with_namespace, own])
    const body = { merge_requests_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body })
    expect(await targets()).toEqual([own])
  })
})

describe('the check of a permission', () => {
  it('is one of pages alone: the call of a program is made, whatever it sends', async () => {
    const project = await server.buildProject()
    const answer = await server.inject('POST', `/projects/${project.id}/issues`, {
      token: server.root.token,
      body: { title: 'Made' },
      headers: permissionCheckHeaders,
    })
    expect([answer.status, answer.body.title]).toEqual([201, 'Made'])
  })
})

describe('pages of forms of the instance', () => {
  it.each(['/projects/new', '/groups/new', '/snippets/new'])(
    'open for users, and ask visitors to sign in: %s',
    async (address) => {
      expect((await signedIn.open(address)).status).toBe(200)
      const asked = await visitor.open(address)
      expect(asked.address).toBe(`/users/sign_in?return_to=${encodeURIComponent(address)}`)
    },
  )

  it('offer the namespaces in which the API accepts projects, and no others', async () => {
    const user = await server.buildUser()
    const browser = await openBrowser(server, user)
    const [reported, developed] = [await server.buildGroup(), await server.buildGroup()]
    await server.addMember(`groups/${reported.id}`, user.id, 20)
    await server.addMember(`groups/${developed.id}`, user.id, 30)
    const offered = async () =>
      (await browser.open('/projects/new')).texts('#project-namespace_id option')
    expect(await offered()).toEqual([user.username, developed.full_path])
    const at = (id: number) => browser.open(`/projects/new?namespace_id=${id}`)
    expect((await at(reported.id)).status).toBe(403)
    expect((await at(developed.id)).status).toBe(200)
    const { path_with_namespace: path } = await server.buildProject({ visibility: 'public' })
    const offeredForFork = async () =>
      (await browser.open(`/${path}/-/forks/new`)).texts('#namespace_id option')
    expect(await offeredForFork()).toEqual([user.username, developed.full_path])
    const { token } = server.root
    await server.inject('PUT', `/users/${user.id}`, { token, body: { projects_limit: 0 } })
    expect(await offered()).toEqual([developed.full_path])
    expect(await offeredForFork()).toEqual([developed.full_path])
    const { body: own } = await server.inject('GET', `/namespaces/${user.username}`, { token })
    expect((await at(own.id)).status).toBe(403)
    const external = await openBrowser(server, await server.buildUser({ external: true }))
    expect((await external.open('/projects/new')).status).toBe(403)
  })

  it('are refused to external users', async () => {
    const external = await server.buildUser({ external: true })
    const browser = await openBrowser(server, external)
    for (const address of ['/groups/new', '/snippets/new']) {
      expect([address, (await browser.open(address)).status]).toEqual([address, 403])
    }
  })

  it('are refused to users who may create no groups', async () => {
    const user = await server.buildUser({ can_create_group: false })
    const browser = await openBrowser(server, user)
    expect((await browser.open('/groups/new')).status).toBe(403)
    const group = await server.buildGroup({ visibility: 'public' })
    const address = `/groups/new?parent_id=${group.id}`
    expect((await browser.open(address)).status).toBe(403)
    await server.addMember(`groups/${group.id}`, user.id, 50)
    expect((await browser.open(address)).status).toBe(200)
    const hidden = await server.buildGroup({ visibility: 'private' })
    expect((await browser.open(`/groups/new?parent_id=${hidden.id}`)).status).toBe(404)
  })

  it('of the snippets of others say who may change them, where they can be read', async () => {
    const { token } = server.root
    const create = async (visibility: string) => {
      const body = { title: 'A', file_name: 'a', content: 'a', visibility }
      return (await server.inject('POST', '/snippets', { token, body })).body.id
    }
    const address = `/snippets/${await create('public')}/edit`
    const refused = await signedIn.open(address)
    expect(refused.status).toBe(403)
    expect(refused.texts('main p').join()).toContain('Only the author')
    expect((await visitor.open(address)).address).toContain('/users/sign_in')
    expect((await signedIn.open(`/snippets/${await create('private')}/edit`)).status).toBe(404)
    const own = await openBrowser(server, server.root)
    expect((await own.open(address)).status).toBe(200)
  })

  it('of snippets of projects are not at the addresses of others', async () => {
    const { id: projectId } = await server.buildProject({ visibility: 'public' })
    const { token } = server.root
    const body = { title: 'A', file_name: 'a', content: 'a', visibility: 'public' }
    const { id } = (await server.inject('POST', `/projects/${projectId}/snippets`, { token, body }))
      .body
    expect((await signedIn.open(`/snippets/${id}/edit`)).status).toBe(404)
  })
})
