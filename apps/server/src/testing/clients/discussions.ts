import type { CommentedProject } from '../git/commented-project.ts'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

export interface DiscussionCalls {
  /** Path of the discussions of a commit, by default the second one, or below them. */
  pathOf: (rest?: string, sha?: string) => string
  /** Sends a request, by default as root. */
  call: (
    method: string,
    rest: string,
    body?: object,
    by?: { token: string },
  ) => Promise<InjectedAnswer>
  /** Starts a discussion, by default with `Why?`. */
  start: (body?: object, by?: { token: string }) => Promise<Json>
  /** Creates a comment with the commit comments API; returns it as a discussion. */
  comment: (body?: object) => Promise<Json>
}

/** Builds helpers for the discussions of a project's commits. */
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
