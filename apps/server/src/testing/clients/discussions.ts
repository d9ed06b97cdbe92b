import type { CommentedProject } from '../git/commented-project.ts'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

export interface DiscussionCalls {
  /** Of the discussions of a commit, the second one unless told, and what lies below them. */
  pathOf: (rest?: string, sha?: string) => string
  /** A call as root, unless told. */
  call: (
    method: string,
    rest: string,
    body?: object,
    by?: { token: string },
  ) => Promise<InjectedAnswer>
  /** A discussion that is started with `Why?`, unless told. */
  start: (body?: object, by?: { token: string }) => Promise<Json>
  /** A comment of the other endpoint, as the discussion that it appears as. */
  comment: (body?: object) => Promise<Json>
}

/** The calls for the discussions of a project's commits. */
export function discussionsOf(server: TestServer, made: CommentedProject): DiscussionCalls {
  const pathOf = (rest = '', sha = made.second) =>
    `/projects/${made.project.id}/repository/commits/${encodeURIComponent(sha)}/discussions${rest}`
  const call: DiscussionCalls['call'] = (method, rest, body, by = server.root) =>
    server.inject(method, pathOf(rest), {
      token: by.token,
      ...(body === undefined ? {} : { body }),
    })
  return {
    pathOf,
    call,
    async start(body = {}, by = server.root) {
      const answer = await call('POST', '', { body: 'Why?', ...body }, by)
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body
    },
    async comment(body = {}) {
      const path = pathOf().replace(/discussions$/, 'comments')
      const note = `Comment ${Math.random()}`
      const { token } = server.root
      const answer = await server.inject('POST', path, { token, body: { note, ...body } })
      const { headers } = await call('GET', '?per_page=1')
      const { body: last } = await call('GET', `?per_page=1&page=${headers['x-total']}`)
      if (last[0]?.notes[0]?.body !== note) throw new Error(`${answer.status} ${answer.text}`)
      return last[0]
    },
  }
}
