import { expect } from 'vitest'
import { created } from '../../src/testing/clients/calls.ts'
import { journey, seen } from './journey.ts'

journey('planning on a board', async (visit) => {
  const { server, page, open, signIn, button, link, read, hasScript } = visit
  const user = await server.buildUser()
  const project = await server.buildProject({}, user)
  const api = `/projects/${project.id}`
  await created(server, `${api}/labels`, { name: 'doing', color: '#112233' }, user)
  const issue = await created(server, `${api}/issues`, { title: 'Paint the fence' }, user)
  await created(server, `${api}/issues`, { title: 'Buy paint' }, user)
  await signIn(user)
  await open(`/${project.path_with_namespace}/-/boards`)
  await page.getByLabel('Name of a new board').fill('This week')
  await button('Create board').click()
  await seen(page.getByRole('heading', { level: 1, name: 'This week' }))
  await page.getByLabel('List of a label').selectOption({ label: 'doing' })
  await button('Add list').click()

  const list = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) =>
    list(name).getByRole('listitem').filter({ hasText: 'Paint the fence' })
  /** With the script, cards are dragged; without it, each has a form. */
  async function move(from: string, to: string): Promise<void> {
    if (hasScript) {
      await card(from).dragTo(list(to))
    } else {
      await card(from).getByLabel('Move #1').click()
      await card(from).getByLabel('Move to').selectOption({ label: to })
      await card(from).getByRole('button', { name: 'Move', exact: true }).click()
    }
    await seen(card(to))
    expect(await card(from).count()).toBe(0)
  }
  await seen(list('doing'))
  const titles = () => list('Open').getByRole('listitem').locator('.title').allTextContents()
  const other = list('Open').getByRole('listitem').filter({ hasText: 'Buy paint' })
  expect(await titles()).toEqual(['Buy paint', 'Paint the fence'])
  if (hasScript) {
    await card('Open').dragTo(other, { targetPosition: { x: 20, y: 4 } })
  } else {
    await card('Open').getByLabel('Move #1').click()
    await card('Open').getByRole('button', { name: 'Move up' }).click()
  }
  await seen(list('Open').locator('li:first-child', { hasText: 'Paint the fence' }))
  expect(await titles()).toEqual(['Paint the fence', 'Buy paint'])
  await move('Open', 'doing')
  const [board] = await read(`${api}/boards`, user)
  expect(board).toMatchObject({ name: 'This week', lists: [{ label: { name: 'doing' } }] })
  expect(await read(`${api}/issues/${issue.iid}`, user)).toMatchObject({
    labels: ['doing'],
    state: 'opened',
  })
  await move('doing', 'Closed')
  expect(await read(`${api}/issues/${issue.iid}`, user)).toMatchObject({ state: 'closed' })
  await link('Paint the fence').click()
  await seen(page.getByRole('heading', { level: 1, name: 'Paint the fence' }))
})
