import { expect } from 'vitest'
import { journey, seen } from './journey.ts'

journey('administering users and seeing the jobs', async (visit) => {
  const { server, page, open, signIn, button, link, read, hasScript } = visit
  const username = hasScript ? 'robin' : 'kim'
  await signIn(server.root)
  await open('/admin/users')
  await link('New user').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('New Person')
  await page.getByRole('textbox', { name: 'Username', exact: true }).fill(username)
  await page.getByLabel('E-mail address').fill(`${username}@example.com`)
  await page.getByLabel(/^Password/).fill('a long new password')
  await button('Create user').click()
  await seen(page.getByRole('heading', { level: 1, name: 'New Person' }))
  const state = async () => (await read(`/users?username=${username}`, server.root))[0].state
  expect(await state()).toBe('active')

  const filter = page.getByLabel('Name, username or e-mail address')
  const row = page.getByRole('row').filter({ hasText: `@${username}` })
  await open('/admin/users')
  await filter.fill(username)
  await button('Apply').click()
  await row.getByRole('button', { name: 'Block New Person' }).click()
  await open(`/admin/users?search=${username}`)
  await seen(row.getByText('blocked', { exact: true }))
  expect(await state()).toBe('blocked')
  await row.getByRole('button', { name: 'Unblock New Person' }).click()
  await open(`/admin/users?search=${username}`)
  await seen(row.getByText('active', { exact: true }))
  expect(await state()).toBe('active')

  await link('Jobs').click()
  await seen(page.getByRole('heading', { level: 1, name: 'Jobs' }))
  const queues = page.getByRole('region', { name: 'Queues' })
  await seen(queues.getByRole('row').filter({ hasText: 'webhooks' }))
  const { body } = await server.inject('GET', '/sidekiq/queue_metrics', server.root)
  const names = await queues.getByRole('row').allTextContents()
  for (const name of Object.keys(body.queues)) {
    expect(names.filter((text) => text.includes(name))).not.toEqual([])
  }
})
