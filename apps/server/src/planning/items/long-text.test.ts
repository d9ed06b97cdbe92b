import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/** Characters of the longest text that is allowed. */
const length = 1_000_000
const filled = (text: string) => text.repeat(Math.floor(length / text.length))

/** Characters in no order, so that nearly all trigrams differ. */
function unordered(count: number): string {
  let last = 1
  const next = () => {
    last = (last * 48_271) % 2_147_483_647
    return String.fromCharCode(0x4e00 + (last % 20_000))
  }
  return Array.from({ length: count }, next).join('')
}

/** Texts that take long to read for different reasons. */
const texts = {
  words: filled('Lorem ipsum dolor sit amet, consectetur adipiscing elit. '),
  references: filled('#1 !2 ~bug @root $3 &4 %5 abcdef12 '),
  code: filled('/x\n```\nx\n```\n'),
  'inline code': filled('word *emphasis* `code` [link](http://x.test) and more\n\n'),
  tasks: filled('- [ ] task @root\n'),
  characters: unordered(length),
}

let server: TestServer
let project: Json
let path: string
let token: string

beforeAll(async () => {
  server = await buildTestServer()
  token = server.root.token
  project = await server.buildProject()
  path = `/projects/${project.id}`
  // The first calls of a kind may take longer.
  for (let count = 0; count < 4; count++) {
    const { iid } = await created(server, `${path}/issues`, { title: 'Short' })
    await created(server, `${path}/issues/${iid}/notes`, { body: 'Short' })
    await edit(iid, 'Short')
    await move(iid)
  }
})
// Fails if anything kept the event loop.
afterAll(() => server.close())

const edit = (iid: number, description: string) =>
  server.inject('PUT', `${path}/issues/${iid}`, { token, body: { description } })

async function move(iid: number): Promise<Json> {
  const target = await server.buildProject()
  const body = { to_project_id: target.id }
  return (await server.inject('POST', `${path}/issues/${iid}/move`, { token, body })).body
}

describe('a text of a million characters', () => {
  it.each(Object.entries(texts))('of %s keeps nobody waiting', async (_, text) => {
    const { iid } = await created(server, `${path}/issues`, { title: 'x', description: text })
    expect((await edit(iid, text.slice(100))).status).toBe(200)
    await created(server, `${path}/issues/${iid}/notes`, { body: text })
    expect((await move(iid)).description.length).toBeGreaterThanOrEqual(text.length - 101)
  })

  it('mentions, closes and is rewritten like a short one', async () => {
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, 30)
    const { iid: other } = await created(server, `${path}/issues`, { title: 'Other' })
    const { iid } = await created(server, `${path}/issues`, { title: 'Long' })
    const body = `${texts.words}\n@${user.username} see #${other}\n/close`
    await created(server, `${path}/issues/${iid}/notes`, { body })
    const { body: todos } = await server.inject('GET', '/todos', { token: user.token })
    expect(todos).toMatchObject([{ action_name: 'directly_addressed', target: { iid } }])
    const notes = await server.inject('GET', `${path}/issues/${other}/notes`, { token })
    expect(notes.body).toMatchObject([{ body: `mentioned in issue #${iid}` }])
    const { body: closed } = await server.inject('GET', `${path}/issues/${iid}`, { token })
    expect(closed.state).toBe('closed')
    const moved = await move(iid)
    const copies = `/projects/${moved.project_id}/issues/${moved.iid}/notes?sort=asc`
    const { body: copied } = await server.inject('GET', copies, { token })
    const comment = copied.find(({ system }: Json) => !system)
    expect(comment.body).toContain(`see ${project.path_with_namespace}#${other}`)
  })
})
