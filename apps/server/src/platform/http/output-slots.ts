import type { Readable } from 'node:stream'
import type { App } from '../app.ts'
import type { Caller } from './call.ts'
import { slotsPerApp } from './transfer-slots.ts'

/** Who reads what is packed for him, and of which project. */
export interface OutputReader {
  project: { id: number }
  caller: Pick<Caller, 'user'>
}

/** `inSlot` of the user, or of the project for all who have not signed in. */
export function inClientSlot(
  app: App,
  { project, caller: { user } }: OutputReader,
  signal: AbortSignal,
  open: () => Promise<Readable>,
): Promise<Readable> {
  const client = user === null ? `project ${project.id}` : `user ${user.id}`
  return inSlot(app, client, signal, open, user === null)
}

/**
 * Opens the stream of an archive, or of what git takes as long for, when the turn of a client comes,
 * and keeps its slot until the stream is closed.
 * @throws DomainError `too_many_requests` if too many wait
 */
export async function inSlot(
  app: App,
  client: string,
  signal: AbortSignal,
  open: () => Promise<Readable>,
  isAnonymous = false,
): Promise<Readable> {
  const release = await slotsOf(app).take(client, signal, { isAnonymous })
  try {
    return (await open()).once('close', release)
  } catch (error) {
    release()
    throw error
  }
}

const slotsOf = slotsPerApp(({ config }) => config.codeLimits.archive)
