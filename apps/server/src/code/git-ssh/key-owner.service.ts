import { anonymous, wikiOwnerPath } from '@stithy/core'
import { findKeyByFingerprint, findProjectDeployKey, type SshKeyRow } from '@stithy/store'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { isKeyAllowed } from '../../directory/keys/public-key.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { GitRequester } from '../git-http/git-access.ts'

/** Who has proven to have a private key. */
export interface KeyOwner {
  key: SshKeyRow
  /** The user of the key, or who created the deploy key; undefined once they are deleted or blocked. */
  caller: Caller | undefined
}

/**
 * Finds who may use a key: undefined for an unknown or expired one, for one that the settings
 * `*_key_restriction` no longer allow, and for the key of a user who is blocked.
 */
export async function findKeyOwner(app: App, fingerprint: string): Promise<KeyOwner | undefined> {
  const key = await findKeyByFingerprint(app.db, fingerprint)
  if (key === undefined || isExpired(app, key)) return undefined
  if (!(await isKeyAllowed(app, key.key))) return undefined
  const userId = key.kind === 'user' ? key.userId : key.creatorId
  const caller = userId === null ? undefined : await actingUser(app, userId)
  if (key.kind === 'user' && caller === undefined) return undefined
  return { key, caller }
}

function isExpired({ now }: App, { expiresOn }: SshKeyRow): boolean {
  return expiresOn !== null && expiresOn <= dayOf(now())
}

/** The rights that a key gives in the project at a path: its user's, or those of a deploy key. */
export async function requesterOf(
  app: App,
  { key, caller }: KeyOwner,
  path: string,
): Promise<GitRequester> {
  if (key.kind === 'user' && caller !== undefined) {
    return { git: { user: caller.user, canRead: true, canWrite: true }, caller }
  }
  const nobody: Caller = { facts: anonymous, user: null, scopes: [] }
  const owner = wikiOwnerPath(path)
  const ofWiki = owner === undefined ? undefined : await loadProject(app, owner, nobody)
  const project = ofWiki ?? (await loadProject(app, path, nobody))
  const enabled =
    project && (await findProjectDeployKey(app.db, { projectId: project.row.id, keyId: key.id }))
  const user = caller?.user ?? null
  if (project === undefined || enabled === undefined) {
    return { git: { user: null, canRead: false, canWrite: false }, caller: nobody }
  }
  // A push is attributed to who created the key, whose own rights it doesn't have.
  return {
    git: {
      user,
      projectId: project.row.id,
      canRead: true,
      canWrite: enabled.canPush === 1 && user !== null,
      deployKey: true,
    },
    caller: { ...nobody, user },
  }
}
