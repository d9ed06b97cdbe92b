import { expect } from 'vitest'
import { journey, seen } from './journey.ts'

journey('signing in', async ({ server, page, open, button, read }) => {
  const user = await server.buildUser({ name: 'Kim Reader' })
  const lastSignIn = async () => (await read(`/users/${user.id}`, server.root)).current_sign_in_at
  expect(await lastSignIn()).toBeNull()
  await open('/dashboard/issues')
  await seen(page.getByRole('heading', { level: 1, name: 'Sign in' }))
  await page.getByLabel('Username or e-mail address').fill(user.username)
  await page.getByLabel(/^Password/).fill(user.password)
  await button('Sign in').click()
  // The page that was asked for, not the start page.
  await seen(page.getByRole('heading', { level: 1, name: 'Issues' }))
  expect(new URL(page.url()).pathname).toBe('/dashboard/issues')
  await page.getByRole('link', { name: 'Stithy', exact: true }).click()
  await seen(page.getByRole('heading', { level: 1, name: 'Hello, Kim Reader' }))
  expect(await lastSignIn()).not.toBeNull()

  await page.getByLabel('Account of Kim Reader').click()
  await button('Sign out').click()
  await seen(page.getByRole('link', { name: 'Sign in', exact: true }))
  await open('/dashboard/issues')
  await seen(page.getByRole('heading', { level: 1, name: 'Sign in' }))
})
