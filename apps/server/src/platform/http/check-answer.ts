import { Readable } from 'node:stream'
import type { EndpointSpec } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { isPermissionCheck } from './internal-call.ts'

/**
 * Has tests check each answer; a HEAD has the headers of a body that it lacks, and a long one is
 * sent as a stream. A check of a permission is no call.
 */
export function checkedBy(check: NonNullable<App['checkAnswer']>, endpoint: EndpointSpec) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const type = reply.getHeader('content-type')
    const isLong = endpoint.kind !== 'raw' && payload instanceof Readable
    if (request.method !== 'HEAD' && !isLong && !isPermissionCheck(request)) {
      check(endpoint, {
        request: `${request.method} ${request.url}`,
        status: reply.statusCode,
        contentType: type === undefined ? undefined : String(type),
        text: typeof payload === 'string' ? payload : undefined,
      })
    }
    return payload
  }
}
