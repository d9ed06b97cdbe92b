import type { FastifyInstance } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import { type Context, createCounter } from './context.ts'

interface UserRow {
  id: number
  name: string
  username: string
  state: string
}

/** `GET /users` for a user who is not an administrator. */
export function registerUsers(server: FastifyInstance, context: Context): void {
  const { db, externalUrl } = context
  const authenticate = createAuthenticate(context)
  const list = db.prepare<[number, number], UserRow>(
    `select id, name, username, state, avatar from users where kind <> 'leaving'
     order by id desc limit +? offset +?`,
  )
  const take = db.prepare<[], number>("select count(*) from users where kind <> 'leaving'").pluck()
  const count = createCounter(context, 'users', () => take.get() ?? 0)
  server.get('/api/v4/users', (request, reply) => {
    authenticate(request)
    const paging = readPaging(request.query)
    const users = list.all(paging.perPage, (paging.page - 1) * paging.perPage)
    setPageHeaders(reply, `${externalUrl}/api/v4/users`, paging, count())
    const body = users.map(({ id, name, username, state }) => ({
      id,
      name,
      username,
      state,
      avatar_url: null,
      web_url: `${externalUrl}/${username}`,
    }))
    return sendJson(request, reply, body)
  })
}
