/*
 * The pages below /admin:
 * - are for administrators: visitors sign in first, for other users they do not exist;
 * - escape what users wrote, and have a strict content security policy;
 * - show counts and disk use, users with their state, and projects with their storage;
 * - search, and page through lists;
 * - draw the backlog of each queue now, and of all over the last day, and name the workers;
 * - change settings, which the audit log names, without secrets;
 * - block and unblock users, with the token of the form only.
 */
import { enqueueJob, listJobSamples, readBacklogs, saveJobSample } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleJobs } from '../../platform/jobs/job-samples.ts'
import { openBrowser, tokenOf } from '../../testing/clients/browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let admin: TestUser
let browser: ReturnType<typeof openBrowser>

beforeAll(async () => {
  server = await buildTestServer()
  admin = await server.buildUser({ admin: true, name: 'Ada <b>Admin</b>' })
  browser = openBrowser(server)
  await browser.signIn(admin.username, admin.password)
})
afterAll(() => server.close())

const pages = [
  '/admin',
  '/admin/users',
  '/admin/projects',
  '/admin/jobs',
  '/admin/application_settings',
  '/admin/audit_events',
]

describe('the administration pages', () => {
  it.each(pages)('send visitors to the sign-in: %s', async (page) => {
    const { status, headers } = await openBrowser(server).send('GET', page)
    expect([status, headers.location]).toEqual([
      302,
      `/users/sign_in?return_to=${encodeURIComponent(page)}`,
    ])
  })

  it.each(pages)('do not exist for other users: %s', async (page) => {
    const user = await server.buildUser()
    const other = openBrowser(server)
    await other.signIn(user.username, user.password)
    expect((await other.send('GET', page)).status).toBe(404)
    expect((await other.send('GET', '/')).text).not.toContain('href="/admin"')
  })

  it.each(pages)('name the current page, escape, and cannot be framed: %s', async (page) => {
    const { status, text, headers } = await browser.send('GET', page)
    expect(status).toBe(200)
    expect(text).toContain(`<a href="${page}" aria-current="page">`)
    expect(text).not.toContain('<b>Admin')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect((await browser.send('GET', '/')).text).toContain('href="/admin"')
  })
})

describe('GET /admin', () => {
  it('shows counts and disk use', async () => {
    await server.buildProject()
    const { text } = await browser.send('GET', '/admin')
    expect(text).toMatch(/<th scope="row">Projects<\/th><td class="number">[1-9]/)
    expect(text).toMatch(/Free on the disk<\/th><td class="number">[\d.]+ [KMGT]iB of/)
  })
})

describe('GET /admin/users', () => {
  it('searches by name, username and address, and pages', async () => {
    const user = await server.buildUser({ name: 'Grace Hopper' })
    for (const search of ['Hopper', user.username, user.email.slice(2, 9)]) {
      const { text } = await browser.send(
        'GET',
        `/admin/users?search=${encodeURIComponent(search)}`,
      )
      expect(text).toContain(user.email)
    }
    const none = await browser.send('GET', '/admin/users?search=nobody-at-all')
    expect(none.text).toContain('No user was found.')
    for (const page of ['0', '-1', 'x', '999999', '9'.repeat(40)]) {
      expect((await browser.send('GET', `/admin/users?page=${page}`)).status).toBe(200)
    }
  })

  it('links to the pages before and after', async () => {
    await Promise.all(Array.from({ length: 51 }, () => server.buildUser({ name: 'One of many' })))
    const first = await browser.send('GET', '/admin/users?search=of+many')
    expect(first.text).toContain('href="/admin/users?page=2&amp;search=of+many"')
    const second = await browser.send('GET', '/admin/users?page=2&search=of+many')
    expect(second.text).toContain('Page 2 of 2')
    expect(second.text).toContain('href="/admin/users?page=1&amp;search=of+many"')
  })

  it('blocks and unblocks, but not the administrator themselves', async () => {
    const user = await server.buildUser()
    const state = async () =>
      (await server.inject('GET', `/users/${user.id}`, { token: server.root.token })).body.state
    const list = `/admin/users?search=${user.username}`
    expect((await browser.submit(list, {}, `/admin/users/${user.id}/block`)).status).toBe(302)
    expect(await state()).toBe('blocked')
    expect((await browser.send('GET', list)).text).toContain(`/admin/users/${user.id}/unblock`)
    expect((await browser.submit(list, {}, `/admin/users/${user.id}/unblock`)).status).toBe(302)
    expect(await state()).toBe('active')
    const own = await browser.send('GET', `/admin/users?search=${admin.username}`)
    expect(own.text).not.toContain(`/admin/users/${admin.id}/block`)
    expect((await browser.submit(list, {}, `/admin/users/${admin.id}/block`)).status).toBe(403)
  })

  it('blocks nobody without the token of the form, or without the rights', async () => {
    const user = await server.buildUser()
    const path = `/admin/users/${user.id}/block`
    expect((await browser.send('POST', path, 'authenticity_token=wrong')).status).toBe(422)
    const other = openBrowser(server)
    const stranger = await server.buildUser()
    await other.signIn(stranger.username, stranger.password)
    const token = tokenOf((await other.send('GET', '/-/profile/password/new')).text)
    expect((await other.send('POST', path, `authenticity_token=${token}`)).status).toBe(404)
    const { body } = await server.inject('GET', `/users/${user.id}`, { token: server.root.token })
    expect(body.state).toBe('active')
    for (const id of ['0', 'x', '99999999', '9'.repeat(30)]) {
      const list = '/admin/users'
      expect((await browser.submit(list, {}, `/admin/users/${id}/block`)).status).toBe(404)
    }
  })
})

describe('GET /admin/projects', () => {
  it('lists all projects with their storage', async () => {
    const project = await server.buildProject({ visibility: 'private' })
    const { text } = await browser.send('GET', `/admin/projects?search=${project.path}`)
    expect(text).toContain(`<td>${project.path_with_namespace}</td><td>private</td>`)
    expect(text).toContain('0 bytes')
  })
})

describe('/admin/application_settings', () => {
  const page = '/admin/application_settings'
  const settings = async () =>
    (await server.inject('GET', '/application/settings', { token: server.root.token })).body

  it('saves the settings of one form, whatever their type', async () => {
    const { status, headers } = await browser.submit(
      page,
      {
        signup_enabled: 'true',
        domain_blacklist: 'one.test\r\n\r\n *.two.test ',
        domain_blacklist_enabled: 'true',
        session_expire_delay: '60',
        after_sign_up_text: 'Wel\r\ncome',
      },
      `${page}/access`,
    )
    expect([status, headers.location]).toEqual([302, `${page}#access`])
    expect(await settings()).toMatchObject({
      signup_enabled: true,
      password_authentication_enabled_for_git: false,
      domain_blacklist: ['one.test', '*.two.test'],
      session_expire_delay: 60,
      after_sign_up_text: 'Wel\ncome',
      default_project_visibility: 'private',
    })
    const { text } = await browser.send('GET', page)
    expect(text).toMatch(/id="signup_enabled" name="signup_enabled" value="true" checked/)
    expect(text).toContain('>\none.test\n*.two.test</textarea>')
  })

  it('has a selected option in every list, so that saving it unchanged changes nothing', async () => {
    const before = await settings()
    expect(before.enabled_git_access_protocol).toBeNull()
    const { text } = await browser.send('GET', page)
    const lists = [...text.matchAll(/<select [^>]*name="(\w+)"[^>]*>(.*?)<\/select>/g)]
    expect(lists.length).toBeGreaterThan(3)
    const chosen = lists.map(([, name = '', options = '']) => [
      name,
      /<option selected>(\w+)<\/option>/.exec(options)?.[1],
    ])
    expect(chosen.filter(([, value]) => value === undefined)).toEqual([])
    const protocol = Object.fromEntries(chosen).enabled_git_access_protocol
    const form = { enabled_git_access_protocol: protocol }
    const { status } = await browser.submit(page, form, `${page}/content`)
    expect(status).toBe(302)
    expect((await settings()).enabled_git_access_protocol).toBeNull()
  })

  it('shows what is wrong, keeps what was typed, and saves nothing', async () => {
    const before = await settings()
    const form = { default_projects_limit: '-1', max_attachment_size: '<b>7' }
    const { status, text } = await browser.submit(page, form, `${page}/content`)
    expect(status).toBe(422)
    expect(text).toContain(
      '<a href="#default_projects_limit">default_projects_limit is invalid.</a>',
    )
    expect(text).toContain('value="&lt;b&gt;7"')
    expect(await settings()).toEqual(before)
    const blank = { domain_blacklist_enabled: 'true', domain_blacklist: '' }
    const rule = await browser.submit(page, blank, `${page}/access`)
    expect([rule.status, rule.text]).toEqual([
      422,
      expect.stringContaining('domain_blacklist can&#39;t be blank.'),
    ])
  })

  it('changes nothing without the token of the form', async () => {
    const before = await settings()
    const body = 'authenticity_token=x&home_page_url=https://evil.test'
    expect((await browser.send('POST', `${page}/pages`, body)).status).toBe(422)
    expect(await settings()).toEqual(before)
    expect((await browser.submit(page, {}, `${page}/nothing`)).status).toBe(404)
  })
})

describe('GET /admin/jobs', () => {
  it('draws the backlog of each queue', async () => {
    const add = (queue: string) =>
      server.app.db.transaction((tx) =>
        enqueueJob(tx, { queue, kind: 'nothing', payload: null }, server.app.now() - 5000),
      )
    for (const queue of ['users', 'users', 'pushes']) await add(queue)
    const { text } = await browser.send('GET', '/admin/jobs')
    expect(text).toContain('aria-label="Due jobs of each queue"')
    expect(text).toMatch(/>users<\/text>\n<rect class="bar" x="150" y="\d+" width="490"/)
    expect(text).toMatch(/>pushes<\/text>\n<rect class="bar" x="150" y="\d+" width="245"/)
    expect(text).toContain(
      '<tr><td>users</td>\n<td class="number">2</td><td class="number">5 s</td>',
    )
    expect(text).toContain('No worker is running.')
    await server.runJobs()
  })

  it('draws the last day, which is interrupted where nothing was recorded', async () => {
    const { app } = server
    expect((await browser.send('GET', '/admin/jobs')).text).toContain('has not been recorded')
    const now = Math.floor(app.now() / 60_000)
    for (const [ago, backlog] of [
      [10, 4],
      [9, 2],
      [7, 1],
      [1, 3],
      [0, 1],
    ] as const) {
      await saveJobSample(app.db, { minute: now - ago, backlog, latency: backlog * 1500 })
    }
    const { text } = await browser.send('GET', '/admin/jobs')
    expect(text).toContain('aria-label="Due jobs, at most 4"')
    expect(text).toContain('aria-label="Longest wait, at most 6 s"')
    expect(text.match(/<polygon/g)).toHaveLength(4)
    expect(text).toContain('points="711.5,116 711.5,44 712,92 712,116"')
  })

  it('draws what is recorded once a minute, for a day', async () => {
    const { app } = server
    server.advance(60_000)
    await sampleJobs(app)
    const queues = await readBacklogs(app.db, app.now())
    const backlog = queues.reduce((sum, queue) => sum + queue.backlog, 0)
    const samples = await listJobSamples(app.db, 0)
    expect(samples.at(-1)).toMatchObject({ minute: Math.floor(app.now() / 60_000), backlog })
    await sampleJobs(app)
    expect(await listJobSamples(app.db, 0)).toEqual(samples)
    server.advance(24 * 60 * 60_000)
    await sampleJobs(app)
    expect(await listJobSamples(app.db, 0)).toHaveLength(1)
  })
})

describe('GET /admin/audit_events', () => {
  it('shows who did what, newest first, escaped and without secrets', async () => {
    const body = { home_page_url: 'https://a.test/<b>', spamfilter_api_key: 'never-to-be-seen' }
    const token = server.root.token
    expect((await server.inject('PUT', '/application/settings', { token, body })).status).toBe(200)
    const { text } = await browser.send('GET', '/admin/audit_events')
    expect(text).toContain('change home_page_url: – → https://a.test/&lt;b&gt;')
    expect(text).toContain('change spamfilter_api_key: – → ********')
    expect(text).not.toContain('never-to-be-seen')
    expect(text).toContain('ApplicationSettings settings')
  })
})
