import { callEndpoint, createTransport } from '@stithy/client'
import type { EndpointSpec } from '@stithy/core'
import type { CliIo } from '../cli-io.ts'
import { isObject, type Json } from '../output/render.ts'
import type { Connection } from './connection.ts'

/** Signing in needs no more of a user than a name: this much of the contract is enough. */
const currentUser: EndpointSpec = {
  method: 'GET',
  path: '/user',
  response: { 200: null },
  auth: { scope: ['api', 'read_user'] },
  docs: { summary: 'Show the signed-in user', tag: 'Users' },
}

/** The user whom a token belongs to. @throws StithyError where it is not accepted. */
export async function fetchCurrentUser(io: CliIo, connection: Connection): Promise<Json> {
  const transport = createTransport({ ...connection, userAgent: `stithy/${io.version}` })
  const { signal, release } = io.interruptible()
  try {
    const user = await callEndpoint(transport, currentUser, {}, { signal })
    return isObject(user) ? user : {}
  } finally {
    release()
  }
}
