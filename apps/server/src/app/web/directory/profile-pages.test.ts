/*
 * The settings of a user: profile, status, username, addresses, keys, notifications and colours; what
 * is refused is shown with what was typed. Pages that the server builds have the same design.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, await server.buildUser({ username: 'ann', name: 'Ann' }))
})
afterAll(() => server.close())

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ann@laptop'

describe('/-/profile', () => {
  it('sends visitors to sign in, and older addresses to the new ones', async () => {
    const visitor = await openBrowser(server)
    expect((await visitor.open('/-/profile/keys')).address).toContain('/users/sign_in')
    expect((await browser.open('/profile/keys')).address).toBe('/-/profile/keys')
  })

  it('saves what users say of themselves, which their page shows as text', async () => {
    const form = await browser.open('/-/profile')
    await form.press('Save changes', {
      bio: '<script>alert(1)</script>',
      website_url: 'javascript:alert(1)',
      location: 'X'.repeat(100),
    })
    await form.press('Set status', { message: 'Busy', emoji: 'rocket' })
    const shown = await browser.open('/ann')
    expect(shown).toMatchObject({ status: 200, heading: 'Ann' })
    expect(shown.texts('.profile p')).toContain('<script>alert(1)</script>')
    expect(shown.text).not.toContain('href="javascript:')
    expect(shown.texts('.status')[0]).toContain('Busy')
  })

  it('shows a refused form with what was typed', async () => {
    const refused = await (await browser.open('/-/profile')).press('Save changes', {
      name: '',
      bio: 'Kept',
    })
    expect(refused.status).toBe(422)
    const bio = refused.document.getElementById('profile-bio')
    expect(bio?.getAttribute('value')).toBe('Kept')
  })

  it('changes the username, unless it is taken', async () => {
    const own = await openBrowser(server, await server.buildUser({ username: 'cy' }))
    const form = await own.open('/-/profile/account')
    const refused = await form.press('Change username', { username: 'ann' })
    expect(refused.texts('.summary li')).toEqual(['Username has already been taken.'])
    await form.press('Change username', { username: 'cyrus' })
    expect((await own.open('/cyrus')).status).toBe(200)
    expect((await own.open('/cy')).address).toBe('/cyrus')
  })
})

describe('keys and addresses', () => {
  it('are added and removed', async () => {
    const keys = await browser.open('/-/profile/keys')
    expect((await keys.press('Add key', { key: 'nonsense', title: 'x' })).status).toBe(422)
    const added = await keys.press('Add key', { key, title: 'laptop' })
    expect(added.texts('.rows .mono')[0]).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    const removed = await added.press('Remove the key laptop: confirm')
    expect(removed.texts('.empty h2')).toEqual(['No SSH keys yet'])
    const emails = await browser.open('/-/profile/emails')
    expect((await emails.press('Add address', { email: 'no address' })).status).toBe(422)
    const more = await emails.press('Add address', { email: 'second@example.com' })
    expect(more.texts('.rows .strong')).toContain('second@example.com')
    const fewer = await more.press('Remove second@example.com: confirm')
    expect(fewer.texts('.rows .strong')).not.toContain('second@example.com')
  })

  it('of GPG are refused with what was typed', async () => {
    const form = await browser.open('/-/profile/gpg_keys')
    const refused = await form.press('Add key', { key: 'BEGIN <nothing>' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('gpg-key')?.text.trim()).toBe('BEGIN <nothing>')
  })
})

describe('preferences', () => {
  it('choose the colours of every page, also of those that the server builds', async () => {
    const theme = async (path: string) =>
      (await browser.open(path)).document.querySelector('html')?.getAttribute('data-theme')
    const form = await browser.open('/-/profile/preferences')
    expect(await theme('/explore')).toBeUndefined()
    await form.press('Save changes', { theme: 'dark' })
    expect(await theme('/explore')).toBe('dark')
    expect(await theme('/-/profile/personal_access_tokens')).toBe('dark')
    await form.press('Save changes', { theme: 'auto', view_diffs_file_by_file: '1' })
    expect(await theme('/explore')).toBeUndefined()
    const again = await browser.open('/-/profile/preferences')
    const box = again.document.getElementById('view_diffs_file_by_file')
    expect(box?.hasAttribute('checked')).toBe(true)
  })

  it('of notifications are kept', async () => {
    const form = await browser.open('/-/profile/notifications')
    const saved = await form.press('Save changes', { level: 'custom', new_issue: '1' })
    expect(saved.document.getElementById('level-custom')?.hasAttribute('checked')).toBe(true)
    expect(saved.document.getElementById('notifications-new_issue')?.hasAttribute('checked')).toBe(
      true,
    )
  })
})

describe('the pages that the server builds', () => {
  it('have the header, the style sheet and the links of all others', async () => {
    const tokens = await browser.open('/-/profile/personal_access_tokens')
    const other = await browser.open('/-/profile')
    const sheet = (page: typeof tokens) =>
      page.document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
    expect(sheet(tokens)).toBe(sheet(other))
    expect(tokens.texts('.side a')).toEqual(other.texts('.side a'))
    expect(tokens.texts('.side a[aria-current]')).toEqual(['Access tokens'])
  })
})
