import { expect } from 'vitest'
import { git, remoteUrl } from '../../src/testing/git/git-client.ts'
import { buildRepositoryFixture } from '../../src/testing/git/repository-fixture.ts'
import { journey, seen } from './journey.ts'

journey('managing members and protected branches', async (visit) => {
  const { server, page, open, signIn, button, read } = visit
  const user = await server.buildUser({ name: 'Robin Writer' })
  const { project, push, commitTo, tree } = await buildRepositoryFixture(server)
  await commitTo('stable', { 'a.txt': 'a\n' }, 'Prepare')
  await push('main', 'stable')
  await server.runJobs()
  const [pages, api] = [`/${project.path_with_namespace}/-`, `/projects/${project.id}`]
  await signIn(server.root)
  await open(`${pages}/project_members`)
  await page.getByLabel('Username or e-mail address').fill(user.username)
  await page.getByLabel('Role').first().selectOption('Reporter')
  await button('Add member').click()
  const row = page.getByRole('listitem').filter({ hasText: 'Robin Writer' })
  await seen(row.getByText('Reporter', { exact: true }).first())
  expect(await read(`${api}/members/${user.id}`, server.root)).toMatchObject({ access_level: 20 })
  await row.getByLabel('Change Robin Writer').click()
  await row.getByLabel('Role').selectOption('Developer')
  await row.getByRole('button', { name: 'Save', exact: true }).click()
  await seen(row.getByLabel('Change Robin Writer'))
  expect(await read(`${api}/members/${user.id}`, server.root)).toMatchObject({ access_level: 30 })

  await open(`${pages}/settings/repository`)
  const branch = page.getByRole('row').filter({ hasText: 'stable' })
  // The first one chooses the default branch.
  await page.getByRole('combobox', { name: 'Branch', exact: true }).last().fill('stable')
  await page.getByRole('combobox', { name: 'Allowed to push', exact: true }).selectOption('Nobody')
  await button('Protect branch').click()
  await seen(branch)
  expect(await read(`${api}/protected_branches/stable`, server.root)).toMatchObject({
    push_access_levels: [{ access_level: 0 }],
  })
  const base = await server.url()
  const remote = remoteUrl(base, project.path_with_namespace, user.username, user.token)
  await commitTo('stable', { 'a.txt': 'b\n' }, 'Change')
  expect((await git(tree, 'push', '--quiet', remote, 'stable')).code).not.toBe(0)

  await branch.getByLabel('Unprotect stable', { exact: true }).click()
  await button('Unprotect stable: confirm').click()
  await branch.waitFor({ state: 'detached' })
  expect((await git(tree, 'push', '--quiet', remote, 'stable')).code).toBe(0)

  await open(`${pages}/project_members`)
  await row.getByText('Remove', { exact: true }).first().click()
  await row.getByRole('button', { name: /Remove/ }).click()
  await row.waitFor({ state: 'detached' })
  const { token } = server.root
  expect((await server.inject('GET', `${api}/members/${user.id}`, { token })).status).toBe(404)
})
