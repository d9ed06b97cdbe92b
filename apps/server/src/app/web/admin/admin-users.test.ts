/*
 * Users on the administration pages:
 * - are searched by name, username and parts of their addresses, filtered by state, and paged through;
 * - are blocked and unblocked, but not by themselves;
 * - are created, edited and deleted; refusals keep what was typed;
 * - impersonation tokens are shown once, and revoked.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let admin: TestUser
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  admin = await server.buildUser({ admin: true })
  browser = await openBrowser(server, admin)
})
afterAll(() => server.close())

const show = async (id: number) =>
  (await server.inject('GET', `/users/${id}`, { token: server.root.token })).body

describe('GET /admin/users', () => {
  it('searches by name, username and address', async () => {
    const user = await server.buildUser({ name: 'Grace <b>Hopper</b>' })
    for (const search of ['Hopper', user.username, user.email.slice(2, 9)]) {
      const page = await browser.open(`/admin/users?search=${encodeURIComponent(search)}`)
      expect(page.text).toContain(user.email)
      expect(page.text).not.toContain('<b>Hopper')
    }
    const none = await browser.open('/admin/users?search=nobody-at-all')
    expect(none.texts('.empty h2')).toEqual(['No user was found'])
    for (const page of ['0', '-1', 'x', '999999', '9'.repeat(40)]) {
      expect((await browser.open(`/admin/users?page=${page}&state=${page}`)).status).toBe(200)
    }
  })

  it('links to the pages before and after', async () => {
    await Promise.all(Array.from({ length: 51 }, () => server.buildUser({ name: 'One of many' })))
    const first = await browser.open('/admin/users?search=of+many')
    const second = await first.follow('Next')
    expect(second.address).toBe('/admin/users?search=of+many&page=2')
    expect(second.text).toContain('Page 2 of 2')
    expect((await second.follow('Previous')).texts('tbody tr')).toHaveLength(50)
  })

  it('blocks and unblocks, and filters by state', async () => {
    const user = await server.buildUser({ name: 'Kim Reader' })
    const list = await browser.open(`/admin/users?search=${user.username}`)
    const blocked = await list.press('Block Kim Reader')
    expect(blocked.address).toBe(`/admin/users?search=${user.username}`)
    expect((await show(user.id)).state).toBe('blocked')
    const filtered = await browser.open('/admin/users?state=blocked')
    expect(filtered.texts('tbody tr')).toHaveLength(1)
    await filtered.press('Unblock Kim Reader')
    expect((await show(user.id)).state).toBe('active')
  })

  it('offers nobody to block themselves, and refuses it', async () => {
    const own = await browser.open(`/admin/users?search=${admin.username}`)
    expect(own.text).not.toContain(`/admin/users/${admin.id}/block`)
    const user = await server.buildUser({ name: 'Robin Writer' })
    const list = await browser.open(`/admin/users?search=${user.username}`)
    const body = new URLSearchParams({ authenticity_token: list.csrfToken })
    const block = (id: number | string) =>
      browser.send(`/admin/users/${id}/block`, { method: 'POST', body })
    expect((await block(admin.id)).status).toBe(422)
    expect((await show(admin.id)).state).toBe('active')
    for (const id of ['0', 'x', '99999999', '9'.repeat(30)]) {
      expect((await block(id)).status).toBe(404)
    }
  })
})

describe('a user', () => {
  it('is shown with the account, by id and by username', async () => {
    const user = await server.buildUser({ name: '"><script>x</script>' })
    for (const name of [user.id, user.username]) {
      const page = await browser.open(`/admin/users/${name}`)
      expect(page.heading).toBe('"><script>x</script>')
      expect(page.texts('tr')).toContain(`E-mail ${user.email}`)
    }
    expect((await browser.open('/admin/users/nobody-here')).status).toBe(404)
    expect((await browser.open('/admin/users/99999999')).status).toBe(404)
  })

  it('is created with a password, or with a link to choose one', async () => {
    const form = await (await browser.open('/admin/users')).follow('New user')
    const page = await form.press('Create user', {
      name: 'New Person',
      username: 'new-person',
      email: 'new@example.com',
      password: 'correct horse battery',
      external: '1',
    })
    expect(page.heading).toBe('New Person')
    const invited = await (await browser.open('/admin/users/new')).press('Create user', {
      name: 'Invited Person',
      username: 'invited',
      email: 'invited@example.com',
    })
    expect(invited.heading).toBe('Invited Person')
    const { body } = await server.inject('GET', '/users?username=new-person', {
      token: server.root.token,
    })
    expect(body[0]).toMatchObject({ email: 'new@example.com', external: true, is_admin: false })
    const own = await openBrowser(server, {
      username: 'new-person',
      password: 'correct horse battery',
    })
    expect((await own.open('/projects')).status).toBe(200)
  })

  it('that is refused is shown again with what was typed, but for the password', async () => {
    const page = await (await browser.open('/admin/users/new')).press('Create user', {
      name: 'Twice',
      username: admin.username,
      email: 'twice@example.com',
      password: 'a long password',
      admin: '1',
    })
    expect(page).toMatchObject({ status: 422, heading: 'New user' })
    expect(page.texts('.summary li')).toHaveLength(1)
    const value = (id: string) => page.document.getElementById(id)?.getAttribute('value')
    expect([value('user-name'), value('user-email'), value('user-password')]).toEqual([
      'Twice',
      'twice@example.com',
      '',
    ])
    expect(page.document.getElementById('user-admin')?.hasAttribute('checked')).toBe(true)
  })

  it('is edited', async () => {
    const user = await server.buildUser({ name: 'Before' })
    const form = await (await browser.open(`/admin/users/${user.id}`)).follow('Edit')
    const page = await form.press('Save user', {
      name: 'After',
      can_create_group: [],
      projects_limit: '7',
    })
    expect(page.heading).toBe('After')
    expect(await show(user.id)).toMatchObject({
      name: 'After',
      username: user.username,
      can_create_group: false,
      projects_limit: 7,
    })
    const taken = await form.press('Save user', { username: admin.username })
    expect(taken.status).toBe(422)
    expect(taken.document.querySelector('.summary a')?.getAttribute('href')).toBe('#user-username')
  })

  it('is deleted', async () => {
    const user = await server.buildUser({ name: 'Gone' })
    const page = await (await browser.open(`/admin/users/${user.id}`)).press('Delete Gone: confirm')
    expect(page.address).toBe('/admin/users')
    await server.runJobs()
    expect((await browser.open(`/admin/users/${user.id}`)).status).toBe(404)
  })

  it('has impersonation tokens, which are shown once and revoked', async () => {
    const user = await server.buildUser({ name: 'Somebody' })
    const address = `/admin/users/${user.id}`
    const page = await (await browser.open(address)).press('Create token', {
      name: 'Support',
      'scopes[]': ['read_user'],
      expires_at: '2099-01-01',
    })
    const [secret = ''] = page.texts('#new-secret')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const { body } = await server.inject('GET', '/user', { token: secret })
    expect(body.id).toBe(user.id)
    const later = await browser.open(address)
    expect(later.text).not.toContain(secret)
    expect(later.text).toContain('2099-01-01')
    const revoked = await later.press('Revoke Support: confirm')
    expect(revoked.texts('td .badge')).toEqual(['revoked'])
    expect((await server.inject('GET', '/user', { token: secret })).status).toBe(401)
    const refused = await revoked.press('Create token', { name: 'None', 'scopes[]': [] })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('token-name')?.getAttribute('value')).toBe('None')
  })
})
