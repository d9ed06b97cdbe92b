import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from './context.ts'

interface TokenRow {
  id: number
  username: string
  state: string
  external: 0 | 1
  scopes: string
  revoked: 0 | 1
  expiresAt: number | null
  revokedAt: number | null
  deletedAt: number | null
}

/** Finds the user of a request's token by its hash; throws if the token is not valid. */
export function createAuthenticate({ db }: Context): (request: FastifyRequest) => TokenRow {
  const find = db.prepare<[string], TokenRow>(
    `select u.id, u.username, u.state, u.external, t.scopes, t.revoked, t."expiresAt"
       , g."revokedAt", o."deletedAt"
     from tokens t join users u on u.id = t."userId"
     left join "oauthGrants" g on g.id = t."oauthGrantId"
     left join "oauthApplications" o on o.id = g."applicationId"
     where t."tokenHash" = +? and u.kind = 'human'`,
  )
  return (request) => {
    const { 'private-token': secret, authorization } = request.headers
    const token = secret ?? authorization?.slice('Bearer '.length)
    const row = typeof token === 'string' ? find.get(hash('sha256', token)) : undefined
    if (row === undefined || row.revoked === 1 || row.state === 'blocked')
      throw new Error('refused')
    if (row.revokedAt !== null || row.deletedAt !== null) throw new Error('revoked')
    if (row.expiresAt !== null && row.expiresAt <= Date.now()) throw new Error('expired')
    if (!(JSON.parse(row.scopes) as string[]).includes('api')) throw new Error('out of scope')
    return row
  }
}
