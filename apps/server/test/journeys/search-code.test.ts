import { expect } from 'vitest'
import { commit, mustGit } from '../../src/testing/git/git-client.ts'
import { buildRepositoryFixture } from '../../src/testing/git/repository-fixture.ts'
import { journey, seen } from './journey.ts'

journey('searching code', async ({ server, page, open, signIn, button, link, read }) => {
  const { project, tree, remote } = await buildRepositoryFixture(server)
  const files = {
    'src/moon.ts': 'const a = 1\nexport const lunarPhase = 4\n',
    'b.md': 'lunarPhase\n',
  }
  await commit(tree, files, 'Add the moon')
  await mustGit(tree, 'push', '--quiet', remote, 'main')
  await server.runJobs()
  await signIn(server.root)
  const path = project.path_with_namespace
  await open(`/${path}/-/search`)
  await page.getByLabel('Search for').fill('lunarPhase extension:ts')
  await button('Search').click()
  const scopes = page.getByRole('navigation', { name: 'What to find' })
  await scopes.getByText('Code', { exact: true }).click()
  const hits = (name: RegExp) => page.getByRole('main').getByRole('link', { name })
  await seen(hits(/moon\.ts/))
  expect(await hits(/b\.md/).count()).toBe(0)
  const query = 'scope=blobs&search=lunarPhase%20extension:ts'
  const found = await read(`/projects/${project.id}/search?${query}`, server.root)
  expect(found).toMatchObject([{ path: 'src/moon.ts' }])
  await hits(/moon\.ts/)
    .first()
    .click()
  await seen(page.getByText('lunarPhase'))
  expect(new URL(page.url()).pathname).toMatch(/\/-\/blob\/[^/]+\/src\/moon\.ts$/)
  await seen(link('Blame'))
})
