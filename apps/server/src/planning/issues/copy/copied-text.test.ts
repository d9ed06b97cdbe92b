import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildNoteableFixture, type NoteableFixture } from '../../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
let target: Json

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  target = await server.buildProject({ visibility: 'public' })
})
afterAll(() => server.close())

/** Moves an issue with this description to another namespace and returns the new description. */
async function moved(description: string): Promise<string> {
  const issue = await fixture.build('Issue', { description })
  const answer = await fixture.call(issue, 'POST', '/move', { to_project_id: target.id })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.description
}

it('rewrites references to merge requests, snippets, epics, milestones and commits with the path', async () => {
  const { made, group } = fixture
  const full = made.project.path_with_namespace
  const request = await fixture.build('MergeRequest')
  const snippet = await fixture.build('Snippet')
  const epic = await fixture.build('Epic')
  const { body: milestone } = await server.inject(
    'POST',
    `/projects/${made.project.id}/milestones`,
    {
      token: server.root.token,
      body: { title: 'two words' },
    },
  )
  const short = made.second.slice(0, 10)
  expect(
    await moved(
      `!${request.iid} $${snippet.id} &${epic.iid} %${milestone.iid} %"two words" ${short} ${made.second}`,
    ),
  ).toBe(
    `${full}!${request.iid} ${full}$${snippet.id} ${group.full_path}&${epic.iid} ${full}%${milestone.iid} ${full}%"two words" ${full}@${short} ${full}@${made.second}`,
  )
})

it('leaves references to nothing and other texts unchanged', async () => {
  const text = '!4711 $4711 &4711 %4711 %none deadbeef 1234567 #4711 C# a#1 `!1` cost: 5$'
  expect(await moved(text)).toBe(text)
})

it('leaves full references unchanged', async () => {
  const other = await fixture.build('Issue')
  const text = `${fixture.made.project.path_with_namespace}#${other.iid} http://stithy.test/${fixture.made.project.path_with_namespace}/issues/${other.iid}`
  expect(await moved(text)).toBe(text)
})

it('leaves references unchanged that mean the same in both projects', async () => {
  const { token } = server.root
  const group = await server.buildGroup({ visibility: 'public' })
  const make = () => server.buildProject({ namespace_id: group.id, visibility: 'public' })
  const [source, near] = [await make(), await make()]
  const post = (path: string, body: object) => server.inject('POST', path, { token, body })
  await post(`/groups/${group.id}/milestones`, { title: 'joint goal' })
  await post(`/groups/${group.id}/labels`, { name: 'joint', color: '#fff' })
  await post(`/projects/${source.id}/labels`, { name: 'own', color: '#fff' })
  const description = '%"joint goal" ~joint ~own'
  const { body: issue } = await post(`/projects/${source.id}/issues`, { title: 'x', description })
  const path = `/projects/${source.id}/issues/${issue.iid}/move`
  const { body: copy } = await post(path, { to_project_id: near.id })
  expect(copy.description).toBe(`%"joint goal" ~joint ${source.path_with_namespace}~own`)
})
