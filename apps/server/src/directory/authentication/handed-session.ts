import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Session } from './session.ts'

const sessions = new WeakMap<IncomingMessage, Session>()

/** Lets a call that is made for another request have its session, which is not looked up again. */
export function handSession(call: IncomingMessage, session: Session | undefined): void {
  if (session !== undefined) sessions.set(call, session)
}

/** The session that a call was handed, once: whether it is still active later must be looked up. */
export function takeSession({ raw }: FastifyRequest): Session | undefined {
  const session = sessions.get(raw)
  sessions.delete(raw)
  return session
}
