import type { CallerFacts } from '@stithy/core'
import { lockSshKeys } from '../../directory/keys/ssh-key-store.ts'
import {
  memberProjects,
  viewerArgs,
  viewerKind,
  visibleProjects,
} from '../../directory/members/visibility.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'

// Linking a key and unlinking it from its last project would otherwise not see each other, so each
// of them locks the key first.

/** Enables a key, which is locked, on a project; does nothing if it is enabled already. */
export async function linkDeployKey(
  tx: Transaction,
  link: { projectId: number; keyId: number; canPush: Flag; createdAt: number },
): Promise<void> {
  await tx.run('deployKeys.link', link, (db, $) =>
    db
      .insertInto('deployKeyProjects')
      .values({
        projectId: $('projectId'),
        keyId: $('keyId'),
        canPush: $('canPush'),
        createdAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.columns(['projectId', 'keyId']).doNothing()),
  )
}

/** Sets whether a key may push to a project. */
export async function setDeployKeyPush(
  q: Queries,
  link: { projectId: number; keyId: number; canPush: Flag },
): Promise<void> {
  await q.run('deployKeys.push', link, (db, $) =>
    db
      .updateTable('deployKeyProjects')
      .set({ canPush: $('canPush') })
      .where('projectId', '=', $('projectId'))
      .where('keyId', '=', $('keyId')),
  )
}

/** Disables a key on a project; returns whether it was enabled there. */
export async function unlinkDeployKey(
  tx: Transaction,
  link: { projectId: number; keyId: number },
): Promise<boolean> {
  await lockSshKeys(tx, [link.keyId])
  const { changes } = await tx.run('deployKeys.unlink', link, (db, $) =>
    db
      .deleteFrom('deployKeyProjects')
      .where('projectId', '=', $('projectId'))
      .where('keyId', '=', $('keyId')),
  )
  if (changes > 0) await deleteUnusedDeployKeys(tx, [link.keyId])
  return changes > 0
}

/** Disables all keys on projects that are being deleted. */
export async function unlinkProjectDeployKeys(
  tx: Transaction,
  projectIds: readonly number[],
): Promise<void> {
  const rows = await tx.all('deployKeys.linked', { projectIds }, (db, $) =>
    db
      .selectFrom('deployKeyProjects')
      .where(inList('deployKeyProjects.projectId', $('projectIds')))
      .select('keyId')
      .distinct(),
  )
  if (rows.length === 0) return
  const ids = rows.map(({ keyId }) => keyId)
  await lockSshKeys(tx, ids)
  await tx.run('deployKeys.unlink-all', { projectIds }, (db, $) =>
    db
      .deleteFrom('deployKeyProjects')
      .where(inList('deployKeyProjects.projectId', $('projectIds'))),
  )
  await deleteUnusedDeployKeys(tx, ids)
}

/** A private key is deleted with the last project that uses it. */
async function deleteUnusedDeployKeys(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('deployKeys.delete-unused', { ids }, (db, $) =>
    db
      .deleteFrom('sshKeys')
      .where(inList('sshKeys.id', $('ids')))
      .where('sshKeys.kind', '=', 'deploy')
      .where('sshKeys.public', '=', 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('deployKeyProjects as link')
              .whereRef('link.keyId', '=', 'sshKeys.id')
              .select('link.keyId'),
          ),
        ),
      ),
  )
}

/** Deletes a deploy key from all projects; returns whether it existed. */
export async function deleteDeployKey(tx: Transaction, keyId: number): Promise<boolean> {
  const { changes } = await tx.run('deployKeys.delete', { keyId }, (db, $) =>
    db.deleteFrom('sshKeys').where('id', '=', $('keyId')).where('kind', '=', 'deploy'),
  )
  return changes > 0
}

/**
 * Whether a key is enabled on a project that the caller can see or, with `visible: 'key'`, on one
 * whose keys they can see too. `today` is `YYYY-MM-DD`.
 */
export async function isDeployKeyVisible(
  q: Queries,
  { keyId, visible, caller, today }: DeployKeyViewer,
): Promise<boolean> {
  const kind = viewerKind(caller)
  if (kind === 'admin') return true
  const args = { keyId, ...viewerArgs(caller, today) }
  const found = await q.first(`deployKeys.visible|${visible}|${kind}`, args, (db, $) =>
    db
      .selectFrom('deployKeyProjects as link')
      .innerJoin('projects', 'projects.id', 'link.projectId')
      .where('link.keyId', '=', $('keyId'))
      .where(visibleProjects(kind, $))
      .$if(visible === 'key', (query) =>
        query
          .where(memberProjects(keyReaderLevel, $))
          .where('projects.repositoryAccessLevel', '<>', 'disabled'),
      )
      .select('projects.id')
      .limit(1),
  )
  return found !== undefined
}

export interface DeployKeyViewer {
  keyId: number
  visible: 'project' | 'key'
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
}

/** The SQL equivalent of `read_deploy_keys`. */
const keyReaderLevel = 40

/** Up to `limit` projects that a deploy key is enabled on, by id. */
export function listKeyProjects(
  q: Queries,
  args: { keyId: number; limit: number },
): Promise<{ projectId: number; canPush: Flag; createdAt: number }[]> {
  return q.all('deployKeys.projects', args, (db, $) =>
    db
      .selectFrom('deployKeyProjects')
      .select(['projectId', 'canPush', 'createdAt'])
      .where('keyId', '=', $('keyId'))
      .orderBy('projectId')
      .limit($('limit')),
  )
}
