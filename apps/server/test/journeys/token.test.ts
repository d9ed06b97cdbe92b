import { expect } from 'vitest'
import { journey, seen } from './journey.ts'

journey('creating a token', async ({ server, page, open, signIn, button }) => {
  const user = await server.buildUser()
  await signIn(user)
  await open('/-/profile/personal_access_tokens')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('from the browser')
  await page.getByRole('checkbox', { name: /^read_user/ }).check()
  await button('Create the token').click()
  const shown = page
    .getByRole('main')
    .getByRole('code')
    .filter({ hasText: /^[\w-]{20,}$/ })
  await seen(shown)
  const token = String(await shown.first().textContent())
  const own = await server.inject('GET', '/user', { token })
  expect([own.status, own.body.username]).toEqual([200, user.username])
  // It may read the user, and no more.
  const body = { name: 'forbidden' }
  expect((await server.inject('POST', '/projects', { token, body })).status).toBe(403)

  await open('/-/profile/personal_access_tokens')
  await seen(page.getByText('from the browser'))
  expect(await page.content()).not.toContain(token)
  await button('Revoke from the browser').click()
  await button('Revoke from the browser').waitFor({ state: 'detached' })
  expect((await server.inject('GET', '/user', { token })).status).toBe(401)
})
