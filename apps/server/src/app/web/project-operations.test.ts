/*
 * Environments of a project with their deployments, and what scanners found in it: lists with their
 * filters, every action, who may see and do it, and refusals that keep what was typed.
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
  const add = async (path: string, body: Json) => {
    const answer = await server.inject('POST', `${api}${path}`, { token, body })
    expect(answer.status).toBe(201)
    return answer.body
  }
  return { project, read, add, path: `/${project.path_with_namespace}/-` }
}

describe('/<project>/-/environments', () => {
  it('creates, changes, stops and deletes environments', async () => {
    const { path, read } = await build()
    const list = await browser.open(`${path}/environments`)
    expect(list.texts('.empty h2')).toEqual(['No available environments'])
    const page = await list.press('Create environment', {
      name: 'production',
      external_url: 'https://example.com/?a="b"',
    })
    expect(page.heading).toBe('production')
    const saved = await page.press('Save environment', { name: 'live' })
    expect(saved.heading).toBe('live')
    const stopped = await saved.press('Stop environment')
    expect((await read('/environments'))[0]).toMatchObject({ name: 'live', state: 'stopped' })
    expect((await browser.open(`${path}/environments?states=stopped`)).texts('td a')[0]).toBe(
      'live',
    )
    await stopped.press('Delete environment')
    expect(await read('/environments')).toEqual([])
    expect((await browser.open(stopped.address)).status).toBe(404)
  })

  it('keeps what was typed when it is refused', async () => {
    const { path } = await build()
    const page = await (await browser.open(`${path}/environments`)).press('Create environment', {
      name: 'a <b>!',
      external_url: 'javascript:alert(1)',
    })
    expect(page.status).toBe(422)
    expect(page.document.getElementById('environment-name')?.getAttribute('value')).toBe('a <b>!')
    expect(page.document.querySelector('a[href^=javascript]')).toBeNull()
  })

  it('shows the deployments, the newest first', async () => {
    const { path, add, read, project } = await build()
    const [commit] = await read('/repository/commits')
    for (const status of ['success', 'failed']) {
      await add('/deployments', {
        environment: 'production',
        sha: commit.id,
        ref: project.default_branch ?? 'master',
        status,
      })
    }
    const page = await (await browser.open(`${path}/environments`)).follow('production')
    expect(page.texts('td .badge')).toEqual(['failed', 'success'])
    expect(page.texts('td code')).toEqual(Array(2).fill(commit.id.slice(0, 8)))
  })

  it('are read by reporters, who change none, and hidden from others', async () => {
    const { path, project, add } = await build({ visibility: 'public' })
    const { id } = await add('/environments', { name: 'production' })
    const [reporter, guest] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    const page = await (await openBrowser(server, reporter)).open(`${path}/environments`)
    expect(page.texts('.place .tabs a')).toContain('Environments')
    expect(page.document.querySelector('main form')).toBeNull()
    const one = await (await openBrowser(server, reporter)).open(`${path}/environments/${id}`)
    expect(one.document.querySelector('main form')).toBeNull()
    const asGuest = await (await openBrowser(server, guest)).open(`${path}/environments`)
    expect(asGuest.status).toBe(403)
    const asVisitor = await (await openBrowser(server)).open(`${path}/environments`)
    expect(asVisitor.address).toContain('/users/sign_in')
  })
})

describe('/<project>/-/security/vulnerabilities', () => {
  const report = {
    version: '2.0',
    vulnerabilities: [
      {
        name: 'Injection <script>x</script>',
        severity: 'Critical',
        confidence: 'High',
        scanner: { id: 'eye', name: 'Eye' },
        cve: 'one',
        description: 'Bad',
        location: { file: 'a.ts', start_line: 3 },
        identifiers: [{ type: 'cve', name: 'CVE-1', value: 'CVE-1', url: 'https://cve.test/1' }],
      },
      { name: 'Weak hash', severity: 'Low', scanner: { id: 'eye' }, cve: 'two' },
    ],
  }

  it('lists, filters, dismisses with a reason and restores', async () => {
    const { path, add } = await build()
    const address = `${path}/security/vulnerabilities`
    expect((await browser.open(address)).texts('.empty h2')).toEqual(['No vulnerabilities'])
    await add('/vulnerabilities/reports?report_type=sast', report)
    const list = await browser.open(address)
    expect(list.texts('.rows .title')).toEqual(['Injection <script>x</script>', 'Weak hash'])
    expect(list.texts('.rows .badge')).toEqual(['critical', 'low'])
    expect(list.text).not.toContain('<script>x')
    const low = await browser.open(`${address}?severity=low`)
    expect(low.texts('.rows .title')).toEqual(['Weak hash'])
    const left = await low.press('Dismiss Weak hash: confirm', { comment: 'Only <b>tests</b>' })
    expect(left.address).toBe(`${address}?severity=low`)
    expect(left.texts('.rows .title')).toEqual([])
    const all = await browser.open(`${address}?scope=all`)
    expect(all.text).toContain('Only &lt;b&gt;tests&lt;/b&gt;')
    await all.press('Restore Weak hash')
    expect((await browser.open(address)).texts('.rows .title')).toHaveLength(2)
    for (const odd of ['severity=x', 'report_type=%00', 'confidence=', 'ref=../..', 'scope=9']) {
      const answer = await browser.open(`${address}?${odd}`)
      expect([200, 400]).toContain(answer.status)
    }
  })

  it('creates an issue, once', async () => {
    const { path, add, read } = await build()
    await add('/vulnerabilities/reports?report_type=sast', report)
    const list = await browser.open(`${path}/security/vulnerabilities`)
    await list.press('Create issue for Weak hash')
    const [issue] = await read('/issues')
    expect(issue).toMatchObject({ confidential: true })
    expect((await browser.open(list.address)).text).toContain(`issue #${issue.iid}`)
    const again = await list.press('Create issue for Weak hash')
    expect(again.status).toBe(422)
  })

  it('is for developers', async () => {
    const { path, project } = await build({ visibility: 'public' })
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    const page = await (await openBrowser(server, reporter)).open(`${path}/security`)
    expect(page.status).toBe(403)
  })
})
