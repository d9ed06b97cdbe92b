import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

async function thread(request: TestNoteable, body: string): Promise<string> {
  const answer = await fixture.call(request, 'POST', '/discussions', { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

async function isResolved(request: TestNoteable, id: string): Promise<boolean> {
  const { body } = await fixture.call(request, 'GET', `/discussions/${id}`)
  return body.notes.every((note: Json) => note.resolved)
}

const post = (body: object, { token }: { token: string } = server.root) =>
  server.inject('POST', `/projects/${fixture.made.project.id}/issues`, { token, body })

describe('POST /projects/:id/issues with merge_request_to_resolve_discussions_of', () => {
  it('takes over the open threads and resolves them', async () => {
    const request = await fixture.build('MergeRequest', { title: 'The change' })
    const done = await thread(request, 'Done already')
    await fixture.call(request, 'PUT', `/discussions/${done}`, { resolved: true })
    const open = [await thread(request, 'First\nwith a line'), await thread(request, 'Second')]
    const answer = await post({ merge_request_to_resolve_discussions_of: request.iid })
    expect(answer.status).toBe(201)
    expect(answer.body.title).toBe('Follow-up from "The change"')
    const url = `${fixture.made.project.web_url}/merge_requests/${request.iid}#note_`
    expect(answer.body.description.replace(/#note_\d+/g, '#note_')).toBe(
      [
        `The following threads of !${request.iid} should be addressed:`,
        `- [ ] @root in [a thread](${url}):`,
        '  > First\n  > with a line',
        `- [ ] @root in [a thread](${url}):`,
        '  > Second',
      ].join('\n\n'),
    )
    expect(answer.body.task_completion_status).toEqual({ count: 2, completed_count: 0 })
    for (const id of open) expect(await isResolved(request, id)).toBe(true)
  })

  it('takes over a single thread, with the given title and description', async () => {
    const request = await fixture.build('MergeRequest')
    const one = await thread(request, 'One')
    const other = await thread(request, 'Other')
    const texts = { title: 'Own title', description: 'Own text' }
    const answer = await post({
      ...texts,
      merge_request_to_resolve_discussions_of: request.iid,
      discussion_to_resolve: one,
    })
    expect(answer.body).toMatchObject(texts)
    expect(await isResolved(request, one)).toBe(true)
    expect(await isResolved(request, other)).toBe(false)
  })

  it('keeps threads open that the caller may not resolve', async () => {
    const request = await fixture.build('MergeRequest')
    const id = await thread(request, 'Not yours')
    const stranger = await fixture.member(0)
    const answer = await post({ merge_request_to_resolve_discussions_of: request.iid }, stranger)
    expect(answer.status).toBe(201)
    expect(await isResolved(request, id)).toBe(false)
  })

  it('requires a title if there is no such merge request or open thread', async () => {
    const request = await fixture.build('MergeRequest')
    for (const body of [
      { merge_request_to_resolve_discussions_of: 4711 },
      { merge_request_to_resolve_discussions_of: request.iid },
      { merge_request_to_resolve_discussions_of: request.iid, discussion_to_resolve: 'x' },
    ]) {
      const answer = await post(body)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: 'title is missing' })
      expect((await post({ ...body, title: 'x' })).status).toBe(201)
    }
  })
})
