/*
 * What administrators manage of the instance: groups and projects with their storage, appearance,
 * broadcast messages, system hooks, public deploy keys, OAuth2 applications, features, and the tier.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HookReceiver, startHookReceiver } from '../../../testing/clients/hook-receiver.ts'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildPublicKey } from '../../../testing/git/ssh-key.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let receiver: HookReceiver
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  receiver = await startHookReceiver()
  await setSetting(server, 'allow_local_requests_from_hooks_and_services', true)
  browser = await openBrowser(server, server.root)
})
afterAll(async () => {
  await receiver?.close()
  await server?.close()
})

const read = async (path: string) =>
  (await server.inject('GET', path, { token: server.root.token })).body

describe('the lists of', () => {
  it('projects show all with their storage, and are searched', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({ visibility: 'private' }, owner)
    const page = await browser.open(`/admin/projects?search=${project.path}`)
    const [row] = page.texts('tbody tr')
    expect(row).toContain(project.path_with_namespace)
    expect(row).toContain('private')
    expect(row).toContain('0 bytes')
    expect((await page.follow(`Settings of ${project.path_with_namespace}`)).status).toBe(200)
    const none = await browser.open('/admin/projects?search=no-such-project')
    expect(none.texts('.empty h2')).toEqual(['No project was found'])
  })

  it('groups show all with their storage', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'private', name: 'Anvil' }, owner)
    const page = await browser.open(`/admin/groups?search=${group.path}`)
    expect(page.texts('tbody tr')).toHaveLength(1)
    expect(page.texts('tbody td').slice(1)).toEqual(['private', '0 bytes', 'Settings'])
    expect(page.texts('tbody a')[0]).toContain(group.full_path)
  })
})

describe('/admin/appearance', () => {
  it('changes texts and pictures, and removes these', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const saved = await (await browser.open('/admin/appearance')).press('Save appearance', {
      title: 'Our <b>code</b>',
      header_message: 'Moved',
      message_background_color: '#112233',
      header_logo: new File([png], 'logo.png', { type: 'image/png' }),
    })
    expect(await read('/application/appearance')).toMatchObject({
      title: 'Our <b>code</b>',
      header_message: 'Moved',
      message_background_color: '#112233',
      header_logo: expect.stringContaining('.png'),
    })
    expect(saved.text).not.toContain('Our <b>code')
    await saved.press('Save appearance', { remove_header_logo: '1' })
    expect((await read('/application/appearance')).header_logo).toBeNull()
  })

  it('keeps what was typed when it is refused', async () => {
    const page = await (await browser.open('/admin/appearance')).press('Save appearance', {
      title: 'Kept',
      message_font_color: 'pink',
    })
    expect(page.status).toBe(422)
    expect(page.document.getElementById('appearance-title')?.getAttribute('value')).toBe('Kept')
  })
})

describe('/admin/broadcast_messages', () => {
  it('adds, changes and deletes messages', async () => {
    const list = await browser.open('/admin/broadcast_messages')
    expect(list.texts('.empty h2')).toEqual(['No messages'])
    const added = await list.press('Add message', { message: 'Down at <i>noon</i>' })
    expect(added.texts('td .badge')).toEqual(['shown now'])
    expect(added.text).not.toContain('<i>noon')
    const form = await added.follow('Down at <i>noon</i>')
    await form.press('Save message', {
      message: 'Down at one',
      ends_at: '2099-01-01T00:00:00Z',
      color: '#112233',
    })
    const [message] = await read('/broadcast_messages')
    expect(message).toMatchObject({
      message: 'Down at one',
      ends_at: '2099-01-01T00:00:00.000Z',
      color: '#112233',
    })
    const refused = await form.press('Save message', { message: 'Kept', starts_at: 'soon' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('message-starts_at')?.getAttribute('value')).toBe('soon')
    const listed = await browser.open('/admin/broadcast_messages')
    await listed.press('Delete Down at one: confirm')
    expect(await read('/broadcast_messages')).toEqual([])
  })
})

describe('/admin/hooks', () => {
  it('adds, tests and deletes system hooks', async () => {
    const list = await browser.open('/admin/hooks')
    const added = await list.press('Add system hook', { url: receiver.url, push_events: '1' })
    expect(await read('/hooks')).toMatchObject([{ url: receiver.url, push_events: true }])
    const page = await added.follow(receiver.url)
    await server.buildProject({ initialize_with_readme: true })
    const tested = await page.press('Send test event', { trigger: 'push_events' })
    expect(tested.texts('[role=status] .badge')).toEqual(['200'])
    expect((await added.follow(receiver.url)).texts('#deliveries .badge')).toContain('200')
    const refused = await list.press('Add system hook', { url: 'ftp://x' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('hook-url')?.getAttribute('value')).toBe('ftp://x')
    await (await browser.open('/admin/hooks')).press(`Delete ${receiver.url}: confirm`)
    expect(await read('/hooks')).toEqual([])
    expect((await browser.open('/admin/hooks/99999')).status).toBe(404)
  })
})

describe('/admin/deploy_keys', () => {
  it('adds and deletes public keys', async () => {
    const list = await browser.open('/admin/deploy_keys')
    const refused = await list.press('Add key', { title: 'Bad', key: 'none' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('key-title')?.getAttribute('value')).toBe('Bad')
    const added = await list.press('Add key', { title: 'Backup', key: buildPublicKey() })
    expect((await read('/deploy_keys'))[0]).toMatchObject({ title: 'Backup' })
    await added.press('Delete Backup: confirm')
    expect(await read('/deploy_keys')).toEqual([])
  })
})

describe('/admin/applications', () => {
  it('creates applications, whose secret is shown once, and deletes them', async () => {
    const list = await browser.open('/admin/applications')
    const created = await list.press('Create application', {
      name: 'Chat',
      redirect_uri: 'https://chat.test/cb\nhttps://chat.test/other',
      scopes: 'read_user',
      trusted: '1',
    })
    const [secret = ''] = created.texts('#new-secret')
    expect(secret.length).toBeGreaterThan(20)
    expect(created.headers.get('cache-control')).toBe('no-store')
    const later = await browser.open('/admin/applications')
    expect(later.text).not.toContain(secret)
    expect((await read('/applications'))[0]).toMatchObject({
      application_name: 'Chat',
      confidential: true,
      trusted: true,
    })
    const refused = await later.press('Create application', {
      name: 'Bad',
      redirect_uri: 'javascript:alert(1)',
    })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('application-name')?.getAttribute('value')).toBe('Bad')
    await later.press('Delete Chat: confirm')
    expect(await read('/applications')).toEqual([])
  })
})

describe('/admin/features', () => {
  it('sets, switches and deletes features', async () => {
    const list = await browser.open('/admin/features')
    const set = await list.press('Set feature', { name: 'new_search', value: '25' })
    expect(set.texts('td .badge')).toEqual(['conditional'])
    const on = await set.press('Turn new_search on')
    expect((await read('/features'))[0]).toMatchObject({ name: 'new_search', state: 'on' })
    for (const value of ['maybe', '', '101', '1e9']) {
      const refused = await on.press('Set feature', { name: 'other', value })
      expect(refused.status).toBe(422)
      expect(refused.document.getElementById('feature-value')?.getAttribute('value')).toBe(value)
    }
    const unknown = await on.press('Set feature', { name: 'other', value: 'true', user: 'nobody' })
    expect(unknown.status).toBe(422)
    await on.press('Delete new_search: confirm')
    expect((await read('/features')).map(({ name }: { name: string }) => name)).not.toContain(
      'new_search',
    )
  })
})

describe('GET /admin/license', () => {
  it('shows the tier', async () => {
    expect((await browser.open('/admin/license')).texts('tr')).toContain('Tier ultimate')
  })

  it('says so where there is none', async () => {
    const community = await buildTestServer({ tier: 'community' })
    try {
      const own = await openBrowser(community, community.root)
      expect((await own.open('/admin/license')).texts('.empty h2')).toEqual(['Community tier'])
      expect((await own.open('/admin')).texts('tr')).toContain('License community')
    } finally {
      await community.close()
    }
  })
})
