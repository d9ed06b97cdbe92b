import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from '../answer.ts'
import type { Context } from '../context.ts'

type Args = Record<string, number>
type List<Row> = (
  request: FastifyRequest,
  reply: FastifyReply,
  args: Args,
  shape: (row: Row) => unknown,
) => unknown

/** A list that is counted for each request: nothing says when it changes. */
export function createList<Row>(
  { db, externalUrl }: Context,
  columns: string,
  from: string,
  order: string,
): List<Row> {
  const select = db.prepare<[Args], Row>(
    `select ${columns} ${from} order by ${order} limit +:limit offset +:offset`,
  )
  const count = db.prepare<[Args], number>(`select count(*) ${from}`).pluck()
  return (request, reply, args, shape) => {
    const paging = readPaging(request.query)
    const limit = paging.perPage
    const rows = select.all({ ...args, limit, offset: (paging.page - 1) * limit })
    const url = `${externalUrl}${request.url.split('?')[0]}`
    setPageHeaders(reply, url, paging, count.get(args) ?? 0)
    return sendJson(request, reply, rows.map(shape))
  }
}

/** What lists show of a user. */
export interface UserColumns {
  id: number
  name: string
  username: string
  state: string
}
