import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

describe('notes on commits with the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  let made: CommentedProject
  beforeAll(async () => {
    server = await buildTestServer()
    made = await buildCommentedProject(server)
  })
  afterAll(() => server.close())

  it('comments on a commit and lists the comments', async () => {
    const { Commits } = new Gitlab({ host: await server.url(), token: server.root.token })
    const { id } = made.project
    const position = { path: 'a.txt', line: 15, lineType: 'new' } as const
    const positioned = await Commits.createComment(id, made.second, 'At a line', position)
    expect(positioned).toMatchObject({
      note: 'At a line',
      path: 'a.txt',
      line: 15,
      line_type: 'new',
    })
    await Commits.createComment(id, made.second, 'Below it all')
    const comments = await Commits.allComments(id, made.second)
    expect(comments.map(({ note }) => note)).toEqual(['At a line', 'Below it all'])
    const discussions = await Commits.allDiscussions(id, made.second)
    expect(discussions.map((discussion) => discussion.individual_note)).toEqual([false, true])
  })

  it('discusses a commit', async () => {
    const host = await server.url()
    const { CommitDiscussions } = new Gitlab({ host, token: server.root.token })
    const { id } = made.project
    const position = {
      baseSha: made.first,
      startSha: made.first,
      headSha: made.second,
      positionType: 'text',
      newPath: 'new.txt',
      oldPath: 'new.txt',
      newLine: '2',
    } as const
    const started = await CommitDiscussions.create(id, made.second, 'Two?', { position })
    expect(started.notes?.[0]).toMatchObject({ type: 'DiffNote', position: { new_line: 2 } })
    const reply = await CommitDiscussions.addNote(id, made.second, started.id, 'Two.')
    const changed = await CommitDiscussions.editNote(id, made.second, started.id, reply.id, {
      body: 'Two!',
    })
    expect(changed.body).toBe('Two!')
    const single = await CommitDiscussions.show(id, made.second, started.id)
    expect(single.notes?.map(({ body }) => body)).toEqual(['Two?', 'Two!'])
    await CommitDiscussions.removeNote(id, made.second, started.id, reply.id)
    const all = await CommitDiscussions.all(id, made.second)
    expect(all.find((discussion) => discussion.id === started.id)?.notes).toHaveLength(1)
  })
})
