/*
 * Webhooks of projects and groups, `…/-/hooks` and `…/-/hooks/:id/edit`:
 * - for those who manage the project, or own the group;
 * - are added, changed and deleted; the token is never shown, and stays if it isn't typed again;
 * - a test shows what was sent and answered; deliveries are listed, and one is shown as a whole;
 * - a refused form keeps what was typed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HookReceiver, startHookReceiver } from '../../testing/clients/hook-receiver.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let receiver: HookReceiver
let owner: TestUser
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  receiver = await startHookReceiver()
  await setSetting(server, 'allow_local_requests_from_hooks_and_services', true)
  owner = await server.buildUser()
  browser = await openBrowser(server, owner)
})
afterAll(async () => {
  await receiver?.close()
  await server?.close()
})

async function buildOwner(kind: 'project' | 'group') {
  if (kind === 'project') {
    const project = await server.buildProject({ initialize_with_readme: true }, owner)
    const path = project.path_with_namespace
    return { api: `/projects/${project.id}`, hooks: `/${path}/-/hooks` }
  }
  const group = await server.buildGroup({}, owner)
  await server.buildProject({ namespace_id: group.id, initialize_with_readme: true }, owner)
  return { api: `/groups/${group.id}`, hooks: `/groups/${group.full_path}/-/hooks` }
}

describe.each(['project', 'group'] as const)('webhooks of a %s', (kind) => {
  const read = async (path: string) =>
    (await server.inject('GET', path, { token: owner.token })).body

  it('are for those who manage it', async () => {
    const { api, hooks } = await buildOwner(kind)
    const developer = await server.buildUser()
    await server.addMember(api.slice(1), developer.id, 30)
    expect((await browser.open(hooks)).heading).toBe('Webhooks')
    expect((await (await openBrowser(server, developer)).open(hooks)).status).toBe(403)
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(hooks)).status).toBe(404)
  })

  it('are added, changed and deleted', async () => {
    const { api, hooks } = await buildOwner(kind)
    const empty = await browser.open(hooks)
    expect(empty.texts('.empty h2')).toEqual(['No webhooks'])
    const list = await empty.press('Add webhook', {
      url: receiver.url,
      token: 'never-shown',
      push_events: [],
      issues_events: '1',
    })
    expect(list.text).not.toContain('never-shown')
    const [hook] = await read(`${api}/hooks`)
    expect(hook).toMatchObject({
      url: receiver.url,
      push_events: false,
      issues_events: true,
      enable_ssl_verification: true,
    })
    const page = await list.follow(receiver.url)
    expect(page.heading).toBe('Webhook')
    const saved = await page.press('Save webhook', {
      note_events: '1',
      push_events_branch_filter: 'release/*',
      enable_ssl_verification: [],
    })
    expect(saved.status).toBe(200)
    expect(await read(`${api}/hooks/${hook.id}`)).toMatchObject({
      issues_events: true,
      note_events: true,
      push_events_branch_filter: 'release/*',
      enable_ssl_verification: false,
    })
    const before = receiver.received.length
    await saved.press('Send test event', { trigger: 'push_events' })
    expect(receiver.received[before]?.headers['x-stithy-token']).toBe('never-shown')
    const emptied = await (await browser.open(hooks)).press(`Delete ${receiver.url}: confirm`)
    expect(emptied.texts('.empty h2')).toEqual(['No webhooks'])
  })

  it('show what a test has sent and received, and list deliveries', async () => {
    const { hooks } = await buildOwner(kind)
    const list = await (await browser.open(hooks)).press('Add webhook', { url: receiver.url })
    const page = await list.follow(receiver.url)
    expect(page.texts('#deliveries .empty h2')).toEqual(['Nothing was sent yet'])
    receiver.answer = () => ({ status: 418, body: '<script>alert(1)</script>' })
    const tested = await page.press('Send test event', { trigger: 'push_events' })
    receiver.answer = () => ({ status: 200 })
    expect(tested.texts('[role=status] .badge')).toEqual(['418'])
    expect(tested.text).toContain('&quot;object_kind&quot;: &quot;push&quot;')
    expect(tested.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(tested.text).not.toContain('<script>alert')
    const later = await list.follow(receiver.url)
    expect(later.texts('#deliveries .badge')).toEqual(['418'])
    expect(later.document.querySelector('#deliveries pre')).toBeNull()
    const opened = await later.follow('push_events')
    expect(opened.text).toContain('&quot;object_kind&quot;: &quot;push&quot;')
  })

  it('are refused with an address that is none, which is kept', async () => {
    const { api, hooks } = await buildOwner(kind)
    const page = await (await browser.open(hooks)).press('Add webhook', {
      url: 'javascript:alert(1)',
      push_events: [],
      wiki_page_events: '1',
    })
    expect(page).toMatchObject({ status: 422, heading: 'Webhooks' })
    expect(page.texts('.summary li')).toHaveLength(1)
    expect(page.document.getElementById('hook-url')?.getAttribute('value')).toBe(
      'javascript:alert(1)',
    )
    const ticked = page.document.querySelectorAll('input[checked]').map(({ id }) => id)
    expect(ticked).toEqual(['hook-wiki_page_events', 'hook-enable_ssl_verification'])
    expect(await read(`${api}/hooks`)).toEqual([])
  })

  it('that are not there answer 404', async () => {
    const { hooks } = await buildOwner(kind)
    for (const id of ['0', 'x', '99999999', '9'.repeat(30)]) {
      expect((await browser.open(`${hooks}/${id}/edit`)).status).toBe(404)
    }
  })
})
