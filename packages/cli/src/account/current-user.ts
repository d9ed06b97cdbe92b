import { callEndpoint, createTransport } from '@stithy/client'
import type { EndpointSpec } from '@stithy/core'
import type { CliIo } from '../cli-io.ts'
import { isObject, type Json } from '../output/render.ts'
import type { Connection } from './connection.ts'

/** Only the name of the user is needed, so this is the part of the contract that is loaded. */
const currentUser: EndpointSpec = {
  name: 'users.current',
  method: 'GET',
  path: '/user',
  response: { 200: null },
  auth: { scope: ['api', 'read_user'] },
  docs: { summary: 'Show the signed-in user' },
}

/** Fetches the user of a token. @throws StithyError if the token is rejected. */
export async function fetchCurrentUser(io: CliIo, connection: Connection): Promise<Json> {
  const transport = createTransport({ ...connection, userAgent: `stithy/${io.version}` })
  const { signal, release } = io.interruptible()
  try {
    const user = await callEndpoint(transport, [currentUser], {}, { signal })
    return isObject(user) ? user : {}
  } finally {
    release()
  }
}
