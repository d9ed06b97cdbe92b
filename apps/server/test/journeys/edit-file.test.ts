import { expect } from 'vitest'
import { commit, mustGit } from '../../src/testing/git/git-client.ts'
import { buildRepositoryFixture } from '../../src/testing/git/repository-fixture.ts'
import { journey, seen } from './journey.ts'

journey('browsing, blaming and editing a file', async (visit) => {
  const { server, page, open, signIn, button, link } = visit
  const { project, tree, remote } = await buildRepositoryFixture(server)
  await commit(tree, { 'docs/guide.txt': 'one\ntwo\n' }, 'Add the guide')
  await commit(tree, { 'docs/guide.txt': 'one\nsecond\n' }, 'Say second')
  await mustGit(tree, 'push', '--quiet', remote, 'main')
  await server.runJobs()
  await signIn(server.root)
  await open(`/${project.path_with_namespace}`)
  await link('docs').click()
  await link('guide.txt').click()
  await seen(page.getByText('second'))

  await link('Blame').click()
  await seen(page.getByRole('heading', { level: 1, name: 'Blame of docs/guide.txt' }))
  const blame = page.getByRole('region', { name: 'Blame' })
  const lines = await blame.getByRole('row').allTextContents()
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/Add the guide.*one/s)
  expect(lines[1]).toMatch(/Say second.*second/s)

  await link('Normal view').click()
  await link('Edit').click()
  const content = page.getByLabel('Content')
  expect(await content.inputValue()).toBe('one\nsecond\n')
  await content.fill('one\nsecond\nthird <b>\n')
  await page.getByLabel('Commit message').fill('Say third')
  await button('Commit changes').click()
  await seen(page.getByText('third <b>'))
  await link('History').click()
  await seen(link('Say third'))
  const file = `/projects/${project.id}/repository/files/docs%2Fguide.txt/raw`
  const { token } = server.root
  const raw = await server.inject('GET', file, { token, query: 'ref=main' })
  expect(raw.text).toBe('one\nsecond\nthird <b>\n')
})
