/*
 * Lists of projects and groups, pages of groups with their settings, new projects and groups, stars
 * and forks: what they show to whom, each form with its success and refusal, and hostile texts.
 */
import { AccessLevel } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { setSettings } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let visitor: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ can_create_group: true })
  browser = await openBrowser(server, owner)
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

const titles = (page: { texts: (selector: string) => string[] }) => page.texts('.rows .title')

describe('the pages of a group', () => {
  it('are found without a dash as well, unless a group in it has such a name', async () => {
    const group = await server.buildGroup({}, owner)
    const inner = await server.buildGroup({ path: 'boards', parent_id: group.id }, owner)
    const own = `/groups/${group.full_path}`
    for (const name of ['issues', 'labels', 'milestones', 'group_members', 'edit', 'activity']) {
      const { status, heading } = await browser.open(`${own}/${name}`)
      expect([status, heading]).toEqual([200, (await browser.open(`${own}/-/${name}`)).heading])
      expect((await browser.open(`${own}/nothing/${name}`)).status).toBe(404)
    }
    expect((await browser.open(`${own}/boards`)).heading).toContain(inner.name)
    const saved = await browser.open(`${own}/edit`)
    expect((await saved.press('Save changes', { name: 'Renamed' })).status).toBe(200)
  })
})

describe('the lists of projects', () => {
  it('are filtered by name, sorted, and say what to do when they are empty', async () => {
    const newcomer = await openBrowser(server, await server.buildUser())
    expect((await newcomer.open('/projects')).texts('.empty h2')).toEqual(['No projects here'])
    for (const name of ['beta', 'alpha']) await server.buildProject({ name }, owner)
    const list = await browser.open('/dashboard/projects?sort=name_asc')
    expect(titles(list)).toEqual([`${owner.username}/alpha`, `${owner.username}/beta`])
    const found = await list.press('Apply', { name: 'bet' })
    expect(titles(found)).toEqual([`${owner.username}/beta`])
    const none = await list.press('Apply', { name: '<script>alert(1)</script>' })
    expect(none.texts('.empty h2')).toEqual(['No project has such a name'])
    expect(none.text).not.toContain('<script>alert')
    expect(titles(await list.follow('Personal'))).toHaveLength(2)
  })

  it('show visitors what is public alone', async () => {
    const open = await server.buildProject({ visibility: 'public' }, owner)
    expect(titles(await visitor.open('/explore'))).toEqual([open.path_with_namespace])
    expect((await visitor.open('/dashboard/projects/starred')).address).toContain('/users/sign_in')
  })

  it('of stars have what was starred, also when it is pressed twice', async () => {
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const page = await browser.open('/dashboard/projects/starred')
    expect(titles(page)).toEqual([])
    const press = (action: string) =>
      browser.send(`/${project.path_with_namespace}/-/${action}`, {
        method: 'POST',
        body: new URLSearchParams({ authenticity_token: page.csrfToken }),
      })
    expect([(await press('star')).status, (await press('star')).status]).toEqual([303, 303])
    const starred = await browser.open('/dashboard/projects/starred')
    expect(titles(starred)).toEqual([project.path_with_namespace])
    const starrers = await browser.open(`/${project.path_with_namespace}/-/starrers`)
    expect(titles(starrers)).toEqual([owner.name])
    await press('unstar')
    expect(titles(await browser.open('/dashboard/projects/starred'))).toEqual([])
  })
})

describe('POST /projects', () => {
  it('creates a project where it was wanted, or shows the form with what was typed', async () => {
    const group = await server.buildGroup({}, owner)
    const form = await browser.open(`/projects/new?namespace_id=${group.id}`)
    const refused = await form.press('Create project', { name: '-', description: 'Kept' })
    expect(refused).toMatchObject({ status: 422, heading: 'New project' })
    const kept = refused.document.getElementById('project-description')
    expect(kept?.text.trim()).toBe('Kept')
    await form.press('Create project', { name: 'Web app', description: '', visibility: 'private' })
    const { body } = await server.inject('GET', `/groups/${group.id}/projects`, {
      token: owner.token,
    })
    expect(body).toMatchObject([{ name: 'Web app', empty_repo: false, visibility: 'private' }])
  })
})

describe('the pages of a group', () => {
  it('are made, shown with projects and subgroups, changed, moved and deleted', async () => {
    const made = await (await browser.open('/groups/new')).press('Create group', {
      name: 'Größe <b>'.replace(' <b>', ''),
      path: 'size',
      visibility: 'public',
    })
    expect(made).toMatchObject({ address: '/size', heading: 'G Größe' })
    const below = await (await made.follow('New subgroup')).press('Create group', { name: 'Team' })
    expect(below.address).toBe('/size/team')
    const project = await server.buildProject({ name: 'loose' }, owner)
    const settings = await browser.open('/groups/size/-/edit')
    const moved = await settings.press('Transfer project', { project: project.path_with_namespace })
    expect(moved.address).toBe('/size/loose')
    const saved = await settings.press('Save changes', { description: '"><script>' })
    expect(saved.status).toBe(200)
    const shown = await visitor.open('/groups/size')
    expect(shown.text).not.toContain('"><script>')
    expect(titles(await browser.open('/size'))).toEqual(['size/team', 'size/loose'])
    expect((await settings.press('Change path', { path: 'bad path' })).status).toBe(422)
    const renamed = await settings.press('Change path', { path: 'sizes' })
    expect(renamed.address).toBe('/groups/sizes/-/edit')
    const kept = await renamed.press('Delete sizes', { confirm: 'size' })
    expect(kept.texts('.summary li')).toEqual(['Type sizes to delete it.'])
    expect((await renamed.press('Delete sizes', { confirm: 'sizes' })).address).toBe(
      '/dashboard/groups',
    )
  })

  it('offer new projects to those whom the instance lets create them', async () => {
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const developer = await server.buildUser()
    await server.inject('POST', `/groups/${group.id}/members`, {
      token: owner.token,
      body: { user_id: developer.id, access_level: AccessLevel.developer },
    })
    const theirs = await openBrowser(server, developer)
    const offers = async () =>
      Promise.all(
        [browser, theirs, visitor].map(async (viewer) =>
          (await viewer.open(`/${group.full_path}`)).texts('.button').includes('New project'),
        ),
      )
    expect(await offers()).toEqual([true, true, false])
    await setSettings(server, { default_project_creation: 1 })
    expect(await offers()).toEqual([true, false, false])
    await setSettings(server, { default_project_creation: 2 })
  })

  it('show what was done in its projects, as far as the viewer may see it', async () => {
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    for (const [name, visibility] of [
      ['open', 'public'],
      ['secretive', 'private'],
    ] as const) {
      await server.buildProject({ name, visibility, namespace_id: group.id }, owner)
    }
    const home = await browser.open(`/${group.full_path}`)
    const own = await home.follow('Activity')
    expect([own.status, own.address]).toEqual([200, `/groups/${group.full_path}/-/activity`])
    expect(own.texts('.rows .main')).toHaveLength(2)
    expect(own.texts('.rows .main a')).toContain(`${group.full_path}/secretive`)
    const seen = await (await openBrowser(server, await server.buildUser())).open(own.address)
    expect(seen.texts('.rows .main')).toHaveLength(1)
    expect(seen.text).not.toContain('secretive')
  })

  it('are hidden from strangers, and its settings from members', async () => {
    const group = await server.buildGroup({ visibility: 'private' }, owner)
    const member = await server.buildUser()
    await server.addMember(`groups/${group.id}`, member.id, 40)
    const own = await openBrowser(server, member)
    expect((await own.open(`/${group.full_path}`)).text).not.toContain('/-/edit"')
    expect((await own.open(`/groups/${group.full_path}/-/edit`)).status).toBe(403)
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(`/${group.full_path}`)).status).toBe(404)
    expect(titles(await own.open('/dashboard/groups'))).toEqual([group.full_path])
  })
})
