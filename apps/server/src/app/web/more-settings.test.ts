/*
 * The rest of the settings of a project: merging, approvals and their rules, pipelines, badges, domains
 * of pages, audit events; and of a group: badges, audit events and the SCIM token. Refused forms keep
 * what was typed.
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
  const project = await server.buildProject({ initialize_with_readme: true, ...values }, owner)
  const api = `/projects/${project.id}`
  const { token } = owner
  const read = async (path: string) => (await server.inject('GET', `${api}${path}`, { token })).body
  return { project, read, path: `/${project.path_with_namespace}/-` }
}

describe('/<project>/-/settings/merge_requests', () => {
  it('saves how they are merged', async () => {
    const { path, read } = await build()
    await (await browser.open(`${path}/settings/merge_requests`)).press('Save merging', {
      merge_method: 'ff',
      only_allow_merge_if_pipeline_succeeds: '1',
      printing_merge_request_link_enabled: [],
    })
    expect(await read('')).toMatchObject({
      merge_method: 'ff',
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: false,
      printing_merge_request_link_enabled: false,
    })
  })

  it('saves how they are approved', async () => {
    const { path, read } = await build()
    const page = await browser.open(`${path}/settings/merge_requests`)
    await page.press('Save approvals', {
      approvals_before_merge: '2',
      reset_approvals_on_push: [],
      merge_requests_author_approval: '1',
    })
    expect(await read('/approvals')).toMatchObject({
      approvals_before_merge: 2,
      reset_approvals_on_push: false,
      merge_requests_author_approval: true,
    })
    const refused = await page.press('Save approvals', { approvals_before_merge: '101' })
    expect(refused.status).toBe(422)
    const field = refused.document.getElementById('approvals-approvals_before_merge')
    expect(field?.getAttribute('value')).toBe('101')
  })

  it('adds, changes and deletes approval rules', async () => {
    const { path, read } = await build()
    const page = await browser.open(`${path}/settings/merge_requests`)
    const added = await page.press('Add rule', {
      name: 'Security',
      approvals_required: '2',
      users: `@${owner.username}`,
    })
    const [rule] = await read('/approval_rules')
    expect(rule).toMatchObject({ name: 'Security', approvals_required: 2 })
    expect(rule.users.map(({ id }: Json) => id)).toEqual([owner.id])
    const saved = await added.press('Save Security', { name: 'Safety', users: '' })
    expect((await read('/approval_rules'))[0]).toMatchObject({ name: 'Safety', users: [] })
    const refused = await saved.press('Save Safety', { users: 'no-such-user' })
    expect(refused.texts('.summary li')).toEqual(['There is no no-such-user.'])
    expect(refused.document.querySelector('.rows details')?.hasAttribute('open')).toBe(true)
    await saved.press('Delete Safety: confirm')
    expect(await read('/approval_rules')).toEqual([])
  })
})

describe('/<project>/-/settings/ci_cd', () => {
  it('saves how pipelines run', async () => {
    const { path, read } = await build()
    const page = await browser.open(`${path}/settings/ci_cd`)
    await page.press('Save pipelines', {
      build_timeout: '1200',
      build_git_strategy: 'clone',
      ci_config_path: 'ci/main.yml',
      auto_cancel_pending_pipelines: [],
      public_builds: [],
    })
    expect(await read('')).toMatchObject({
      build_timeout: 1200,
      build_git_strategy: 'clone',
      ci_config_path: 'ci/main.yml',
      auto_cancel_pending_pipelines: 'disabled',
      public_jobs: false,
    })
    for (const value of ['5', 'x', '']) {
      const refused = await page.press('Save pipelines', { build_timeout: value })
      expect(refused.status).toBe(422)
      expect(refused.document.getElementById('ci-build_timeout')?.getAttribute('value')).toBe(value)
    }
    expect((await read('')).build_timeout).toBe(1200)
  })
})

describe('/<project>/-/settings/badges', () => {
  it('adds, changes and deletes badges', async () => {
    const { path, read } = await build()
    const list = await browser.open(`${path}/settings/badges`)
    const image = 'https://img.test/%{project_path}.svg'
    const added = await list.press('Add badge', { image_url: image, link_url: 'https://a.test/x' })
    const form = await added.follow(image)
    const saved = await form.press('Save badge', { link_url: 'https://a.test/y' })
    expect((await read('/badges'))[0]).toMatchObject({ link_url: 'https://a.test/y' })
    const refused = await saved.press('Add badge', { image_url: 'javascript:x', link_url: 'x' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('badge-image_url')?.getAttribute('value')).toBe(
      'javascript:x',
    )
    await saved.press(`Delete ${image}: confirm`)
    expect(await read('/badges')).toEqual([])
  })
})

describe('/<project>/-/pages', () => {
  it('says so where the instance has no sites', async () => {
    const pages = { enabled: false, domain: undefined, dnsServers: [] }
    const sites = await buildTestServer({ pages })
    try {
      const user = await sites.buildUser()
      const project = await sites.buildProject({}, user)
      const own = await openBrowser(sites, user)
      const page = await own.open(`/${project.path_with_namespace}/-/pages`)
      expect([page.status, page.texts('.empty h2')]).toEqual([200, ['Pages are switched off']])
    } finally {
      await sites.close()
    }
  })

  it('adds, shows and deletes domains', async () => {
    const { path } = await build()
    const added = await (await browser.open(`${path}/pages`)).press('Add domain', {
      domain: 'docs.example.com',
    })
    expect(added.texts('td .badge')).toEqual(['not verified'])
    const page = await added.follow('docs.example.com')
    expect(page.texts('pre')[0]).not.toBe('')
    const refused = await page.press('Save certificate', { certificate: 'none', key: 'none' })
    expect(refused.status).toBe(422)
    const taken = await added.press('Add domain', { domain: 'docs.example.com' })
    expect(taken.status).toBe(422)
    const emptied = await added.press('Delete docs.example.com: confirm')
    expect(emptied.texts('.empty h2')).toEqual(['No domains'])
  })
})

describe('/<project>/-/audit_events', () => {
  it('shows who did what, and is filtered by day', async () => {
    const { path } = await build()
    const page = await browser.open(`${path}/audit_events`)
    expect(page.texts('tbody tr')[0]).toContain('add project')
    const past = await browser.open(`${path}/audit_events?created_before=2001-01-01`)
    expect(past.texts('.empty h2')).toEqual(['No events'])
  })
})

describe('settings of a group', () => {
  it('have badges, audit events and a SCIM token, for owners', async () => {
    const group = await server.buildGroup({}, owner)
    const path = `/groups/${group.full_path}/-`
    const badges = await browser.open(`${path}/settings/badges`)
    await badges.press('Add badge', {
      image_url: 'https://i.test/a.svg',
      link_url: 'https://a.test',
    })
    const project = await server.buildProject({ namespace_id: group.id }, owner)
    const inherited = await browser.open(`/${project.path_with_namespace}/-/settings/badges`)
    expect(inherited.texts('td .badge')).toEqual(['of the group'])
    expect((await browser.open(`${path}/audit_events`)).texts('tbody tr')[0]).toContain('add')
    const page = await (await browser.open(`${path}/settings/scim`)).press('Create token')
    const [secret = ''] = page.texts('#new-secret')
    expect(secret.length).toBeGreaterThan(15)
    expect((await browser.open(`${path}/settings/scim`)).text).not.toContain(secret)
    expect((await page.press('Revoke token')).status).toBe(200)
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    const other = await openBrowser(server, maintainer)
    for (const name of ['settings/badges', 'audit_events', 'settings/scim']) {
      expect((await other.open(`${path}/${name}`)).status).toBe(403)
    }
  })
})
