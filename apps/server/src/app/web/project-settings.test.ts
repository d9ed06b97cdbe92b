/*
 * `/<project>/-/edit`, the general settings of a project:
 * - maintainers and administrators see them, others 403, strangers 404, visitors sign in;
 * - name, description, topics and picture; visibility and features; a refused form keeps what was typed;
 * - housekeeping, path, transfer, archiving; deleting needs the path of the project.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  browser = await openBrowser(server, owner)
})
afterAll(() => server.close())

async function build(values: Json = {}) {
  const project = await server.buildProject(values, owner)
  const show = async () =>
    (await server.inject('GET', `/projects/${project.id}`, { token: owner.token })).body
  return { project, show, edit: `/${project.path_with_namespace}/-/edit` }
}

describe('GET /<project>/-/edit', () => {
  it('is for those who manage the project', async () => {
    const { project, edit } = await build({ visibility: 'public' })
    const [maintainer, developer] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const heading = async (user?: { username: string; password: string }) => {
      const page = await (await openBrowser(server, user)).open(edit)
      return [page.status, page.heading]
    }
    expect(await heading(owner)).toEqual([200, 'General'])
    expect(await heading(maintainer)).toEqual([200, 'General'])
    expect(await heading(server.root)).toEqual([200, 'General'])
    expect(await heading(developer)).toEqual([403, 'You may not do that'])
    const asVisitor = await (await openBrowser(server)).open(edit)
    expect(asVisitor.address).toContain('/users/sign_in')
  })

  it('does not exist for others where they do not see the project', async () => {
    const { edit } = await build({ visibility: 'private' })
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(edit)).status).toBe(404)
  })

  it('is what the tab leads to, and links to all settings', async () => {
    const { project } = await build()
    const page = await browser.open(`/${project.path_with_namespace}/-/settings`)
    expect(page.texts('.side [aria-current=page]')).toEqual(['General'])
    expect(page.texts('.place [aria-current=page]')).toEqual(['Settings'])
  })
})

describe('POST /<project>/-/edit', () => {
  it('saves name, description and topics', async () => {
    const { edit, show } = await build()
    const hostile = '"><img src=x onerror=alert(1)> \u202eabc 👩‍💻'
    const page = await (await browser.open(edit)).press('Save changes', {
      name: 'New name',
      description: hostile,
      tag_list: 'one, two',
    })
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<img src=x')
    expect(page.document.getElementById('project-description')?.text.trim()).toBe(hostile)
    expect(await show()).toMatchObject({
      name: 'New name',
      description: hostile,
      tag_list: ['one', 'two'],
    })
  })

  it('saves a picture', async () => {
    const { edit, show } = await build()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const avatar = new File([png], 'a.png', { type: 'image/png' })
    await (await browser.open(edit)).press('Save changes', { avatar })
    expect((await show()).avatar_url).toMatch(/a\.png$/)
  })

  it('shows a refused form again with what was typed', async () => {
    const { edit, show } = await build({ name: 'kept' })
    const page = await (await browser.open(edit)).press('Save changes', {
      name: '',
      description: 'Typed',
    })
    expect(page).toMatchObject({ status: 422, heading: 'General' })
    expect(page.texts('.summary li')).toHaveLength(1)
    expect(page.document.querySelector('.summary a')?.getAttribute('href')).toBe('#project-name')
    expect(page.document.getElementById('project-description')?.text.trim()).toBe('Typed')
    expect((await show()).name).toBe('kept')
  })
})

describe('POST /<project>/-/edit/access', () => {
  it('saves visibility, features and switches', async () => {
    const { edit, show } = await build({ visibility: 'private' })
    await (await browser.open(edit)).press('Save visibility and features', {
      visibility: 'internal',
      issues_access_level: 'private',
      wiki_access_level: 'disabled',
      request_access_enabled: '1',
      lfs_enabled: [],
    })
    expect(await show()).toMatchObject({
      visibility: 'internal',
      issues_access_level: 'private',
      wiki_access_level: 'disabled',
      snippets_access_level: 'enabled',
      request_access_enabled: true,
      lfs_enabled: false,
    })
  })

  it('lets maintainers change features, who may not change the visibility', async () => {
    const { project, edit, show } = await build({ visibility: 'private' })
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const own = await openBrowser(server, maintainer)
    await (await own.open(edit)).press('Save visibility and features', {
      wiki_access_level: 'private',
    })
    expect((await show()).wiki_access_level).toBe('private')
    const refused = await (await own.open(edit)).press('Save visibility and features', {
      visibility: 'public',
    })
    expect(refused.status).toBe(422)
    expect(refused.texts('.summary li')).toHaveLength(1)
    expect((await show()).visibility).toBe('private')
  })
})

describe('the rest of /<project>/-/edit', () => {
  it('starts the housekeeping, once at a time', async () => {
    const { edit } = await build({ initialize_with_readme: true })
    const first = await (await browser.open(edit)).press('Run housekeeping')
    expect(first.status).toBe(200)
    const second = await first.press('Run housekeeping')
    expect(second.status).toBe(422)
    expect(second.texts('.summary li')).toHaveLength(1)
    await server.runJobs()
  })

  it('changes the path, and leads to the new address', async () => {
    const { edit, show } = await build()
    const page = await (await browser.open(edit)).press('Change path', { path: 'elsewhere' })
    expect(page.address).toBe(`/${owner.username}/elsewhere/-/edit`)
    const refused = await page.press('Change path', { path: '../a' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('path-path')?.getAttribute('value')).toBe('../a')
    expect((await show()).path).toBe('elsewhere')
  })

  it('transfers the project to another namespace', async () => {
    const group = await server.buildGroup({}, owner)
    const { project, edit, show } = await build()
    const page = await (await browser.open(edit)).press('Transfer project', {
      namespace: group.full_path,
    })
    expect(page.address).toBe(`/${group.full_path}/${project.path}/-/edit`)
    expect((await show()).namespace.full_path).toBe(group.full_path)
  })

  it('archives and unarchives', async () => {
    const { edit, show } = await build()
    const archived = await (await browser.open(edit)).press('Archive project')
    expect((await show()).archived).toBe(true)
    await archived.press('Unarchive project')
    expect((await show()).archived).toBe(false)
  })

  it('deletes the project only if its path is typed', async () => {
    const { project, edit, show } = await build()
    const form = await browser.open(edit)
    const refused = await form.press('Delete project', { confirmation: project.path })
    expect(refused).toMatchObject({ status: 422, heading: 'General' })
    expect(refused.texts('.summary li')).toEqual([
      `Type ${project.path_with_namespace} to delete the project.`,
    ])
    expect((await show()).id).toBe(project.id)
    const page = await form.press('Delete project', {
      confirmation: project.path_with_namespace,
    })
    expect(page.address).toBe('/projects')
    expect((await browser.open(edit)).status).toBe(404)
  })
})
