import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { startChromium } from '../../testing/clients/chromium.ts'
import { buildTestServer } from '../../testing/test-server.ts'

it('shots', { timeout: 120_000 }, async () => {
  const server = await buildTestServer({}, { maxBlockMs: 10_000 })
  const ann = await server.buildUser({ name: 'Ann Lee', username: 'ann' })
  const ben = await server.buildUser({ name: 'Ben <b>Young</b>', username: 'ben' })
  const api = (method: string, path: string, body?: object, token = ann.token) => server.inject(method, path, { token, ...(body ? { body } : {}) })
  await api('PUT', `/users/${ann.id}`, { can_create_group: true }, server.root.token)
  const g = (await api('POST', '/groups', { name: 'Acme', path: 'acme', description: 'Rockets and anvils', visibility: 'public' })).body
  await api('POST', '/groups', { name: 'Backend', path: 'backend', parent_id: g.id })
  await api('POST', '/groups', { name: 'Design', path: 'design', parent_id: g.id, visibility: 'private' })
  const o = (await api('POST', '/groups', { name: 'Other', path: 'other' })).body
  const p = (await api('POST', '/projects', { name: 'Rocket', namespace_id: g.id, description: 'Goes up <b>fast</b>', visibility: 'public', initialize_with_readme: true })).body
  await api('POST', '/projects', { name: 'anvil', namespace_id: g.id, initialize_with_readme: true })
  const arch = (await api('POST', '/projects', { name: 'old', initialize_with_readme: true })).body
  await api('POST', `/projects/${p.id}/star`)
  await api('POST', `/groups/${g.id}/members`, { user_id: ben.id, access_level: 30, expires_at: '2030-01-01' })
  await api('POST', `/projects/${p.id}/share`, { group_id: o.id, group_access: 20 })
  const cy = await server.buildUser({ name: 'Cy', username: 'cy' })
  await api('POST', `/projects/${p.id}/access_requests`, {}, cy.token)
  for (const t of ['Engine stalls on launch', 'Paint peels off', '"><img src=x onerror=alert(1)>']) await api('POST', `/projects/${p.id}/issues`, { title: t, assignee_ids: [ann.id], description: 'hello @ann' }, ben.token)
  await api('POST', `/projects/${p.id}/repository/branches`, { branch: 'feature', ref: 'master' })
  await api('POST', `/projects/${p.id}/repository/commits`, { branch: 'feature', commit_message: 'Add engine', actions: [{ action: 'create', file_path: 'src/engine.ts', content: 'export function start() {\n  return "engine"\n}\n' }] })
  await api('POST', `/projects/${p.id}/merge_requests`, { source_branch: 'feature', target_branch: 'master', title: 'Add engine', assignee_id: ann.id }, ann.token)
  await api('POST', `/projects/${p.id}/repository/commits`, { branch: 'master', commit_message: 'Add engine test', actions: [{ action: 'create', file_path: 'src/engine.test.ts', content: 'import { start } from "./engine"\n\nit("starts the engine", () => {\n  expect(start()).toBe("engine")\n})\n' }] })
  await api('POST', `/projects/${p.id}/issues/1/notes`, { body: 'The engine is cold.' })
  await api('POST', '/user/keys', { title: 'laptop', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ann@laptop' })
  await server.runJobs()
  await api('PUT', '/user/status', { emoji: 'rocket', message: 'Launching' })
  const base = await server.url()
  const chromium = await startChromium()
  const shots = JSON.parse(readFileSync('/tmp/w/tmp-web-people/shots.json', 'utf8')) as { path: string; name: string; width?: number; dark?: boolean; visitor?: boolean }[]
  const pg = await chromium.context.newPage()
  const visit = async (s: (typeof shots)[number]) => {
    await pg.setViewportSize({ width: s.width ?? 1200, height: 800 })
    await pg.emulateMedia({ colorScheme: s.dark ? 'dark' : 'light' })
    const r = await pg.goto(base + s.path)
    console.log(r?.status(), s.path)
    const over = await pg.locator('body').evaluate(() => 0).catch(() => 0)
    void over
    await pg.screenshot({ path: `/tmp/w/tmp-web-people/${s.name}.png`, fullPage: true })
  }
  for (const s of shots.filter((x) => x.visitor)) await visit(s)
  await pg.goto(base + '/users/sign_in')
  await pg.fill('input[name="user[login]"]', 'ann')
  await pg.fill('input[name="user[password]"]', ann.password)
  await pg.click('button:has-text("Sign in")')
  for (const s of shots.filter((x) => !x.visitor)) await visit(s)
  await chromium.close()
  void arch
  await server.close()
})
