/*
 * /admin/application_settings:
 * - has a form for each area, with every setting that the server follows; secrets are masked;
 * - saves the settings of one form, whatever their type, which the audit log names;
 * - shows what is wrong, keeps what was typed, and saves nothing.
 */
import { type SettingName, settingNames, settingOf } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { setSettings } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())

const path = '/admin/application_settings'
const buttons = {
  access: 'Save Accounts and access',
  content: 'Save Projects and repositories',
  services: 'Save Other services',
  pages: 'Save Pages',
}
const settings = async () =>
  (await server.inject('GET', '/application/settings', { token: server.root.token })).body

describe('GET /admin/application_settings', () => {
  it('has a field for every setting that the server follows', async () => {
    const page = await browser.open(path)
    const names = page.document
      .querySelectorAll('main input, main select, main textarea')
      .map((field) => field.getAttribute('name'))
    const followed = settingNames.filter((name: SettingName) => settingOf(name).acts)
    expect(names.filter((name) => name !== 'authenticity_token').toSorted()).toEqual(
      followed.toSorted(),
    )
  })

  it('masks secrets, which the style sheet hides as well', async () => {
    await setSettings(server, { searchengine_aws_secret_access_key: 'never-to-be-seen' })
    const page = await browser.open(path)
    expect(page.text).not.toContain('never-to-be-seen')
    const field = page.document.getElementById('searchengine_aws_secret_access_key')
    expect(field?.getAttribute('class')).toBe('secret')
    expect(field?.getAttribute('type')).toBe('text')
    await page.press(buttons.services)
    const { searchengine_aws_secret_access_key: stored } = server.app.settings
    expect(stored).toBe('never-to-be-seen')
  })
})

describe('POST /admin/application_settings', () => {
  it('saves the settings of one form, whatever their type', async () => {
    const saved = await (await browser.open(path)).press(buttons.access, {
      signup_enabled: '1',
      password_authentication_enabled_for_git: [],
      domain_blacklist: 'one.test\r\n\r\n *.two.test ',
      domain_blacklist_enabled: '1',
      session_expire_delay: '60',
      after_sign_up_text: 'Wel\r\ncome',
    })
    expect(saved.address).toBe(path)
    expect(await settings()).toMatchObject({
      signup_enabled: true,
      password_authentication_enabled_for_git: false,
      domain_blacklist: ['one.test', '*.two.test'],
      session_expire_delay: 60,
      after_sign_up_text: 'Wel\ncome',
      default_project_visibility: 'private',
    })
    const ticked = (name: string) => saved.document.getElementById(name)?.hasAttribute('checked')
    expect([ticked('signup_enabled'), ticked('password_authentication_enabled_for_git')]).toEqual([
      true,
      false,
    ])
    expect(saved.text).toContain('>\none.test\n*.two.test</textarea>')
  })

  it('changes nothing when each form is saved unchanged', async () => {
    const before = await settings()
    expect(before.enabled_git_access_protocol).toBeNull()
    for (const button of Object.values(buttons)) {
      const page = await browser.open(path)
      const lists = page.document.querySelectorAll('main select')
      expect(lists.length).toBeGreaterThan(3)
      for (const list of lists) {
        expect(list.querySelectorAll('option[selected]')).toHaveLength(1)
      }
      expect((await page.press(button)).status).toBe(200)
    }
    expect(await settings()).toEqual(before)
  })

  it('shows what is wrong, keeps what was typed, and saves nothing', async () => {
    const before = await settings()
    const page = await (await browser.open(path)).press(buttons.content, {
      default_projects_limit: '-1',
      max_attachment_size: '<b>7',
    })
    expect(page.status).toBe(422)
    expect(page.texts('.summary li')).toContain('default_projects_limit is invalid.')
    const href = page.document.querySelectorAll('.summary a').map((a) => a.getAttribute('href'))
    expect(href.toSorted()).toEqual(['#default_projects_limit', '#max_attachment_size'])
    expect(page.text).toContain('value="&lt;b&gt;7"')
    expect(await settings()).toEqual(before)
  })

  it('shows what the rules of the settings refuse', async () => {
    const before = await settings()
    const page = await (await browser.open(path)).press(buttons.access, {
      domain_blacklist_enabled: '1',
      domain_blacklist: '',
    })
    expect(page.status).toBe(422)
    expect(page.texts('.summary li')).toEqual(["Domain blacklist can't be blank."])
    expect(await settings()).toEqual(before)
  })

  it('of an area that is none answers 404', async () => {
    const { csrfToken } = await browser.open(path)
    const body = new URLSearchParams({ authenticity_token: csrfToken })
    expect((await browser.send(`${path}/nothing`, { method: 'POST', body })).status).toBe(404)
  })

  it('is in the audit log, without secrets', async () => {
    await setSettings(server, {
      home_page_url: 'https://a.test/<b>',
      searchengine_aws_secret_access_key: 'never-to-be-seen-either',
    })
    const page = await browser.open('/admin/audit_events')
    expect(page.text).toContain('change home_page_url: – → https://a.test/&lt;b&gt;')
    expect(page.text).toContain('change searchengine_aws_secret_access_key: ******** → ********')
    expect(page.text).not.toContain('never-to-be-seen')
    expect(page.text).toContain('ApplicationSettings settings')
    const users = await browser.open('/admin/audit_events?entity_type=Project&entity_id=1')
    expect(users.text).not.toContain('home_page_url')
    const past = await browser.open('/admin/audit_events?created_before=2001-01-01')
    expect(past.texts('.empty h2')).toEqual(['No events'])
    for (const odd of [
      'created_after=x',
      'created_after=2020-99-99',
      'entity_type=x',
      'entity_id=-1',
    ]) {
      expect((await browser.open(`/admin/audit_events?${odd}`)).status).toBe(200)
    }
  })
})
