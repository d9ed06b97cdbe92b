import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

export interface CommitFields {
  branch?: string
  commit_message?: string
  /** By default the administrator's. */
  token?: string
  [field: string]: unknown
}

/** Creates commits through the API and reads the results. */
export interface CommitHelpers {
  /** `POST /projects/:id/repository/commits`, by default to `main`. */
  send: (id: number, actions: unknown, fields?: CommitFields) => Promise<InjectedAnswer>
  /** Like `send`; throws unless the answer is 201. */
  must: (id: number, actions: unknown, fields?: CommitFields) => Promise<Json>
  /** `100644 content` of each file, by path. */
  files: (id: number, ref?: string) => Promise<Record<string, string>>
  /** Commit ids by branch. */
  tips: (id: number) => Promise<Record<string, string>>
}

/** An action that creates a file. */
export function create(file_path: string, content = 'x', more: object = {}) {
  return { action: 'create', file_path, content, ...more }
}

export function commitHelpers(server: TestServer): CommitHelpers {
  const get = (id: number, path: string, query = '') =>
    server.inject('GET', `/projects/${id}/repository/${path}`, { token: server.root.token, query })

  const send: CommitHelpers['send'] = (id, actions, { token, ...fields } = {}) =>
    server.inject('POST', `/projects/${id}/repository/commits`, {
      token: token ?? server.root.token,
      body: { branch: 'main', commit_message: 'Change', actions, ...fields },
    })

  return {
    send,
    async must(id, actions, fields) {
      const answer = await send(id, actions, fields)
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body
    },
    async files(id, ref = 'main') {
      const { body } = await get(id, 'tree', `recursive=true&per_page=100&ref=${ref}`)
      const found: Record<string, string> = {}
      for (const { path, mode, type } of body) {
        if (type !== 'blob') continue
        const raw = await get(id, `files/${encodeURIComponent(path)}/raw`, `ref=${ref}`)
        found[path] = `${mode} ${raw.bytes.toString()}`
      }
      return found
    },
    async tips(id) {
      const { body } = await get(id, 'branches', 'per_page=100')
      return Object.fromEntries(body.map((branch: Json) => [branch.name, branch.commit.id]))
    },
  }
}
