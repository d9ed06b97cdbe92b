/*
 * `/<project>/-/settings/repository`:
 * - is for maintainers; says so where the repository is switched off;
 * - changes the default branch;
 * - protects branches with levels, users and groups, and unprotects them; the same for tags;
 * - adds deploy keys, changes whether they may write, and removes them;
 * - creates deploy tokens, whose secret is on that page alone, and revokes them;
 * - a refused form keeps what was typed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
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
  const read = async (path: string) =>
    (await server.inject('GET', `/projects/${project.id}/${path}`, { token: owner.token })).body
  return { project, read, address: `/${project.path_with_namespace}/-/settings/repository` }
}

describe('GET /<project>/-/settings/repository', () => {
  it('is for those who manage the project', async () => {
    const { project, address } = await build({ visibility: 'public' })
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    expect((await browser.open(address)).heading).toBe('Repository')
    expect((await (await openBrowser(server, developer)).open(address)).status).toBe(403)
    expect((await (await openBrowser(server)).open(address)).address).toContain('/users/sign_in')
    const hidden = await build({ visibility: 'private' })
    expect((await (await openBrowser(server, developer)).open(hidden.address)).status).toBe(404)
  })

  it('says what is missing in an empty project, and where the repository is off', async () => {
    const empty = await build({ initialize_with_readme: false })
    const page = await browser.open(empty.address)
    expect(page.text).toContain('The repository has no branch yet')
    expect(page.text).toContain('No branch is protected')
    const off = await build({ repository_access_level: 'disabled' })
    const answer = await browser.open(off.address)
    expect([answer.status, answer.texts('h2')]).toEqual([200, ['The repository is switched off']])
  })
})

describe('the default branch', () => {
  it('is changed to one that exists', async () => {
    const { project, address, read } = await build()
    await server.inject('POST', `/projects/${project.id}/repository/branches`, {
      token: owner.token,
      body: { branch: 'next', ref: project.default_branch ?? 'main' },
    })
    const page = await browser.open(address)
    expect(page.document.querySelectorAll('datalist option')).not.toEqual([])
    await page.press('Save default branch', { default_branch: 'next' })
    expect((await read('')).default_branch).toBe('next')
    const refused = await page.press('Save default branch', { default_branch: 'nowhere' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('default-default_branch')?.getAttribute('value')).toBe(
      'nowhere',
    )
    expect((await read('')).default_branch).toBe('next')
  })
})

describe('a protected branch', () => {
  it('is added with its levels, and removed', async () => {
    const { address, read } = await build({ initialize_with_readme: false })
    const page = await (await browser.open(address)).press('Protect branch', {
      name: 'release/*',
      merge_access_level: '30',
      push_access_level: '0',
      unprotect_access_level: '60',
    })
    expect(page.texts('table code')).toEqual(['release/*'])
    const branch = await read('protected_branches/release%2F*')
    const levels = (name: string) => branch[name].map((each: Json) => each.access_level)
    expect(levels('merge_access_levels')).toEqual([30])
    expect(levels('push_access_levels')).toEqual([0])
    expect(levels('unprotect_access_levels')).toEqual([60])
    await (await browser.open(address)).press('Unprotect release/*: confirm')
    expect((await browser.open(address)).status).toBe(200)
  })

  it('lets single users and groups push and merge', async () => {
    const { project, address, read } = await build({ initialize_with_readme: false })
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const group = await server.buildGroup({}, owner)
    await server.inject('POST', `/projects/${project.id}/share`, {
      token: owner.token,
      body: { group_id: group.id, group_access: 30 },
    })
    await (await browser.open(address)).press('Protect branch', {
      name: 'main',
      merge_groups: group.full_path,
      push_users: `@${developer.username}, ${owner.username}`,
    })
    const branch = await read('protected_branches/main')
    const ids = (name: string, key: string) =>
      branch[name].map((each: Json) => each[key]).filter((id: unknown) => id !== null)
    expect(ids('push_access_levels', 'user_id').toSorted()).toEqual(
      [developer.id, owner.id].toSorted(),
    )
    expect(ids('merge_access_levels', 'group_id')).toEqual([group.id])
  })

  it('is refused with names that nobody has, and keeps what was typed', async () => {
    const { address, read } = await build({ initialize_with_readme: false })
    const page = await (await browser.open(address)).press('Protect branch', {
      name: '"><script>alert(1)</script>',
      push_users: 'no-such-user',
      push_groups: 'no/such/group',
    })
    expect(page.status).toBe(422)
    expect(page.texts('.summary li')).toEqual([
      'There is no no-such-user.',
      'There is no no/such/group.',
    ])
    expect(page.text).not.toContain('<script>alert')
    expect(page.document.getElementById('branch-push_users')?.getAttribute('value')).toBe(
      'no-such-user',
    )
    expect(await read('protected_branches')).toEqual([])
  })

  it('is refused twice', async () => {
    const { address } = await build({ initialize_with_readme: false })
    const page = await (await browser.open(address)).press('Protect branch', { name: 'main' })
    const again = await page.press('Protect branch', { name: 'main' })
    expect(again.status).toBe(422)
    expect(again.texts('.summary li')).toHaveLength(1)
  })
})

describe('a protected tag', () => {
  it('is added with its level, and removed', async () => {
    const { address, read } = await build()
    const page = await (await browser.open(address)).press('Protect tag', {
      name: 'v*',
      create_access_level: '30',
    })
    expect((await read('protected_tags'))[0]).toMatchObject({
      name: 'v*',
      create_access_levels: [{ access_level: 30 }],
    })
    const blank = await page.press('Protect tag', { name: ' ' })
    expect(blank.status).toBe(422)
    await page.press('Unprotect v*: confirm')
    expect(await read('protected_tags')).toEqual([])
  })
})

describe('a deploy key', () => {
  it('is added, changed and removed', async () => {
    const { address, read } = await build()
    const key = buildPublicKey()
    const page = await (await browser.open(address)).press('Add key', {
      title: 'Build <b>machine</b>',
      key,
      can_push: '1',
    })
    expect(page.text).toContain('Build &lt;b&gt;machine')
    expect((await read('deploy_keys'))[0]).toMatchObject({ can_push: true })
    const changed = await page.press('Only read with Build <b>machine</b>')
    expect((await read('deploy_keys'))[0]).toMatchObject({ can_push: false })
    await changed.press('Remove Build <b>machine</b>: confirm')
    expect(await read('deploy_keys')).toEqual([])
  })

  it('that is none is refused, and kept', async () => {
    const { address } = await build()
    const page = await (await browser.open(address)).press('Add key', {
      title: 'A',
      key: 'ssh-rsa nonsense',
    })
    expect(page.status).toBe(422)
    expect(page.document.querySelector('.summary a')?.getAttribute('href')).toBe('#key-key')
    expect(page.document.getElementById('key-key')?.text.trim()).toBe('ssh-rsa nonsense')
  })
})

describe('a deploy token', () => {
  it('is shown once, in the answer to its form, and revoked', async () => {
    const { address, read } = await build()
    const page = await (await browser.open(address)).press('Create token', {
      name: 'Mirror',
      username: 'mirror',
      expires_at: '2099-01-02',
      'scopes[]': ['read_repository', 'read_registry'],
    })
    const [secret = ''] = page.texts('#new-secret')
    expect(secret.length).toBeGreaterThan(15)
    expect((await read('deploy_tokens'))[0]).toMatchObject({
      name: 'Mirror',
      username: 'mirror',
      expires_at: '2099-01-02T00:00:00.000Z',
      scopes: ['read_repository', 'read_registry'],
    })
    const later = await browser.open(address)
    expect(later.text).not.toContain(secret)
    await later.press('Revoke Mirror: confirm')
    expect(await read('deploy_tokens')).toEqual([])
  })

  it('without a scope is refused', async () => {
    const { address, read } = await build()
    const page = await (await browser.open(address)).press('Create token', {
      name: 'None',
      'scopes[]': [],
    })
    expect(page.status).toBe(422)
    expect(page.document.getElementById('token-name')?.getAttribute('value')).toBe('None')
    expect(await read('deploy_tokens')).toEqual([])
  })
})
