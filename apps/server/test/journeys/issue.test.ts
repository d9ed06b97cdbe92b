import { expect } from 'vitest'
import { journey, seen } from './journey.ts'

journey('opening, discussing and closing an issue', async (visit) => {
  const { server, page, open, signIn, button, link, read } = visit
  const [author, other] = [await server.buildUser(), await server.buildUser({ name: 'Robin' })]
  const project = await server.buildProject({ visibility: 'public' }, author)
  const path = `/projects/${project.id}/issues/1`
  const comment = page.getByRole('textbox', { name: 'Comment', exact: true })
  await signIn(author)
  await open(`/${project.path_with_namespace}/-/issues`)
  await link('New issue').first().click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('The <door> sticks')
  await page.getByRole('textbox', { name: 'Description' }).fill('It is *very* loud.')
  await button('Create issue').click()
  await seen(page.getByRole('heading', { level: 1, name: 'The <door> sticks' }))
  await seen(page.getByRole('emphasis').getByText('very'))
  expect(await read(path, author)).toMatchObject({
    title: 'The <door> sticks',
    description: 'It is *very* loud.',
    state: 'opened',
  })

  await signIn(other)
  await open(`/${project.path_with_namespace}/-/issues/1`)
  await comment.fill('Oil helps.')
  await button('Comment').click()
  const discussion = page.getByRole('main')
  await seen(discussion.getByText('Oil helps.'))

  await signIn(author)
  await open(`/${project.path_with_namespace}/-/issues/1`)
  await discussion.getByText('Reply', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('So it does.')
  await button('Reply').click()
  await seen(discussion.getByText('So it does.'))
  await comment.fill('Done.')
  await button('Comment and close').click()
  await seen(discussion.getByText('Closed', { exact: true }))
  expect(await read(path, author)).toMatchObject({ state: 'closed' })
  const notes = await read(`${path}/notes?sort=asc`, author)
  const texts = notes.flatMap((note: { system: boolean; body: string; author: { id: number } }) =>
    note.system ? [] : [[note.author.id, note.body]],
  )
  expect(texts).toEqual([
    [other.id, 'Oil helps.'],
    [author.id, 'So it does.'],
    [author.id, 'Done.'],
  ])
  await open(`/${project.path_with_namespace}/-/issues?state=closed`)
  await seen(link('The <door> sticks'))
})
