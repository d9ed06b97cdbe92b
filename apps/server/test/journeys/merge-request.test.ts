import { expect } from 'vitest'
import type { TestUser } from '../../src/testing/factories.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../src/testing/git/git-client.ts'
import { journey, seen, type Visit } from './journey.ts'

journey('forking, reviewing, approving and merging', async (visit) => {
  const { server, page, open, signIn, button, read } = visit
  const owner = await server.buildUser({ name: 'Toni Keeper' })
  const author = await server.buildUser({ name: 'Robin Writer' })
  const project = await server.buildProject({ name: 'Poems', visibility: 'public' }, owner)
  const tree = await buildWorkTree({ 'poem.txt': 'Roses are red\n' })
  const base = await server.url()
  const { path_with_namespace: path } = project
  await mustGit(tree, 'push', '--quiet', remoteUrl(base, path, owner.username, owner.token), 'main')
  await server.runJobs()
  const request = `/projects/${project.id}/merge_requests/1`

  await signIn(author)
  await fork(visit, path, author, tree)
  await openRequest(visit, path, author)
  expect(await read(request, author)).toMatchObject({
    state: 'opened',
    author: { id: author.id },
    target_branch: 'main',
  })

  await signIn(owner)
  await commentOnLine(visit, path, 'Why not blue?')
  const [thread] = await read(`${request}/discussions`, owner)
  expect(thread.notes[0]).toMatchObject({
    body: 'Why not blue?',
    resolved: false,
    position: { new_path: 'poem.txt', new_line: 2 },
  })

  await signIn(author)
  await open(`/${path}/-/merge_requests/1`)
  await page.getByText('Reply', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('They are violet.')
  await button('Reply').click()
  await seen(page.getByText('They are violet.'))
  await button('Resolve thread').click()
  await seen(page.getByText('Resolved by Robin Writer'))
  const [resolved] = await read(`${request}/discussions`, owner)
  expect(resolved.notes).toMatchObject([{ resolved: true }, { body: 'They are violet.' }])

  await signIn(owner)
  await approveAndMerge(visit, path)
  expect(await read(`${request}/approvals`, owner)).toMatchObject({
    approved_by: [{ user: { id: owner.id } }],
  })
  expect(await read(request, owner)).toMatchObject({
    state: 'merged',
    merged_by: { id: owner.id },
  })
  await open(`/${path}/-/blob/main/poem.txt`)
  await seen(page.getByText('Violets are violet'))
})

/** Forks a project with the pages, and pushes a branch to the fork. */
async function fork(
  { server, page, open, button, link, read }: Visit,
  path: string,
  author: TestUser,
  tree: string,
): Promise<void> {
  await open(`/${path}`)
  await page.getByRole('link', { name: /^Forks/ }).click()
  await link('Fork').first().click()
  await button('Fork project').click()
  await page.waitForURL(`**/${author.username}/poems`)
  await server.runJobs()
  const own = `${author.username}/poems`
  const forked = await read(`/projects/${encodeURIComponent(own)}`, author)
  expect(forked.forked_from_project).toMatchObject({ path_with_namespace: path })
  await mustGit(tree, 'checkout', '--quiet', '-b', 'violets')
  await commit(tree, { 'poem.txt': 'Roses are red\nViolets are violet\n' }, 'Add violets')
  const remote = remoteUrl(await server.url(), own, author.username, author.token)
  await mustGit(tree, 'push', '--quiet', remote, 'violets')
  await server.runJobs()
}

async function openRequest(visit: Visit, path: string, author: TestUser): Promise<void> {
  const { server, page, open, button } = visit
  await open(`/${path}/-/merge_requests/new`)
  const source = page.getByRole('combobox', { name: 'Project' }).first()
  await source.selectOption({ label: `${author.username}/poems` })
  await page.getByRole('combobox', { name: 'Branch' }).first().fill('violets')
  await button('Compare branches and continue').click()
  await page.getByRole('textbox', { name: 'Description' }).fill('More colours.')
  await button('Create merge request').click()
  await seen(page.getByRole('heading', { level: 1, name: 'Add violets' }))
  await server.runJobs()
}

async function commentOnLine({ page, open, link, button }: Visit, path: string, text: string) {
  await open(`/${path}/-/merge_requests/1`)
  await page.getByRole('link', { name: /^Changes/ }).click()
  await page.getByRole('row').filter({ hasText: 'Violets' }).hover()
  await link('Comment on line 2').click()
  await page.getByRole('textbox', { name: 'Comment on line 2' }).fill(text)
  await button('Start thread').click()
  await seen(page.getByRole('region', { name: 'poem.txt', exact: true }).getByText(text))
}

async function approveAndMerge({ server, page, open, button }: Visit, path: string) {
  await open(`/${path}/-/merge_requests/1`)
  await button('Approve').click()
  await seen(button('Take back your approval'))
  await button('Merge').click()
  await seen(page.getByText(/Merged by Toni Keeper|This is being merged/))
  await server.runJobs()
  // While the server merges, the page loads again by itself.
  await seen(page.getByText('Merged', { exact: true }))
}
