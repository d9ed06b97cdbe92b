import { expect } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../../src/testing/git/git-client.ts'
import { journey, seen } from './journey.ts'

journey('creating a project and pushing to it', async (visit) => {
  const { server, page, open, signIn, button, link, read } = visit
  const user = await server.buildUser()
  await signIn(user)
  await open('/projects/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night sky')
  await page.getByRole('radio', { name: 'Public' }).check()
  await page.getByLabel('Begin with a README').uncheck()
  await button('Create project').click()
  await seen(page.getByRole('heading', { level: 1, name: 'Night sky' }))
  await seen(page.getByText('git push').first())
  const path = `${user.username}/night-sky`
  expect(new URL(page.url()).pathname).toBe(`/${path}`)
  const project = await read(`/projects/${encodeURIComponent(path)}`, user)
  expect(project).toMatchObject({ visibility: 'public', empty_repo: true })

  const tree = await buildWorkTree({ 'README.md': '# Stars and planets\n' })
  const remote = remoteUrl(await server.url(), path, user.username, user.password)
  await mustGit(tree, 'push', '--quiet', remote, 'main')
  await server.runJobs()
  await page.reload()
  await seen(page.getByRole('heading', { name: 'Stars and planets' }))
  await seen(link('Initial commit'))
  const [commit] = await read(`/projects/${project.id}/repository/commits`, user)
  expect(commit).toMatchObject({
    id: await mustGit(tree, 'rev-parse', 'HEAD'),
    title: 'Initial commit',
  })
})
